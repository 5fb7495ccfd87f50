// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// The sockets of this machine, as `/proc` lists them.
enum Sockets {
    /// Returns the number of established connections to a port of this machine.
    ///
    /// On a busy machine the kernel may report a closed connection late, even between local sockets.
    ///
    /// - Parameter port: The port.
    /// - Returns: The number.
    /// - Throws: The system's error if it has no such list.
    static func established(toPort port: Int) throws -> Int {
        try rows().count { $0[2].hasSuffix(suffix(of: port)) && $0[3] == "01" }
    }

    /// Returns the number of sockets that use a port locally or remotely and belong to a process.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - isRemoteOnly: True if only sockets with the port at the remote end count, which are the clients'.
    /// - Returns: The number.
    /// - Throws: The system's error if it has no such list.
    static func open(_ port: Int, isRemoteOnly: Bool = false) throws -> Int {
        let suffix = suffix(of: port)
        return try rows().count { row in
            row[9] != "0" && (row[2].hasSuffix(suffix) || !isRemoteOnly && row[1].hasSuffix(suffix))
        }
    }

    private static func suffix(of port: Int) -> String {
        let hex = String(port, radix: 16, uppercase: true)
        return ":" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    }

    private static func rows() throws -> [[Substring]] {
        // Read to the end: the file reports no length.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/net/tcp"))
        let table = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return table.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count > 9 }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// The sockets of this machine, as the system lists them.
enum Sockets {
    /// How many have a port at one of their ends and a descriptor in some process.
    ///
    /// - Parameters:
    ///   - port: The port.
    ///   - isRemoteOnly: Whether only those count that have it at their far end, which are the clients'.
    /// - Returns: The number.
    /// - Throws: What the system says where it has no such list.
    static func open(_ port: Int, isRemoteOnly: Bool = false) throws -> Int {
        let hex = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - hex.count) + hex
        // Read to the end: the system says that the file has no length.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/net/tcp"))
        let table = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return table.split(separator: "\n").count { line in
            let columns = line.split(separator: " ")
            return columns.count > 9 && columns[9] != "0"
                && (columns[2].hasSuffix(suffix) || !isRemoteOnly && columns[1].hasSuffix(suffix))
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation

/// Counts the sockets that this process has open to or from a port, from the kernel's tables.
enum Sockets {
    /// Returns the number of this process's descriptors that are TCP sockets with the port at either end.
    static func count(port: Int) throws -> Int {
        let inodes = try inodes(port: port)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return descriptors.count { descriptor in
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            else { return false }
            return inodes.contains(target)
        }
    }

    private static func inodes(port: Int) throws -> Set<String> {
        let suffix = ":" + String(format: "%04X", port)
        let table = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)
        return table.split(separator: "\n").dropFirst().reduce(into: []) { inodes, line in
            let columns = line.split(separator: " ")
            guard columns.count > 9, columns[1].hasSuffix(suffix) || columns[2].hasSuffix(suffix) else { return }
            inodes.insert("socket:[\(columns[9])]")
        }
    }
}
#endif

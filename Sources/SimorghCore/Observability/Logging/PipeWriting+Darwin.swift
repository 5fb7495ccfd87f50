// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Darwin

extension PipeWriting {
    /// So many bytes fit into a pipe that has room, and do not mix with those of others: `PIPE_BUF`.
    static let pieceBytes = 512

    /// Makes of a pipe that nobody reads an error, and no signal: here it goes to the process, which no thread's mask keeps.
    static func prepare(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETNOSIGPIPE, 1) }

    /// Writes.
    ///
    /// - Parameters:
    ///   - bytes: At most ``pieceBytes`` of them.
    ///   - descriptor: The pipe.
    /// - Returns: How many were taken, or a negative number with the system's error.
    static func put(_ bytes: UnsafeRawBufferPointer, into descriptor: Int32) -> (count: Int, error: Int32) {
        let count = write(descriptor, bytes.baseAddress, bytes.count)
        return (count, errno)
    }
}
#endif

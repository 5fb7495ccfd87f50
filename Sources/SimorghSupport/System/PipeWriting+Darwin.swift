// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Darwin

extension PipeWriting {
    /// The number of bytes that a writable pipe accepts atomically: `PIPE_BUF`.
    package static let pieceBytes = 512

    /// Turns SIGPIPE into an error.
    ///
    /// On Darwin the signal goes to the process, so the signal mask of a thread cannot block it.
    package static func prepare(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETNOSIGPIPE, 1) }

    /// Writes bytes to a pipe.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, at most ``pieceBytes``.
    ///   - descriptor: The pipe.
    /// - Returns: The number of written bytes, or a negative number and the `errno`.
    package static func put(_ bytes: UnsafeRawBufferPointer, into descriptor: Int32) -> (count: Int, error: Int32) {
        let count = write(descriptor, bytes.baseAddress, bytes.count)
        return (count, errno)
    }
}
#endif

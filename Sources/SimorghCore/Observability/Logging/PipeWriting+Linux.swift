// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

#if canImport(Glibc) || canImport(Musl)
extension PipeWriting {
    /// So many bytes fit into a pipe that has room, and do not mix with those of others: `PIPE_BUF`.
    static let pieceBytes = 4096

    /// Nothing: here the signal of a pipe that nobody reads is kept from the thread that writes.
    static func prepare(_ descriptor: Int32) {}

    /// Writes; that nobody reads any more is an error, and not the signal that ends a process.
    ///
    /// - Parameters:
    ///   - bytes: At most ``pieceBytes`` of them.
    ///   - descriptor: The pipe.
    /// - Returns: How many were taken, or a negative number with the system's error.
    static func put(_ bytes: UnsafeRawBufferPointer, into descriptor: Int32) -> (count: Int, error: Int32) {
        var (awaited, pending, before) = (sigset_t(), sigset_t(), sigset_t())
        sigemptyset(&awaited)
        sigaddset(&awaited, SIGPIPE)
        sigemptyset(&pending)
        sigpending(&pending)
        // One that waits there already is somebody else's.
        let isForeign = sigismember(&pending, SIGPIPE) == 1
        pthread_sigmask(SIG_BLOCK, &awaited, &before)
        let count = write(descriptor, bytes.baseAddress, bytes.count)
        let error = errno
        if count < 0, error == EPIPE, !isForeign {
            var now = timespec(tv_sec: 0, tv_nsec: 0)
            while sigtimedwait(&awaited, nil, &now) < 0, errno == EINTR {}
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        return (count, error)
    }
}
#endif

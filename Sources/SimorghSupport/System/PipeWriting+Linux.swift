// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Glibc) || canImport(Musl)
extension PipeWriting {
    /// The number of bytes that a writable pipe accepts atomically: `PIPE_BUF`.
    package static let pieceBytes = 4096

    /// Does nothing: on Linux `put` blocks SIGPIPE for the writing thread.
    package static func prepare(_ descriptor: Int32) {}

    /// Writes bytes to a pipe.
    ///
    /// Without a reader it returns an error instead of raising SIGPIPE, which ends the process.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, at most ``pieceBytes``.
    ///   - descriptor: The pipe.
    /// - Returns: The number of written bytes, or a negative number and the `errno`.
    package static func put(_ bytes: UnsafeRawBufferPointer, into descriptor: Int32) -> (count: Int, error: Int32) {
        var (awaited, pending, before) = (sigset_t(), sigset_t(), sigset_t())
        sigemptyset(&awaited)
        sigaddset(&awaited, SIGPIPE)
        sigemptyset(&pending)
        sigpending(&pending)
        // A SIGPIPE that is already pending was not caused by this write.
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

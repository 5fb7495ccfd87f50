// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Dispatch
import SimorghSupport
import Synchronization

/// Standard input, or another open file or pipe, in chunks of at most 64 KiB; it can be read once, on a queue of its
/// own.
struct StandardInputChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    /// An error of reading standard input.
    struct ReadError: Error, CustomStringConvertible {
        let code: CInt
        var description: String { "standard input could not be read: \(String(cString: strerror(code)))" }
    }

    /// The number of remaining bytes, if standard input is a regular file.
    static var length: Int64? {
        var status = stat()
        // Files in /proc report a size of 0 although they have content.
        guard fstat(0, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return nil }
        let offset = lseek(0, 0, SEEK_CUR)
        return offset >= 0 && offset <= status.st_size ? Int64(status.st_size - offset) : nil
    }

    private let descriptor: CInt

    /// Creates the sequence for an open descriptor, which the caller must close.
    init(descriptor: CInt = 0) { self.descriptor = descriptor }

    func makeAsyncIterator() -> Iterator { Iterator(descriptor: descriptor) }

    struct Iterator: AsyncIteratorProtocol {
        let descriptor: CInt
        private static let queue = DispatchQueue(label: "simorgh.stdin")

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            let (stop, descriptor) = (Stop(), descriptor)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    Self.queue.async {
                        continuation.resume(with: Result { try Self.chunk(from: descriptor, stop: stop) })
                    }
                }
            } onCancel: {
                stop.isSet.store(true, ordering: .releasing)
            }
        }

        /// Polls in short intervals, because a thread that blocks in `read` cannot be woken.
        private static func chunk(from descriptor: CInt, stop: Stop) throws -> Data? {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&waiting, 1, 100) <= 0 {
                guard !stop.isSet.load(ordering: .acquiring) else { throw CancellationError() }
            }
            var bytes = Data(count: 64 * 1024)
            while true {
                let (count, code) = bytes.withUnsafeMutableBytes { buffer in
                    let count = read(descriptor, buffer.baseAddress, buffer.count)
                    return (count, errno)
                }
                if count >= 0 { return count == 0 ? nil : bytes.prefix(count) }
                guard code == EINTR else { throw ReadError(code: code) }
            }
        }
    }

    private final class Stop: Sendable {
        let isSet = Atomic(false)
    }
}
#endif

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The bytes of a file in chunks of 128 KiB, read on ``FileQueue``.
package struct FileChunks: AsyncSequence, Sendable {
    package typealias Element = Data
    package typealias Failure = any Error

    /// An error for a file that ended before the length it had when the request was made.
    package struct LengthChangedError: Error, CustomStringConvertible {
        let path: String
        package var description: String { "\(path) became shorter while it was sent" }
    }

    /// An error for a system call that failed.
    package struct ReadError: Error, CustomStringConvertible {
        let path: String
        let code: CInt
        package var description: String { "\(path) could not be read: \(String(cString: strerror(code)))" }
    }

    package static let chunkSize = 128 * 1024

    let path: String
    let offset: Int64
    let length: Int64

    /// Creates the chunks of a file, or of a part of it.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - offset: The offset of the first byte to read.
    ///   - length: The number of bytes to read.
    package init(path: String, offset: Int64 = 0, length: Int64) {
        self.path = path
        self.offset = offset
        self.length = length
    }

    /// Returns the size of a file, in bytes.
    ///
    /// - Throws: ``InvalidRequestError`` if the file is not a regular file or cannot be read.
    package static func length(of path: String) throws(InvalidRequestError) -> Int64 {
        // The system would read the path only up to the NUL, and so open another file.
        guard !path.utf8.contains(0) else {
            throw InvalidRequestError(.unreadableFile, message: "the path of the file holds a NUL")
        }
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            throw InvalidRequestError(.unreadableFile, message: "\(path): \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw InvalidRequestError(.unreadableFile, message: "\(path) is not a regular file")
        }
        return Int64(status.st_size)
    }

    package func makeAsyncIterator() -> Iterator { Iterator(path: path, offset: offset, remaining: length) }

    package struct Iterator: AsyncIteratorProtocol {
        let path: String
        var offset: Int64
        var remaining: Int64
        var file: OpenFile?

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            guard remaining > 0 else { return nil }
            try Task.checkCancellation()
            let wanted = Int(Swift.min(Int64(FileChunks.chunkSize), remaining))
            let (path, start, known) = (path, offset, file)
            let (opened, chunk) = try await FileQueue.run {
                let file = try known ?? OpenFile(path)
                return (file, try file.chunk(at: start, upTo: wanted))
            }
            file = opened
            guard !chunk.isEmpty else { throw LengthChangedError(path: path) }
            offset += Int64(chunk.count)
            remaining -= Int64(chunk.count)
            return chunk
        }
    }

    /// An open file descriptor, closed in `deinit`.
    final class OpenFile: Sendable {
        private let descriptor: CInt
        private let path: String

        init(_ path: String) throws {
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            self.path = path
            guard descriptor >= 0 else { throw ReadError(path: path, code: errno) }
        }

        func chunk(at offset: Int64, upTo count: Int) throws -> Data {
            var data = Data(count: count)
            let path = path
            let descriptor = descriptor
            let readCount = try data.withUnsafeMutableBytes { buffer in
                while true {
                    let readCount = pread(descriptor, buffer.baseAddress, count, off_t(offset))
                    if readCount >= 0 { return readCount }
                    guard errno == EINTR else { throw ReadError(path: path, code: errno) }
                }
            }
            return data.prefix(readCount)
        }

        deinit {
            if descriptor >= 0 { close(descriptor) }
        }
    }
}

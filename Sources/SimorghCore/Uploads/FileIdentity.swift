// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import SimorghSupport

/// The identity of a file, to detect if it is still the file that an upload started with.
public struct FileIdentity: Sendable, Hashable, Codable {
    /// The size, in bytes.
    public let size: Int64
    /// The modification time, in nanoseconds since 1970.
    public let modified: Int64
    /// The inode number of the file.
    ///
    /// Another file at the same path has another number.
    public let number: UInt64
    /// The hash of its first and its last 64 KiB.
    public let fingerprint: String

    /// Creates the identity of a file.
    ///
    /// Reads a small part of it and blocks the thread meanwhile.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``InvalidRequestError`` if the file does not exist or cannot be read.
    public init(of path: String) throws { try self.init(reading: path) }

    private init(reading path: String) throws(InvalidRequestError) {
        size = try FileChunks.length(of: path)
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw InvalidRequestError(.unreadableFile, message: "\(path): \(String(cString: strerror(errno)))")
        }
        modified = FileTime.modified(status)
        number = UInt64(status.st_ino)
        let edge = 64 * 1024
        guard let first = FileBytes.prefix(of: path, upTo: edge),
            let last = FileBytes.bytes(of: path, at: max(0, size - Int64(edge)), upTo: edge)
        else { throw InvalidRequestError(.unreadableFile, message: "\(path) could not be read") }
        fingerprint = Hex.encoded(SHA256.hash(data: first + last))
    }

    /// Returns the identity of a file, computed on a queue that may block.
    package static func read(at path: String) async throws(InvalidRequestError) -> FileIdentity {
        try await FileQueue.run { () throws(InvalidRequestError) in try FileIdentity(reading: path) }
    }

    /// Returns true if the metadata of a file matches, without reading the file.
    ///
    /// Cheap enough to call often.
    package func matchesMetadata(_ path: String) async -> Bool { await FileQueue.run { fits(path) } }

    private func fits(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && Int64(status.st_size) == size && FileTime.modified(status) == modified
            && UInt64(status.st_ino) == number
    }
}

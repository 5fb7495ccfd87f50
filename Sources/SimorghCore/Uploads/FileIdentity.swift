// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import SimorghSupport

/// What tells whether a file is still the one that an upload was begun with.
public struct FileIdentity: Sendable, Hashable, Codable {
    /// The size, in bytes.
    public let size: Int64
    /// When it was last changed, in nanoseconds since 1970.
    public let modified: Int64
    /// The file's number in its file system: another file in the same place has another.
    public let number: UInt64
    /// The hash of its first and its last 64 KiB.
    public let fingerprint: String

    /// Looks at a file, and reads a little of it; the thread waits for that.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``InvalidRequest`` when there is no such file or it cannot be read.
    public init(of path: String) throws { try self.init(reading: path) }

    private init(reading path: String) throws(InvalidRequest) {
        size = try FileChunks.length(of: path)
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw InvalidRequest(.unreadableFile, "\(path): \(String(cString: strerror(errno)))")
        }
        modified = FileTime.modified(status)
        number = UInt64(status.st_ino)
        let edge = 64 * 1024
        guard let first = FileBytes.prefix(of: path, upTo: edge),
            let last = FileBytes.bytes(of: path, at: max(0, size - Int64(edge)), upTo: edge)
        else { throw InvalidRequest(.unreadableFile, "\(path) could not be read") }
        fingerprint = Hex.encoded(SHA256.hash(data: first + last))
    }

    /// Looks at a file where that may block.
    static func looked(at path: String) async throws(InvalidRequest) -> FileIdentity {
        try await FileQueue.run { () throws(InvalidRequest) in try FileIdentity(reading: path) }
    }

    /// Whether a file looks like this one without being read: what can be asked often.
    func stillFits(_ path: String) async -> Bool { await FileQueue.run { fits(path) } }

    private func fits(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && Int64(status.st_size) == size && FileTime.modified(status) == modified
            && UInt64(status.st_ino) == number
    }
}

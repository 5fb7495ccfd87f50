// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// A partial file, written at arbitrary offsets.
package final class PartialFile: Sendable {
    package let path: String
    private let descriptor: Int32
    /// The identifier of the page cache that holds unsynced bytes; `nil` if that may be on another machine.
    package let marker: String?

    /// Opens the file, and creates it if it does not exist; a symbolic link is not followed.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isPrivate: True if a new file is for this user only.
    /// - Throws: ``DownloadError``.
    package init(_ path: String, isPrivate: Bool = false) throws(DownloadError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, isPrivate ? 0o600 : 0o666)
        guard descriptor >= 0 else { throw DownloadFileSystem.failure("open", at: path) }
        marker = FileSync.marker(descriptor)
    }

    /// Opens a file for reading; a symbolic link is not followed.
    package init(reading path: String) throws(DownloadError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw DownloadFileSystem.failure("open", at: path) }
        marker = FileSync.marker(descriptor)
    }

    deinit { close(descriptor) }

    /// The largest number of chunks per system call: each costs one level of recursion.
    private static let maximumChunks = 16

    /// Writes chunks one after the other, many of them with one system call.
    package func write(_ chunks: [Data], at offset: Int64) throws(DownloadError) {
        var position = offset
        var rest = chunks[...]
        while !rest.isEmpty {
            let some = rest.prefix(Self.maximumChunks)
            rest = rest.dropFirst(Self.maximumChunks)
            var parts: [iovec] = []
            parts.reserveCapacity(some.count)
            let code = put(some, into: &parts, at: position)
            let count = some.reduce(0) { $0 + $1.count }
            guard code == 0 else {
                errno = code
                throw DownloadFileSystem.failure("write", at: path, needing: Int64(count))
            }
            position += Int64(count)
        }
    }

    /// Adds chunks to the vector and writes it; each chunk stays pinned until all are written.
    ///
    /// - Returns: The error number; zero on success.
    private func put(_ chunks: ArraySlice<Data>, into parts: inout [iovec], at offset: Int64) -> CInt {
        guard let first = chunks.first else { return FileCalls.write(parts, to: descriptor, at: offset) }
        return first.withUnsafeBytes { bytes -> CInt in
            if !bytes.isEmpty {
                parts.append(
                    iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
            }
            return put(chunks.dropFirst(), into: &parts, at: offset)
        }
    }

    /// Reads into existing memory.
    ///
    /// - Returns: The number of bytes read: fewer than requested at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(DownloadError) -> Int {
        let count = FileCalls.read(descriptor, into: buffer, at: offset)
        guard count >= 0 else { throw DownloadFileSystem.failure("read", at: path) }
        return count
    }

    /// Sets the length of the file.
    package func truncate(to length: Int64) throws(DownloadError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else {
            throw DownloadFileSystem.failure("truncate", at: path, needing: length)
        }
    }

    /// The length of the file, in bytes.
    package var length: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Fsyncs the file, so that written bytes survive a power failure.
    package func sync() throws(DownloadError) {
        guard FileSync.data(descriptor) else { throw DownloadFileSystem.failure("sync", at: path) }
    }

    /// Preallocates disk space for the whole file; does nothing on a file system without preallocation.
    package func reserve(_ length: Int64) throws(DownloadError) {
        guard length > 0, !FileSync.reserve(descriptor, length: length), errno == ENOSPC || errno == EDQUOT else {
            return
        }
        throw DownloadFileSystem.failure("reserve", at: path, needing: length)
    }
}

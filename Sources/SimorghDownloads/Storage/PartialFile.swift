// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// The bytes of a file that is on its way, written where they belong.
package final class PartialFile: Sendable {
    package let path: String
    private let descriptor: Int32
    /// What names the memory that holds what was written and not synced; `nil` where that may be another machine's.
    package let marker: String?

    /// Opens the file, and makes it where it is not there; a link is not followed.
    package init(_ path: String) throws(DownloadError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw DownloadDisk.failure("open", path) }
        marker = FileSync.marker(descriptor)
    }

    /// Opens a file to read it; a link is not followed.
    package init(reading path: String) throws(DownloadError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw DownloadDisk.failure("open", path) }
        marker = FileSync.marker(descriptor)
    }

    deinit { close(descriptor) }

    /// How many chunks the system is given at a time: each costs a step on the stack.
    private static let most = 16

    /// Writes chunks one behind the other, many of them with one call.
    package func write(_ chunks: [Data], at offset: Int64) throws(DownloadError) {
        var position = offset
        var rest = chunks[...]
        while !rest.isEmpty {
            let some = rest.prefix(Self.most)
            rest = rest.dropFirst(Self.most)
            var parts: [iovec] = []
            parts.reserveCapacity(some.count)
            let code = put(some, &parts, at: position)
            let count = some.reduce(0) { $0 + $1.count }
            guard code == 0 else {
                errno = code
                throw DownloadDisk.failure("write", path, needing: Int64(count))
            }
            position += Int64(count)
        }
    }

    /// Writes chunks behind those that are gathered; each is held where it is until all are written.
    ///
    /// - Returns: The number of the error; zero where all are written.
    private func put(_ chunks: ArraySlice<Data>, _ parts: inout [iovec], at offset: Int64) -> CInt {
        guard let first = chunks.first else { return FileCalls.write(parts, to: descriptor, at: offset) }
        return first.withUnsafeBytes { bytes -> CInt in
            if !bytes.isEmpty {
                parts.append(
                    iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
            }
            return put(chunks.dropFirst(), &parts, at: offset)
        }
    }

    /// Reads into memory that is there.
    ///
    /// - Returns: How many bytes were read: fewer than asked for where the file ends.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(DownloadError) -> Int {
        let count = FileCalls.read(descriptor, into: buffer, at: offset)
        guard count >= 0 else { throw DownloadDisk.failure("read", path) }
        return count
    }

    /// Makes the file so long; what is cut off is gone.
    package func truncate(to length: Int64) throws(DownloadError) {
        guard ftruncate(descriptor, off_t(length)) == 0 else {
            throw DownloadDisk.failure("truncate", path, needing: length)
        }
    }

    /// The length.
    package var length: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Sees to it that what was written outlives a power cut.
    package func sync() throws(DownloadError) {
        guard FileSync.data(descriptor) else { throw DownloadDisk.failure("sync", path) }
    }

    /// Takes the room that the whole will need, without writing it; a file system that cannot do that is not asked to.
    package func reserve(_ length: Int64) throws(DownloadError) {
        guard length > 0, !FileSync.reserve(descriptor, length), errno == ENOSPC || errno == EDQUOT else { return }
        throw DownloadDisk.failure("reserve", path, needing: length)
    }
}

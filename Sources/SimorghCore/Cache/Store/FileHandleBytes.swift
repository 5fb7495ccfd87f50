// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// An open file with positioned reads and writes, which is closed when it is released; its methods block.
final class FileHandleBytes: Sendable {
    let descriptor: CInt

    /// Opens a file; returns `nil` if that fails, with the reason in `errno`.
    init?(_ path: String, flags: CInt) {
        guard !path.utf8.contains(0) else { return nil }
        descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The size in bytes and the modification date in nanoseconds since 1970; `nil` if it is not a regular file.
    var status: (size: Int64, modified: Int64)? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return (Int64(status.st_size), FileTime.modified(status))
    }

    /// Reads a number of bytes at an offset.
    ///
    /// - Throws: `invalid` if the file is too short, or `busy` if the disk cannot read it now.
    func read(at offset: Int64, count: Int) throws(BlobFile.ReadError) -> Data {
        guard count > 0 else { return Data() }
        var data = Data(count: count)
        let (filled, code) = data.withUnsafeMutableBytes { (buffer: UnsafeMutableRawBufferPointer) -> (Int, CInt) in
            let filled = FileCalls.read(descriptor, into: buffer, at: offset)
            return (filled, errno)
        }
        if filled < 0 { throw BlobFile.ReadError(code) }
        guard filled == count else { throw .invalid }
        return data
    }

    /// Writes bytes at an offset.
    ///
    /// - Returns: True if all bytes were written.
    func write(_ data: Data, at offset: Int64) -> Bool {
        data.withUnsafeBytes { FileCalls.write($0, to: descriptor, at: offset) == 0 }
    }

    /// Sets the size of the file.
    func extend(to size: Int64) -> Bool { ftruncate(descriptor, off_t(size)) == 0 }

    /// Fsyncs the file.
    func synchronize() -> Bool { Self.synchronize(descriptor) }

    /// Fsyncs a folder.
    static func synchronize(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = synchronize(descriptor)
        close(descriptor)
    }

    /// Sets the modification date to now, to record the use of the file.
    func touch() { futimens(descriptor, nil) }
}

#if canImport(Darwin)
extension FileHandleBytes {
    /// Uses `F_FULLFSYNC`, since on Darwin `fsync` only passes the bytes to the drive, which may keep them in its
    /// cache.
    fileprivate static func synchronize(_ descriptor: CInt) -> Bool { fcntl(descriptor, F_FULLFSYNC) == 0 }
}
#else
extension FileHandleBytes {
    fileprivate static func synchronize(_ descriptor: CInt) -> Bool { fsync(descriptor) == 0 }
}
#endif

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// An open file that is read and written at places, closed when it is let go; its calls block.
final class FileHandleBytes: Sendable {
    let descriptor: CInt

    /// - Returns: `nil` where the file cannot be opened; `errno` says why.
    init?(_ path: String, _ flags: CInt) {
        guard !path.utf8.contains(0) else { return nil }
        descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The length and when it was changed, in nanoseconds; `nil` for what is no regular file.
    var status: (size: Int64, modified: Int64)? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return (Int64(status.st_size), FileTime.modified(status))
    }

    /// So many bytes from a place on.
    ///
    /// - Throws: That the file is of no use, as it has not as many, or that the disk does not give them now.
    func read(at place: Int64, count: Int) throws(BlobFile.Fault) -> Data {
        guard count > 0 else { return Data() }
        var data = Data(count: count)
        let (filled, code) = data.withUnsafeMutableBytes { (buffer: UnsafeMutableRawBufferPointer) -> (Int, CInt) in
            let filled = FileCalls.read(descriptor, into: buffer, at: place)
            return (filled, errno)
        }
        if filled < 0 { throw BlobFile.Fault(code) }
        guard filled == count else { throw .useless }
        return data
    }

    /// Writes bytes at a place.
    ///
    /// - Returns: Whether all are written.
    func write(_ data: Data, at place: Int64) -> Bool {
        data.withUnsafeBytes { FileCalls.write($0, to: descriptor, at: place) == 0 }
    }

    /// Makes the file at least so long.
    func extend(to size: Int64) -> Bool { ftruncate(descriptor, off_t(size)) == 0 }

    /// Waits until the disk has it.
    func synchronize() -> Bool { Self.synchronize(descriptor) }

    /// Waits until the disk knows which files a folder has.
    static func synchronize(folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = synchronize(descriptor)
        close(descriptor)
    }

    /// Says that it is used now.
    func touch() { futimens(descriptor, nil) }
}

#if canImport(Darwin)
extension FileHandleBytes {
    /// There, `fsync` only gives the bytes to the drive, which may keep them for a while.
    fileprivate static func synchronize(_ descriptor: CInt) -> Bool { fcntl(descriptor, F_FULLFSYNC) == 0 }
}
#else
extension FileHandleBytes {
    fileprivate static func synchronize(_ descriptor: CInt) -> Bool { fsync(descriptor) == 0 }
}
#endif

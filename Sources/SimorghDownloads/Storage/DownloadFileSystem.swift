// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The file system operations of downloads, with errors that name the failed operation.
package enum DownloadFileSystem {
    /// Returns the error of the system call that just failed, from `errno`.
    ///
    /// - Parameters:
    ///   - verb: The failed operation, such as "open".
    ///   - path: The file.
    ///   - bytes: The number of bytes that the operation was to add to the disk, for the message of a full disk; 0 if
    ///     it is unknown.
    /// - Returns: ``DownloadError/insufficientDiskSpace(required:available:)`` if the disk or the user's quota is full,
    ///   with at least one required byte; ``DownloadError/file(_:)`` otherwise.
    package static func failure(_ verb: String, at path: String, needing bytes: Int64 = 0) -> DownloadError {
        let code = errno
        if code == ENOSPC || code == EDQUOT {
            return .insufficientDiskSpace(required: max(1, bytes), available: available(at: path) ?? 0)
        }
        return .file("could not \(verb) \(path): \(String(cString: strerror(code)))")
    }

    /// Returns the number of bytes that this user may still write on the disk of a path; `nil` if unknown.
    package static func available(at path: String) -> Int64? {
        var status = statvfs()
        guard existing(path, isFound: { statvfs($0, &status) == 0 }) != nil else { return nil }
        let (bytes, overflows) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflows ? .max : Int64(clamping: bytes)
    }

    /// Returns the number of bytes that the system would free for a download on the disk of a path, including those
    /// that are free already; `nil` if unknown.
    ///
    /// The query takes some milliseconds.
    package static func availableAfterReclaiming(at path: String) -> Int64? {
        existing(path) { exists($0) }.flatMap(reclaimable)
    }

    /// Returns the disk that a path is on, or will be on; `nil` if unknown.
    package static func disk(of path: String) -> UInt64? {
        var status = stat()
        guard existing(path, isFound: { stat($0, &status) == 0 }) != nil else { return nil }
        return UInt64(truncatingIfNeeded: status.st_dev)
    }

    /// Returns a path, or the nearest folder above it that is found: a path that does not exist yet will be on the disk
    /// of its folder.
    private static func existing(_ path: String, isFound: (String) -> Bool) -> String? {
        var path = path
        while !isFound(path) {
            guard let folder = path.before(last: "/"), path != "/" else { return nil }
            path = folder.isEmpty ? "/" : String(folder)
        }
        return path
    }

    /// Returns the disk space allocated to a file, in bytes, regardless of its length.
    package static func allocated(_ path: String) -> Int64 {
        var status = stat()
        return lstat(path, &status) == 0 ? Int64(status.st_blocks) * 512 : 0
    }

    /// Creates a folder and its parents.
    package static func makeFolder(_ folder: String) throws(DownloadError) {
        if mkdir(folder, 0o777) == 0 { return }
        if let path = FileCalls.makeFolder(folder, mode: 0o777) { throw failure("make", at: path) }
    }

    /// Fsyncs a folder, so that the names in it survive a power failure.
    package static func syncFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        // Some file systems refuse to fsync folders; they keep names safe by themselves.
        fsync(descriptor)
        close(descriptor)
    }

    /// Syncs a whole disk, so that all writes survive a power failure: cheaper than syncing thousands of files one by
    /// one.
    ///
    /// - Parameter folder: A folder on the disk.
    /// - Returns: True if the system reports success.
    package static func syncAll(of folder: String) -> Bool {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return FileSync.disk(descriptor)
    }

    /// Fsyncs the folder of a file, so that the file's name survives a power failure.
    package static func syncFolder(of path: String) {
        if let folder = path.before(last: "/") { syncFolder(String(folder)) }
    }

    /// Returns the length of a regular file that is not a symbolic link; `nil` if there is no such file.
    package static func length(of path: String) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Returns true if this user can read a regular file, also through a symbolic link.
    package static func isReadable(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, R_OK) == 0
    }

    /// Returns the modification time of a file, in seconds since 1970; `nil` if there is no file.
    package static func modified(_ path: String) -> Double? {
        var status = stat()
        return lstat(path, &status) == 0 ? Double(FileTime.modified(status)) / 1e9 : nil
    }

    /// Returns the inode number of a file, which is unique on its disk; `nil` if there is no file.
    package static func inode(of path: String) -> UInt64? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// Returns true if the path exists, even as a dangling symbolic link.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Renames a file unless the new name exists.
    ///
    /// - Returns: True if the file has the new name now.
    package static func move(_ old: String, toFree new: String) throws(DownloadError) -> Bool {
        if isLinked(old, to: new) {
            // An earlier process crashed between the two steps below.
            unlink(old)
            return true
        }
        if FileSync.rename(old, toFree: new) { return true }
        if errno == EEXIST { return false }
        // The file system cannot do it atomically.
        if link(old, new) == 0 {
            unlink(old)
            return true
        }
        if errno == EEXIST { return false }
        // The file system has no hard links, so the name is reserved with an empty file first.
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else {
            if errno == EEXIST { return false }
            throw failure("make", at: new)
        }
        close(descriptor)
        try replace(old, with: new)
        return true
    }

    /// Renames a file and replaces a regular file of the new name, but never a device, a folder or a link.
    ///
    /// - Returns: True if the file has the new name now.
    package static func replaceFile(_ old: String, with new: String) throws(DownloadError) -> Bool {
        guard length(of: new) != nil || !exists(new) else { return false }
        try replace(old, with: new)
        return true
    }

    /// Renames a file and replaces any file of the new name.
    package static func replace(_ old: String, with new: String) throws(DownloadError) {
        guard rename(old, new) == 0 else { throw failure("rename \(old) to", at: new) }
    }

    /// Moves a file, also from another disk.
    package static func take(_ old: String, as new: String) throws(DownloadError) {
        if rename(old, new) == 0 { return }
        guard errno == EXDEV else { throw failure("rename \(old) to", at: new) }
        // Copies to a temporary file and fsyncs it, so that after a crash the file is complete under one name or the
        // other.
        let draft = TemporaryFiles.name(for: new)
        try copy(old, to: draft, lasts: true)
        do throws(DownloadError) {
            try replace(draft, with: new)
        } catch {
            unlink(draft)
            throw error
        }
        syncFolder(of: new)
        try remove(old)
    }

    /// Returns true if two files have the same contents.
    ///
    /// - Parameters:
    ///   - first: The first file.
    ///   - second: The second file.
    ///   - isOver: Returns true to cancel the comparison; called periodically.
    /// - Returns: True if the contents are equal.
    /// - Throws: ``DownloadError``; ``DownloadError/cancelled`` if the comparison was cancelled.
    package static func isSame(
        _ first: String, as second: String, unless isOver: () -> Bool = { false }
    ) throws(DownloadError) -> Bool {
        guard let length = length(of: first), length == self.length(of: second) else { return false }
        let other = try PartialFile(reading: second)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 4096)
        defer { buffer.deallocate() }
        var isSame = true
        try pieces(of: try PartialFile(reading: first)) { piece, offset throws(DownloadError) in
            if isOver() { throw .cancelled }
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[..<piece.count])
            guard let left = piece.baseAddress, let right = rest.baseAddress else { return true }
            isSame = try other.read(into: rest, at: offset) == piece.count && memcmp(left, right, piece.count) == 0
            return isSame
        }
        return isSame
    }

    private static func isLinked(_ first: String, to second: String) -> Bool {
        var (left, right) = (stat(), stat())
        return lstat(first, &left) == 0 && lstat(second, &right) == 0 && left.st_ino == right.st_ino
            && left.st_dev == right.st_dev
    }

    /// Copies a file and replaces an existing copy.
    ///
    /// - Parameters:
    ///   - old: The file.
    ///   - new: The copy.
    ///   - lasts: True to fsync the copy, so that it survives a power failure.
    /// - Throws: ``DownloadError``.
    package static func copy(_ old: String, to new: String, lasts: Bool = false) throws(DownloadError) {
        try remove(new)
        do throws(DownloadError) {
            let (source, copy) = (try PartialFile(reading: old), try PartialFile(new))
            try pieces(of: source) { piece, offset throws(DownloadError) in
                try copy.write([Data(piece)], at: offset)
                return true
            }
            if lasts { try copy.sync() }
        } catch {
            // Removes the incomplete copy.
            unlink(new)
            throw error
        }
    }

    /// Returns the hash of a file.
    package static func digest(
        of path: String, using algorithm: DownloadDigest.Algorithm
    ) throws(DownloadError) -> DownloadDigest? {
        var hasher = FileHasher([algorithm])
        try pieces(of: try PartialFile(reading: path)) { piece, _ throws(DownloadError) in
            hasher.update(piece)
            return true
        }
        return hasher.digests.first
    }

    /// The number of bytes to read at a time.
    private static let pieceBytes = 1024 * 1024

    /// Reads a file from the start, until `body` returns false.
    private static func pieces(
        of file: PartialFile, body: (UnsafeRawBufferPointer, Int64) throws(DownloadError) -> Bool
    ) throws(DownloadError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 4096)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try file.read(into: buffer, at: offset)
            guard count > 0 else { return }
            guard try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), offset) else { return }
            offset += Int64(count)
        }
    }

    /// Removes a file; does nothing if it does not exist.
    package static func remove(_ path: String) throws(DownloadError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", at: path) }
    }

    /// Removes a folder if it is empty.
    package static func removeFolder(_ path: String) { rmdir(path) }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// What downloads ask of the file system, each with an error that says what was tried.
package enum DownloadDisk {
    /// The error of the call that failed just now.
    package static func failure(_ verb: String, _ path: String, needing bytes: Int64 = 0) -> DownloadError {
        let code = errno
        if code == ENOSPC || code == EDQUOT {
            return .insufficientDiskSpace(required: max(1, bytes), available: available(at: path) ?? 0)
        }
        return .file("could not \(verb) \(path): \(String(cString: strerror(code)))")
    }

    /// How many bytes this user may still write where a path is; `nil` where nobody knows.
    package static func available(at path: String) -> Int64? {
        var path = path
        var status = statvfs()
        while statvfs(path, &status) != 0 {
            // What is not there yet will be where its folder is.
            guard let folder = path.before(last: "/"), path != "/" else { return nil }
            path = folder.isEmpty ? "/" : String(folder)
        }
        let (bytes, overflows) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflows ? .max : Int64(clamping: bytes)
    }

    /// Which disk a path is on, or will be; `nil` where nobody knows.
    package static func disk(of path: String) -> UInt64? {
        var path = path
        var status = stat()
        while stat(path, &status) != 0 {
            guard let folder = path.before(last: "/"), path != "/" else { return nil }
            path = folder.isEmpty ? "/" : String(folder)
        }
        return UInt64(truncatingIfNeeded: status.st_dev)
    }

    /// How many bytes of the disk a file takes, whatever its length.
    package static func allocated(_ path: String) -> Int64 {
        var status = stat()
        return lstat(path, &status) == 0 ? Int64(status.st_blocks) * 512 : 0
    }

    /// Makes a folder, and those that it is in.
    package static func makeFolder(_ folder: String) throws(DownloadError) {
        if mkdir(folder, 0o777) == 0 { return }
        if let path = FileCalls.makeFolder(folder, mode: 0o777) { throw failure("make", path) }
    }

    /// Sees to it that the names in a folder outlive a power cut.
    package static func syncFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        // Some file systems refuse that for folders, and keep names safe by themselves.
        fsync(descriptor)
        close(descriptor)
    }

    /// Sees to it that all that was written to a disk outlives a power cut: cheaper than thousands of files one by one.
    ///
    /// - Parameter folder: A folder on it.
    /// - Returns: Whether the system says that it does.
    package static func syncAll(of folder: String) -> Bool {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return FileSync.disk(descriptor)
    }

    /// Sees to it that the name of a file outlives a power cut.
    package static func syncFolder(of path: String) {
        if let folder = path.before(last: "/") { syncFolder(String(folder)) }
    }

    /// The length of a regular file that is no link; `nil` where there is none.
    package static func length(of path: String) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// When a file was changed, in seconds since 1970; `nil` where there is none.
    package static func modified(_ path: String) -> Double? {
        var status = stat()
        return lstat(path, &status) == 0 ? Double(FileTime.modified(status)) / 1e9 : nil
    }

    /// What tells a file from all others on its disk; `nil` where there is none.
    package static func number(of path: String) -> UInt64? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// Whether there is anything of a name, be it a link that leads nowhere.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Gives a file its name, unless something has it.
    ///
    /// - Returns: Whether it has the name now.
    package static func move(_ old: String, toFree new: String) throws(DownloadError) -> Bool {
        if isLinked(old, new) {
            // A crash came between the two steps below.
            unlink(old)
            return true
        }
        if FileSync.rename(old, toFree: new) { return true }
        if errno == EEXIST { return false }
        // A file system that cannot do it in one step.
        if link(old, new) == 0 {
            unlink(old)
            return true
        }
        if errno == EEXIST { return false }
        // A file system without links: the name is taken first, for the moment by nothing.
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else {
            if errno == EEXIST { return false }
            throw failure("make", new)
        }
        close(descriptor)
        try replace(old, with: new)
        return true
    }

    /// Gives a file its name, and drops the file that has it: a device, a folder or a link it does not touch.
    ///
    /// - Returns: Whether it has the name now.
    package static func replaceFile(_ old: String, with new: String) throws(DownloadError) -> Bool {
        guard length(of: new) != nil || !exists(new) else { return false }
        try replace(old, with: new)
        return true
    }

    /// Gives a file its name, and drops what has it.
    package static func replace(_ old: String, with new: String) throws(DownloadError) {
        guard rename(old, new) == 0 else { throw failure("rename \(old) to", new) }
    }

    /// Makes a file ours, from whatever disk it is on.
    package static func take(_ old: String, as new: String) throws(DownloadError) {
        if rename(old, new) == 0 { return }
        guard errno == EXDEV else { throw failure("rename \(old) to", new) }
        // Beside its place, and made to last: whatever comes between, it is whole under one name or the other.
        let draft = DraftFiles.name(for: new)
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

    /// Whether two files have the same bytes.
    ///
    /// - Parameters:
    ///   - first: The one.
    ///   - second: The other.
    ///   - isOver: Whether nobody wants to know any more; asked now and then.
    /// - Returns: Whether they have.
    /// - Throws: ``DownloadError``; ``DownloadError/cancelled`` where nobody wants to know.
    package static func isSame(
        _ first: String, _ second: String, unless isOver: () -> Bool = { false }
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

    private static func isLinked(_ first: String, _ second: String) -> Bool {
        var (left, right) = (stat(), stat())
        return lstat(first, &left) == 0 && lstat(second, &right) == 0 && left.st_ino == right.st_ino
            && left.st_dev == right.st_dev
    }

    /// Copies a file, and drops what was there.
    ///
    /// - Parameters:
    ///   - old: The file.
    ///   - new: The copy.
    ///   - lasts: Whether the copy outlives a power cut from now on.
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
            // Half a copy helps nobody.
            unlink(new)
            throw error
        }
    }

    /// The hash of a file.
    package static func digest(
        of path: String, _ algorithm: DownloadDigest.Algorithm
    ) throws(DownloadError) -> DownloadDigest? {
        var hasher = DownloadHasher([algorithm])
        try pieces(of: try PartialFile(reading: path)) { piece, _ throws(DownloadError) in
            hasher.update(piece)
            return true
        }
        return hasher.digests.first
    }

    /// How many bytes are looked at at a time.
    private static let pieceBytes = 1024 * 1024

    /// Reads a file from its beginning, until `body` says that it was enough.
    private static func pieces(
        of file: PartialFile, _ body: (UnsafeRawBufferPointer, Int64) throws(DownloadError) -> Bool
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

    /// Removes a file; one that is not there is removed already.
    package static func remove(_ path: String) throws(DownloadError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("remove", path) }
    }

    /// Removes a folder of ours where nothing is in it any more.
    package static func removeFolder(_ path: String) { rmdir(path) }
}

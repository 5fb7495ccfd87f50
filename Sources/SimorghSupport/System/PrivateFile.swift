// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A small file that only its owner can read, and that is always replaced as a whole; the functions block.
package struct PrivateFile: Sendable {
    /// The reason why a file cannot be read or replaced.
    package enum FileError: Error, Sendable, Hashable {
        case invalidPath, notRegular, tooLarge
        /// The file belongs to another user, or other users can write to it.
        case writableByOthers
        /// A system call failed, with its `errno` value.
        case system(CInt)
    }

    package let path: String

    package init(_ path: String) { self.path = path }

    /// The contents of a file.
    package struct Contents: Sendable {
        package let bytes: [UInt8]
        /// True if users other than the owner can read the file.
        package let isReadableByOthers: Bool
        /// True if the file belongs to a user other than this one and root, or if other users can write to it.
        package let isWritableByOthers: Bool
    }

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - limit: The largest file to read, in bytes.
    ///   - refusesOthers: True to refuse a file that other users can change.
    /// - Returns: The contents; `nil` if the file does not exist.
    /// - Throws: The reason why it cannot be read.
    package func read(upTo limit: Int, refusesOthers: Bool = false) throws(FileError) -> Contents? {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .invalidPath }
        // Does not block on a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        let isForeign = status.st_uid != geteuid() && status.st_uid != 0
        let isWritable = isForeign || status.st_mode & 0o022 != 0
        if refusesOthers, isWritable { throw .writableByOthers }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Self.again { chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) } }
            guard count >= 0 else { throw .system(errno) }
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= limit else { throw .tooLarge }
        }
        return Contents(
            bytes: bytes, isReadableByOthers: status.st_mode & 0o044 != 0, isWritableByOthers: isWritable)
    }

    /// Replaces the file atomically by one of mode 0600, or creates it.
    ///
    /// - Parameter bytes: The new contents.
    /// - Throws: The reason why it cannot be replaced; the previous file is unchanged.
    package func replace(with bytes: some Collection<UInt8>) throws(FileError) {
        let name = TemporaryFiles.name(for: path)
        let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno) }
        let isWritten = Self.writeAll(Array(bytes), to: descriptor) && Self.again { Int(fsync(descriptor)) } == 0
        let code = errno
        guard close(descriptor) == 0, isWritten, rename(name, path) == 0 else {
            let failure = FileError.system(isWritten ? errno : code)
            unlink(name)
            throw failure
        }
        syncFolder()
    }

    /// Removes temporary files that a crash left beside the file.
    package func sweep() {
        let name = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
        TemporaryFiles.sweepAbandoned(in: folder, of: name.flatMap { String($0) })
    }

    /// The folder of the file.
    package var folder: String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        return slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// Makes the rename durable; ignores errors, because some systems cannot sync a folder.
    private func syncFolder() {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = again { write(descriptor, part.baseAddress, part.count) }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    private static func again(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

/// The system call, which the method of the same name hides.
private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

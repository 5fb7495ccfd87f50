// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
package import SimorghSupport

/// An atomically written file: the bytes go to a temporary file in the same folder, which is renamed at the end.
///
/// An existing file stays until then. A path that is not a regular file (`/dev/null`, a named pipe) is written
/// directly, because renaming would replace it.
package struct FileOutput: ~Copyable {
    private let path: String
    private let temporaryPath: String?
    private var descriptor: Descriptor?

    /// Opens the file.
    ///
    /// - Parameter path: The path; a symbolic link is followed.
    /// - Throws: ``OutputError``.
    package init(_ path: String) throws(OutputError) {
        let resolvedPath = Self.resolved(path)
        var status = stat()
        let exists = stat(resolvedPath, &status) == 0
        self.path = resolvedPath
        guard !exists || status.st_mode & S_IFMT == S_IFREG else {
            temporaryPath = nil
            descriptor = try Self.open(resolvedPath, flags: O_WRONLY | O_CLOEXEC, named: path)
            return
        }
        let slash = resolvedPath.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { "\(resolvedPath[..<$0])/" } ?? ""
        let temporary = folder + ".simorgh-\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).part"
        temporaryPath = temporary
        let opened = try Self.open(temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, named: path)
        descriptor = opened
        if exists { fchmod(opened.number, status.st_mode & 0o7777) }
    }

    /// Appends bytes, without blocking the cooperative thread pool.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: ``OutputError``.
    package func write(_ bytes: Data) async throws(OutputError) {
        guard let descriptor else { return }
        try await FileQueue.run { [path] () throws(OutputError) -> Void in
            try Self.put(bytes, in: descriptor, named: path)
        }
    }

    private static func put(_ bytes: Data, in descriptor: Descriptor, named path: String) throws(OutputError) {
        do {
            try descriptor.write(bytes)
        } catch .system(_, let code) {
            throw .system(path, code)
        }
    }

    /// Renames the file to its final path, without blocking the cooperative thread pool.
    ///
    /// - Throws: ``OutputError``; an existing file is then unchanged.
    package consuming func commit() async throws(OutputError) {
        guard let opened = descriptor.take() else { return }
        try await FileQueue.run { [path, temporaryPath] () throws(OutputError) -> Void in
            try Self.finish(opened, renaming: temporaryPath, to: path)
        }
    }

    private static func finish(
        _ opened: Descriptor, renaming temporaryPath: String?, to path: String
    ) throws(OutputError) {
        // Some file systems report a full disk only when the file is closed.
        guard close(opened.number) == 0 else {
            let code = errno
            if let temporaryPath { unlink(temporaryPath) }
            throw .system(path, code)
        }
        guard let temporaryPath, rename(temporaryPath, path) != 0 else { return }
        let code = errno
        unlink(temporaryPath)
        throw .system(path, code)
    }

    deinit {
        guard let descriptor else { return }
        close(descriptor.number)
        if let temporaryPath { unlink(temporaryPath) }
    }

    /// Returns true for a device or a named pipe, which takes bytes as they arrive.
    ///
    /// - Parameter path: The path; a symbolic link is followed.
    /// - Returns: False if nothing exists there, or for a file or folder.
    package static func isDevice(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func open(_ path: String, flags: CInt, named name: String) throws(OutputError) -> Descriptor {
        let number = openFile(path, flags: flags)
        guard number >= 0 else { throw .system(name, errno) }
        return Descriptor(number)
    }
}

/// Calls the system's `open`, which a method above shadows.
private func openFile(_ path: String, flags: CInt) -> CInt { open(path, flags, 0o666) }
#endif

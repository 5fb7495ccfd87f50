// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A reader and writer of a cookie file; its functions block.
struct CookieFile: Sendable {
    /// The largest file to read, in bytes: more than a full jar needs.
    private static let maximumBytes = 64 * 1024 * 1024

    private struct Content: Codable {
        var version = 1
        var cookies: [StoredCookie]
    }

    let path: String
    /// The format of a new file; an existing file keeps its format.
    private(set) var format: FileCookieStore.Format

    init(path: String, format: FileCookieStore.Format = .json) {
        self.path = path
        self.format = format
    }

    /// Reads the cookies of the file; returns an empty array if the file does not exist.
    mutating func load() throws(CookieFileError) -> [StoredCookie] {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw CookieFileError(.unreadable, path: path, message: "is not a valid path")
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw failure(.unreadable, message: "could not be opened")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CookieFileError(.unreadable, path: path, message: "is not a regular file")
        }
        var bytes = Data()
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let readCount = Self.again { chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) } }
            guard readCount >= 0 else { throw failure(.unreadable, message: "could not be read") }
            guard readCount > 0 else { break }
            bytes.append(contentsOf: chunk[..<readCount])
            guard bytes.count <= Self.maximumBytes else {
                throw CookieFileError(.damaged, path: path, message: "is too large")
            }
        }
        if NetscapeCookies.areIn(bytes) || bytes.isEmpty && format == .netscape {
            format = .netscape
            return NetscapeCookies.cookies(in: bytes, at: Date())
        }
        format = .json
        do {
            let content = try JSONDecoder().decode(Content.self, from: bytes)
            guard content.version == 1 else {
                throw CookieFileError(
                    .damaged, path: path, message: "has version \(content.version), which is not supported")
            }
            return content.cookies
        } catch let error as CookieFileError {
            throw error
        } catch {
            throw CookieFileError(.damaged, path: path, message: "is not a cookie file, or is incomplete")
        }
    }

    /// Replaces the file atomically, or creates it.
    func save(_ cookies: [StoredCookie]) throws(CookieFileError) {
        let bytes: Data
        do {
            switch format {
            case .json: bytes = try JSONEncoder().encode(Content(cookies: cookies))
            case .netscape: bytes = NetscapeCookies.data(cookies)
            }
        } catch {
            throw CookieFileError(.unwritable, path: path, message: "could not be encoded: \(error)")
        }
        let name = TemporaryFiles.name(for: path)
        let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw failure(.unwritable, message: "could not be written because its temporary file could not be created")
        }
        let isWritten = Self.writeAll(bytes, to: descriptor) && Self.again { Int(fsync(descriptor)) } == 0
        let code = errno
        guard close(descriptor) == 0, isWritten, rename(name, path) == 0 else {
            if !isWritten { errno = code }
            let error = failure(.unwritable, message: "could not be written")
            unlink(name)
            throw error
        }
        syncFolder()
    }

    /// Renames a file that is not a valid cookie file, so that it can be examined.
    func setAside() throws(CookieFileError) {
        guard rename(path, path + ".damaged") == 0 else {
            throw failure(.unwritable, message: "is damaged and could not be renamed to end in .damaged")
        }
    }

    /// Removes temporary files that a crash left beside the file.
    func sweep() {
        let name = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
        TemporaryFiles.sweepAbandoned(in: folder, of: name.flatMap { String($0) })
    }

    private var folder: String {
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

    private static func writeAll(_ bytes: Data, to descriptor: CInt) -> Bool {
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

    private func failure(_ reason: CookieFileError.Reason, message: String) -> CookieFileError {
        CookieFileError(reason, path: path, message: "\(message): \(String(cString: strerror(errno)))")
    }
}

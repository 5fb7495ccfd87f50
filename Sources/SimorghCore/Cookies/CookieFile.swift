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
        let bytes: Data
        do throws(PrivateFile.FileError) {
            guard let contents = try file.read(upTo: Self.maximumBytes) else { return [] }
            bytes = Data(contents.bytes)
        } catch {
            switch error {
            case .invalidPath: throw CookieFileError(.unreadable, path: path, message: "is not a valid path")
            case .tooLarge: throw CookieFileError(.damaged, path: path, message: "is too large")
            case .system(let code):
                throw CookieFileError(
                    .unreadable, path: path, message: "could not be read: \(String(cString: strerror(code)))")
            default: throw CookieFileError(.unreadable, path: path, message: "is not a regular file")
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
        do throws(PrivateFile.FileError) {
            try file.replace(with: bytes)
        } catch {
            guard case .system(let code) = error else {
                throw CookieFileError(.unwritable, path: path, message: "could not be written")
            }
            throw CookieFileError(
                .unwritable, path: path, message: "could not be written: \(String(cString: strerror(code)))")
        }
    }

    /// Renames a file that is not a valid cookie file, so that it can be examined.
    func setAside() throws(CookieFileError) {
        guard rename(path, path + ".damaged") == 0 else {
            throw failure(.unwritable, message: "is damaged and could not be renamed to end in .damaged")
        }
    }

    /// Removes temporary files that a crash left beside the file.
    func sweep() { file.sweep() }

    private var file: PrivateFile { PrivateFile(path) }

    private func failure(_ reason: CookieFileError.Reason, message: String) -> CookieFileError {
        CookieFileError(reason, path: path, message: "\(message): \(String(cString: strerror(errno)))")
    }
}

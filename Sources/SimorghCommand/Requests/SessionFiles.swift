// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import Synchronization

/// The files that a command reads before it sends requests, and writes at its end.
struct SessionFiles: Sendable {
    private(set) var cookies: FileCookieStore?
    private(set) var hsts: HSTSStore?
    private(set) var netrc: Netrc?
    private(set) var oauth: OAuthSession?

    init() {}

    /// Opens the files of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - notes: The queue for warnings.
    /// - Throws: ``CommandError`` that names the option.
    init(_ request: RequestDescription, notes: ConsoleQueue) async throws {
        if let path = request.cookieJar {
            cookies = try await Self.open("--cookie-jar") {
                try await FileCookieStore(path: path, keepsSessionCookies: true, format: .netscape, damaged: .refuse)
            }
        }
        if let path = request.hstsFile { hsts = try await Self.open("--hsts") { try await HSTSStore(path: path) } }
        if let path = request.netrcFile {
            let netrc = try await Self.open("--netrc") { try await Netrc(path: path) }
            if netrc.isExposed {
                await notes.complain(
                    "warning: other users can read or change \(DisplayText.oneLine(path)): use chmod 600")
            }
            self.netrc = netrc
        }
        if let name = request.oauth { oauth = try await OAuthSession(name) }
    }

    /// Saves the files; throws ``CommandError``.
    func save() async throws {
        do {
            try await cookies?.flush()
        } catch {
            throw CommandError(.output, message: "--cookie-jar \(error)")
        }
        do {
            try await hsts?.flush()
        } catch {
            throw CommandError(.output, message: "--hsts \(error)")
        }
    }

    /// Returns a step that notes, once, that a password is not sent over `http`.
    func note(about netrc: Netrc, to notes: ConsoleQueue) -> Interceptor {
        let noted = Noted()
        return Interceptor { request, next in
            if netrc.machine(for: request, overPlainHTTP: false) == nil,
                netrc.machine(for: request, overPlainHTTP: true) != nil, noted.isFirst
            {
                await notes.complain("--netrc: the password is not sent over http; use https")
            }
            return try await next(request)
        }
    }

    private final class Noted: Sendable {
        private let flag = Atomic(false)
        /// True at the first access only.
        var isFirst: Bool { !flag.exchange(true, ordering: .relaxed) }
    }

    private static func open<File>(_ option: String, _ open: () async throws -> File) async throws -> File {
        do {
            return try await open()
        } catch {
            throw CommandError(.usage, message: "\(option) \(error)")
        }
    }
}
#endif

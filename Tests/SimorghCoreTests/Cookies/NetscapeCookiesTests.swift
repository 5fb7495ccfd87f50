// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import TestSupport
import Testing

@Suite("Netscape cookie file format", .timeLimit(.minutes(5)))
struct NetscapeCookiesTests {
    private let path = NSTemporaryDirectory() + "simorgh-cookies-\(UUID().uuidString).txt"
    private static let header = "# Netscape HTTP Cookie File\n"

    private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }

    private func lines() throws -> [String] {
        String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
            .split(separator: "\n").filter { !$0.hasPrefix("# ") }.map(String.init)
    }

    @Test("Lines written by curl are read: host or domain, HttpOnly, Secure, session, empty value")
    func read() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write(
            Self.header + "# https://curl.se/docs/http-cookies.html\n\n"
                + "api.test\tFALSE\t/\tTRUE\t4000000000\ta\t1\n#HttpOnly_.birds.test\tTRUE\t/x\tFALSE\t0\tb\t2=3 4\r\n"
                + "api.test\tFALSE\t/\tFALSE\t0\tempty\t\napi.test\tFALSE\t/\tFALSE\t0\tblank\n"
                + "#a comment\nno cookie\napi.test\tFALSE\t/\tFALSE\tx\tc\t1\napi.test\tFALSE\tx\tFALSE\t0\td\t1\n"
                + "api.test\tFALSE\t/\tFALSE\t1\tover\t1\n")
        let store = try await FileCookieStore(path: path)
        let cookies = await store.cookies
        #expect(cookies.map(\.name) == ["a", "empty", "blank", "over", "b"])
        let (first, last) = (try #require(cookies.first), try #require(cookies.last))
        #expect(first.isSecure && first.isHostOnly && !first.isHTTPOnly && first.value == "1")
        #expect(first.expires == Date(timeIntervalSince1970: 4_000_000_000))
        #expect(last.domain == "birds.test" && !last.isHostOnly && last.isHTTPOnly && !last.isSecure)
        #expect(last.value == "2=3 4" && last.path == "/x" && last.expires == nil)
        let sent = await store.withJar { try? $0.header(for: "https://api.test/") }
        #expect(sent == "a=1; empty=; blank=")
    }

    @Test("A file keeps its format; a new file has the requested format", arguments: [true, false])
    func formats(isNew: Bool) async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        if !isNew { try write("# HTTP Cookie File\napi.test\tFALSE\t/\tFALSE\t4000000000\told\t1\n") }
        let store = try await FileCookieStore(path: path, format: isNew ? .netscape : .json)
        await store.withJar { jar in
            _ = try? jar.receive("new=2; Max-Age=1000; HttpOnly; Domain=api.test; Secure", from: "https://api.test/")
            _ = try? jar.receive("tab=a\tb; Max-Age=1000", from: "https://api.test/")
            _ = try? jar.receive("=nameless; Max-Age=1000", from: "https://api.test/")
        }
        try await store.flush()
        let lines = try lines()
        #expect(lines.count == (isNew ? 1 : 2))
        #expect(try #require(lines.last).hasPrefix("#HttpOnly_.api.test\tTRUE\t/\tTRUE\t"))
        #expect(try #require(lines.last).hasSuffix("\tnew\t2"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try await FileCookieStore(path: path).cookies.map(\.name) == (isNew ? ["new"] : ["old", "new"]))
    }

    @Test("An expiry that the file cannot represent does no harm", arguments: [1e300, -1e300, .nan, 0, -5, .infinity])
    func ends(seconds: Double) async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try await FileCookieStore(path: path, format: .netscape)
        await store.withJar { jar in
            let cookie = StoredCookie(
                name: "a", value: "1", domain: "api.test", expires: Date(timeIntervalSince1970: seconds))
            _ = jar.insert(cookie)
        }
        try await store.flush()
        #expect(try lines().count == (seconds > 1e299 ? 1 : 0))
    }

    @Test("A value that is not UTF-8 keeps its bytes in both formats", arguments: FileCookieStore.Format.all)
    func rawBytes(format: FileCookieStore.Format) async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let value = Array("caf".utf8) + [0xE9]
        let origin = try CookieOrigin("https://api.test/")
        let store = try await FileCookieStore(path: path, format: format)
        await store.withJar { jar in
            _ = jar.receive(Array("a=".utf8) + value + Array("; Max-Age=1000".utf8), from: origin, at: Date())
        }
        try await store.flush()
        let again = try await FileCookieStore(path: path)
        #expect(await again.withJar { $0.header(for: origin, at: Date()) } == Array("a=".utf8) + value)
    }

    @Test("An empty file, as created by mktemp, counts as new")
    func empty() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write("")
        #expect(try await FileCookieStore(path: path, format: .netscape, damaged: .refuse).cookies.isEmpty)
    }

    @Test("curl reads the file that is written here, and its file is read here")
    func curl() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/curl") else { return }
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try await FileCookieStore(path: path, keepsSessionCookies: true, format: .netscape)
        let fields = [
            "a=1; Path=/; HttpOnly; Max-Age=1000", "b=\"2 x\"; Path=/x; Secure", "c=3; Domain=birds.test; Path=/",
            "d=; Path=/",
        ]
        await store.withJar { jar in
            for field in fields { _ = try? jar.receive(field, from: "https://www.birds.test/x") }
        }
        try await store.flush()
        let before = await store.cookies
        // Without a transfer, curl writes the cookies that it read: no server is needed.
        let outcome = try await ChildProcess.run(
            "/usr/bin/curl", arguments: ["--silent", "--cookie", path, "--cookie-jar", path, "file:///dev/null"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self).contains(
                "libcurl"))
        let after = try await FileCookieStore(path: path, keepsSessionCookies: true).cookies
        func shown(_ cookies: [StoredCookie]) -> Set<String> {
            Set(
                cookies.map {
                    "\($0) \($0.value) \($0.isSecure) \($0.isHTTPOnly) \(Int($0.expires?.timeIntervalSince1970 ?? 0))"
                })
        }
        #expect(before.count == 4 && shown(after) == shown(before))
    }
}

extension FileCookieStore.Format {
    fileprivate static let all: [FileCookieStore.Format] = [.json, .netscape]
}

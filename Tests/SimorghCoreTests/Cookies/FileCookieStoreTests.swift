// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FileCookieStoreTests {
    private let folder = NSTemporaryDirectory() + "simorgh-cookies-\(UUID().uuidString)"
    private var path: String { folder + "/cookies.json" }

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func set(_ field: String, in store: FileCookieStore) async {
        _ = await store.withJar { jar in try? jar.receive(field, from: "https://api.test/") }
    }

    private func names(_ store: FileCookieStore) async -> [String] { await store.cookies.map(\.name) }

    @Test(
        "Persistent cookies are restored completely; session cookies only if requested",
        arguments: [false, true])
    func again(keepsSession: Bool) async throws {
        let store = try await FileCookieStore(path: path, keepsSessionCookies: keepsSession)
        await set("a=\"é 1\"; Max-Age=1000; Secure; HttpOnly; SameSite=Strict; Path=/x", in: store)
        await set("b=2; Max-Age=1000; Path=/", in: store)
        await set("session=3", in: store)
        try await store.flush()
        let next = try await FileCookieStore(path: path)
        let kept = await store.cookies.filter { $0.expires != nil || keepsSession }
        #expect(await next.cookies == kept)
        #expect(kept.count == (keepsSession ? 3 : 2))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("Only the owner can access the file, and no other file is left in the folder")
    func mode() async throws {
        _ = FileManager.default.createFile(atPath: path, contents: Data(#"{"version":1,"cookies":[]}"#.utf8))
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        let store = try await FileCookieStore(path: path)
        await set("a=1; Max-Age=1000", in: store)
        try await store.flush()
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["cookies.json"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("Drafts of a crashed process are removed when the file is opened; drafts of other files stay")
    func drafts() async throws {
        let old = Date(timeIntervalSinceNow: -4000)
        let others = [
            "other.json.simorgh-00000000003f0.new", "cookies.json.simorgh-00000000young.new", "cookies.json.new",
            "cookies.json.x.y.new", "cookies.json.backup.new",
        ]
        for name in ["cookies.json.simorgh-00000000003f0.new", "cookies.json.simorgh-0000000000000.new"] + others {
            #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data()))
            let date = name.contains("young") ? Date() : old
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(folder)/\(name)")
        }
        _ = try await FileCookieStore(path: path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == others.sorted())
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A change is written without a call of flush()")
    func unasked() async throws {
        let store = try await FileCookieStore(path: path)
        await set("a=1; Max-Age=1000", in: store)
        var found: [String] = []
        try await eventually {
            found = await names(try await FileCookieStore(path: path))
            return !found.isEmpty
        }
        #expect(found == ["a"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("Concurrent changes are all written to the file")
    func atOnce() async throws {
        let store = try await FileCookieStore(path: path)
        await withTaskGroup { group in
            for index in 0..<45 { group.addTask { await set("c\(index)=1; Max-Age=1000", in: store) } }
        }
        try await store.flush()
        #expect(await names(try await FileCookieStore(path: path)).count == 45)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test(
        "A file that is not a cookie file is set aside or refused, and its bytes are never lost",
        arguments: [
            "", "not JSON", #"{"version":1,"cookies":[{"na"#, #"{"version":2,"cookies":[]}"#,
            #"{"version":1,"cookies":7}"#, "\u{0}\u{1}",
        ])
    func damaged(text: String) async throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let error = await #expect(throws: CookieFileError.self) {
            _ = try await FileCookieStore(path: path, damaged: .refuse)
        }
        #expect(error?.reason == .damaged)
        #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
        let store = try await FileCookieStore(path: path)
        #expect(await store.cookies.isEmpty)
        await set("a=1; Max-Age=1000", in: store)
        try await store.flush()
        #expect(FileManager.default.contents(atPath: path + ".damaged") == Data(text.utf8))
        #expect(await names(try await FileCookieStore(path: path)) == ["a"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A path that cannot be a file is refused", arguments: ["", "/cookies.json/x\u{0}y", "."])
    func unreadable(name: String) async throws {
        let path = name == "." ? folder : name
        let error = await #expect(throws: CookieFileError.self) { _ = try await FileCookieStore(path: path) }
        #expect(error?.reason == .unreadable)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("An unwritable file fails only flush(), and is written once it is writable")
    func unwritable() async throws {
        let store = try await FileCookieStore(path: folder + "/missing/cookies.json")
        await set("a=1; Max-Age=1000", in: store)
        let error = await #expect(throws: CookieFileError.self) { try await store.flush() }
        #expect(error?.reason == .unwritable)
        #expect(await names(store) == ["a"])
        try FileManager.default.createDirectory(atPath: folder + "/missing", withIntermediateDirectories: false)
        try await store.flush()
        #expect(await names(try await FileCookieStore(path: folder + "/missing/cookies.json")) == ["a"])
        try FileManager.default.removeItem(atPath: folder)
    }
}

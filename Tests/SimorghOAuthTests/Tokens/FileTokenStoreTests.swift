// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghOAuth
import SimorghTesting
import TestSupport
import Testing

@Suite("FileTokenStore", .timeLimit(.minutes(5)))
struct FileTokenStoreTests {
    private let folder = NSTemporaryDirectory() + "simorgh-token-\(UUID().uuidString)"
    private var path: String { folder + "/token.json" }
    private let token = AccessToken(
        "a1", expiration: Date(timeIntervalSince1970: 1_800_000_000.5), refreshToken: "r1")

    private static let unwritableTokens = [
        AccessToken(""), AccessToken("a", expiration: Date(timeIntervalSince1970: -1)),
        AccessToken("a", expiration: Date(timeIntervalSince1970: 1e12)),
        AccessToken("a", expiration: Date(timeIntervalSince1970: .infinity)),
        AccessToken(String(repeating: "a", count: 600_000)),
    ]

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func write(_ text: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test("A token is saved as a whole with mode 0600, loaded by another store, replaced and removed")
    func saves() async throws {
        let store = FileTokenStore(path: path)
        #expect(try await store.load() == nil)
        try await store.save(token)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try await FileTokenStore(path: path).load() == token)
        try await store.save(AccessToken("a2"))
        #expect(try await store.load() == AccessToken("a2"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["token.json", "token.json.lock"])
        try await store.clear()
        try await store.clear()
        #expect(try await store.load() == nil)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A file that others can read or change is refused", arguments: [0o644, 0o640, 0o620, 0o602, 0o604])
    func exposed(mode: Int) async throws {
        try write(#"{"version": 1, "access_token": "s3cret"}"#, mode: mode)
        let error = try await #require(throws: TokenFileError.self) { try await FileTokenStore(path: path).load() }
        #expect(error.reason == .exposed && error.description.contains("chmod 600") && error.path == path)
        #expect(!error.description.contains("s3cret"))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test(
        "A file that the store did not write is refused, and neither repeated nor replaced by loading",
        arguments: [
            "", "s3cret", "{}", #"{"version": 2, "access_token": "s3cret"}"#, #"{"version": 1, "access_token": ""}"#,
            #"{"version": 1, "access_token": "s3cret", "expires_at": 1e300}"#,
            #"{"version": 1, "access_token": "s3cret", "expires_at": -5}"#, #"{"version": 1, "access_token": 7}"#,
            String(repeating: "[", count: 100_000), String(repeating: "s3cret", count: 100_000),
        ])
    func damaged(text: String) async throws {
        try write(text)
        let error = try await #require(throws: TokenFileError.self) { try await FileTokenStore(path: path).load() }
        #expect(error.reason == .damaged && !error.description.contains("s3cret"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A folder, a missing folder and an invalid path are typed errors")
    func unusable() async throws {
        let isFolder = try await #require(throws: TokenFileError.self) { try await FileTokenStore(path: folder).load() }
        #expect(isFolder.reason == .unreadable)
        let missing = FileTokenStore(path: folder + "/no/token.json")
        let failure = try await #require(throws: TokenFileError.self) { try await missing.save(token) }
        #expect(failure.reason == .locked)
        let invalid = try await #require(throws: TokenFileError.self) { try await FileTokenStore(path: "a\0b").load() }
        #expect(invalid.reason == .unreadable)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("Exclusive access excludes another store of the file, which waits for a limited time")
    func exclusive() async throws {
        let clock = TestClock()
        let (one, two) = (
            FileTokenStore(path: path), FileTokenStore(path: path, longestWait: .seconds(5), time: clock.timeSource)
        )
        let (entered, end) = (Gate(), Gate())
        async let first: Void = one.withExclusiveAccess {
            // The store's own methods do not wait for their own lock.
            try await one.save(token)
            entered.open()
            try await end.wait()
        }
        try await entered.wait()
        let late = Task { try await two.save(AccessToken("a2")) }
        try await clock.sleeping()
        clock.advance(by: .seconds(5))
        let error = try await #require(throws: TokenFileError.self) { try await late.value }
        #expect(error.reason == .locked)
        async let patient: Void = FileTokenStore(path: path).save(AccessToken("a3"))
        end.open()
        try await first
        try await patient
        #expect(try await one.load() == AccessToken("a3"))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test(
        "A token that could not be loaded again is not saved",
        arguments: unwritableTokens.indices)
    func unwritable(index: Int) async throws {
        let invalid = Self.unwritableTokens[index]
        let store = FileTokenStore(path: path)
        try await store.save(token)
        let error = try await #require(throws: TokenFileError.self) { try await store.save(invalid) }
        #expect(error.reason == .unwritable)
        #expect(try await store.load() == token)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A process that is killed while it has exclusive access leaves the store usable")
    func killed() async throws {
        let script = """
            import fcntl, sys, time
            file = open(sys.argv[1], "a")
            fcntl.flock(file, fcntl.LOCK_EX)
            print("locked", flush=True)
            time.sleep(3600)
            """
        let process = try ChildProcess("/usr/bin/python3", arguments: ["-c", script, path + ".lock"])
        #expect(try await process.line() == "locked")
        let clock = TestClock()
        let waiting = FileTokenStore(path: path, longestWait: .seconds(5), time: clock.timeSource)
        let saving = Task { try await waiting.save(token) }
        try await clock.sleeping()
        process.signal(SIGKILL)
        _ = try await process.outcome()
        clock.advance(by: .milliseconds(25))
        try await saving.value
        #expect(try await waiting.load() == token)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("The lock is released after an error and after a cancellation")
    func releases() async throws {
        struct Broken: Error {}
        let store = FileTokenStore(path: path)
        await #expect(throws: Broken.self) { try await store.withExclusiveAccess { throw Broken() } }
        let entered = Gate()
        let task = Task {
            try await store.withExclusiveAccess {
                entered.open()
                try await Gate().wait()
            }
        }
        try await entered.wait()
        task.cancel()
        _ = await task.result
        try await store.save(token)
        try FileManager.default.removeItem(atPath: folder)
    }
}

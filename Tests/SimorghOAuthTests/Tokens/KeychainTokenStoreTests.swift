// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghOAuth
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("KeychainTokenStore", .timeLimit(.minutes(5)))
struct KeychainTokenStoreTests {
    /// A keychain in memory, with the results of Apple's: a query without a group is for the items of all groups, and a
    /// new item without a group is in the first one.
    private final class MemoryKeychain: Keychain {
        struct Key: Hashable {
            let service: String
            let account: String
            let group: String
        }

        struct State {
            var items: [Key: Data] = [:]
            /// The result of each function instead of its own.
            var status: Int32?
            var calls: [String] = []
            /// The accessibilities of the calls that write.
            var written: [KeychainTokenStore.Accessibility] = []
            /// True if another process adds the item before the next call of `add`.
            var isRaced = false

            /// The keys of the items that a query finds.
            func keys(_ item: KeychainItem) -> [Key] {
                items.keys.filter {
                    $0.service == item.service && $0.account == item.account
                        && (item.accessGroups.isEmpty || item.accessGroups.contains($0.group))
                }.sorted { $0.group < $1.group }
            }
        }

        static func key(_ item: KeychainItem) -> Key {
            Key(service: item.service, account: item.account, group: item.accessGroups.first ?? "first")
        }

        let state = Mutex(State())

        private func run(_ name: String, _ work: (inout State) -> Int32) -> Int32 {
            state.withLock { state in
                state.calls.append(name)
                return state.status ?? work(&state)
            }
        }

        func read(_ item: KeychainItem) -> (status: Int32, data: Data?) {
            var data: Data?
            let status = run("read") { state in
                data = state.keys(item).first.flatMap { state.items[$0] }
                return data == nil ? -25_300 : 0
            }
            return (status, status == 0 ? data : nil)
        }

        func add(_ data: Data, as item: KeychainItem) -> Int32 {
            run("add") { state in
                state.written.append(item.accessibility)
                let key = Self.key(item)
                if state.isRaced { state.items[key] = Data() }
                state.isRaced = false
                guard state.items[key] == nil else { return -25_299 }
                state.items[key] = data
                return 0
            }
        }

        func update(_ data: Data, of item: KeychainItem) -> Int32 {
            run("update") { state in
                let keys = state.keys(item)
                state.written.append(item.accessibility)
                for key in keys { state.items[key] = data }
                return keys.isEmpty ? -25_300 : 0
            }
        }

        func delete(_ item: KeychainItem) -> Int32 {
            run("delete") { state in
                let keys = state.keys(item)
                for key in keys { state.items[key] = nil }
                return keys.isEmpty ? -25_300 : 0
            }
        }
    }

    private let keychain = MemoryKeychain()
    private let lockPath = NSTemporaryDirectory() + "simorgh-keychain-\(UUID().uuidString).lock"
    private let item = KeychainItem(service: "com.example.tour", account: "zal")
    private let token = AccessToken(
        "a1", expiration: Date(timeIntervalSince1970: 1_800_000_000.5), refreshToken: "r1")

    private func store(_ item: KeychainItem? = nil, time: TimeSource = .system) -> KeychainTokenStore {
        KeychainTokenStore(
            item ?? self.item, in: keychain, lockPath: lockPath, temporaryFolder: "/nowhere",
            longestWait: .seconds(5), time: time)
    }

    @Test("A token is added, loaded by another store, replaced in place, and removed")
    func saves() async throws {
        #expect(try await store().load() == nil)
        try await store().save(token)
        #expect(try await store().load() == token)
        try await store().save(AccessToken("a2"))
        #expect(try await store().load() == AccessToken("a2"))
        try await store().clear()
        try await store().clear()
        #expect(try await store().load() == nil)
        #expect(
            keychain.state.withLock { $0.calls } == [
                "read", "update", "add", "read", "update", "read", "delete", "delete", "read",
            ])
        try FileManager.default.removeItem(atPath: lockPath)
    }

    @Test("An item of another account or service is another token, with another lock file")
    func items() async throws {
        try await store().save(token)
        for other in [
            KeychainItem(service: "com.example.tour", account: "rostam"),
            KeychainItem(service: "com.example.eggs", account: "zal"),
        ] {
            #expect(try await store(other).load() == nil)
            #expect(other.lockPath(in: "/tmp") != item.lockPath(in: "/tmp"))
        }
        let same = KeychainItem(service: "com.example.tour", account: "zal")
        #expect(item.lockPath(in: "/tmp") == same.lockPath(in: "/tmp/"))
        let (one, two) = (KeychainItem(service: "a", account: "bc"), KeychainItem(service: "ab", account: "c"))
        #expect(one.lockPath(in: "/tmp") != two.lockPath(in: "/tmp"))
        let hostile = KeychainItem(service: "a/b", account: "../c").lockPath(in: "/tmp")
        #expect(hostile.hasPrefix("/tmp/simorgh-keychain-") && hostile.split(separator: "/").count == 2)
        try FileManager.default.removeItem(atPath: lockPath)
    }

    @Test("An item without an access group can be one of a group, so both have the same lock file")
    func groups() async throws {
        let grouped = KeychainItem(service: "com.example.tour", account: "zal", accessGroup: "group")
        #expect(grouped.lockPath(in: "/tmp") == item.lockPath(in: "/tmp"))
        try await store(grouped).save(token)
        #expect(try await store().load() == token)
        try await store().clear()
        #expect(try await store(grouped).load() == nil)
        try await store().save(token)
        #expect(try await store(grouped).load() == nil)
        try FileManager.default.removeItem(atPath: lockPath)
    }

    @Test("Without a lock path, the lock file is in the given folder, whatever TMPDIR says")
    func lockFolder() async throws {
        let folder = NSTemporaryDirectory() + "simorgh-keychain-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let store = KeychainTokenStore(
            item, in: keychain, lockPath: nil, temporaryFolder: folder, longestWait: .seconds(5), time: .system)
        try await store.save(token)
        #expect(FileManager.default.fileExists(atPath: item.lockPath(in: folder)))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("Each accessibility is passed on to the keychain", arguments: KeychainTokenStore.Accessibility.allCases)
    func accessibility(accessibility: KeychainTokenStore.Accessibility) async throws {
        let item = KeychainItem(service: "a", account: "b", accessibility: accessibility)
        try await store(item).save(token)
        try await store(item).save(token)
        #expect(keychain.state.withLock { $0.written } == [accessibility, accessibility, accessibility])
        #expect(self.item.accessibility == .afterFirstUnlock)
        try FileManager.default.removeItem(atPath: lockPath)
    }

    @Test("An item that another process adds at the same time is replaced")
    func race() async throws {
        keychain.state.withLock { $0.isRaced = true }
        try await store().save(token)
        #expect(try await store().load() == token)
        #expect(keychain.state.withLock { $0.calls } == ["update", "add", "update", "read"])
        try FileManager.default.removeItem(atPath: lockPath)
    }

    @Test("An item that the store did not write is refused, and not repeated", arguments: ["", "s3cret", "{}"])
    func damaged(text: String) async throws {
        keychain.state.withLock { [item] in $0.items[MemoryKeychain.key(item)] = Data(text.utf8) }
        let error = try await #require(throws: KeychainTokenError.self) { try await store().load() }
        #expect(error.reason == .damaged && error.status == nil && !error.description.contains("s3cret"))
    }

    @Test(
        "Failures of the keychain are typed errors with its status",
        arguments: [
            (-25_308, KeychainTokenError.Reason.deviceLocked), (-34_018, .notEntitled), (-50, .failed),
        ] as [(Int32, KeychainTokenError.Reason)])
    func failures(status: Int32, reason: KeychainTokenError.Reason) async throws {
        keychain.state.withLock { $0.status = status }
        let (shared, saved) = (store(), token)
        for work in [
            { _ = try await shared.load() }, { try await shared.save(saved) }, { try await shared.clear() },
        ] as [@Sendable () async throws -> Void] {
            let error = try await #require(throws: KeychainTokenError.self) { try await work() }
            #expect(error.reason == reason && error.status == status && error.description.contains("zal"))
            #expect(!error.description.contains("a1"))
        }
        try FileManager.default.removeItem(atPath: lockPath)
    }

    @Test("A token that could not be loaded again is not saved")
    func unwritable() async throws {
        let error = try await #require(throws: KeychainTokenError.self) { try await store().save(AccessToken("")) }
        #expect(error.reason == .unwritable && keychain.state.withLock { $0.calls.isEmpty })
    }

    @Test("Exclusive access excludes another store of the item, which waits for a limited time")
    func exclusive() async throws {
        let clock = TestClock()
        let (entered, end) = (Gate(), Gate())
        let (one, two) = (store(), store(time: clock.timeSource))
        let first = Task { [token] in
            try await one.withExclusiveAccess {
                // The store's own methods do not wait for their own lock.
                try await one.save(token)
                entered.open()
                try await end.wait()
            }
        }
        try await entered.wait()
        let late = Task { try await two.save(AccessToken("a2")) }
        try await clock.sleeping()
        clock.advance(by: .seconds(5))
        let error = try await #require(throws: KeychainTokenError.self) { try await late.value }
        #expect(error.reason == .locked)
        end.open()
        try await first.value
        try await two.save(AccessToken("a3"))
        #expect(try await one.load() == AccessToken("a3"))
        try FileManager.default.removeItem(atPath: lockPath)
    }

    @Test("Clients that share an item refresh once; a client of another server refuses the token")
    func clients() async throws {
        let server = RotatingServer()
        let oauth = StubbedOAuth(server.answer)
        try await store().save(AccessToken("a", refreshToken: "r0"))
        for _ in 0..<2 {
            let token = try oauth.client().refreshingToken(store: store())
            let api = oauth.api.with { $0.authentication = .refreshing(token) }
            try await api.call(.get, "https://api.example.com/a").void()
        }
        #expect(server.uses == ["r0"])
        let other = try OAuthClient(
            id: "tour", server: OAuthServer(tokenEndpoint: "https://new.example/token"), over: oauth.api)
        let error = try await #require(throws: TokenRefreshError.self) {
            try await other.refreshingToken(store: store()).current()
        }
        #expect((error.underlying as? OAuthError)?.reason == .signInRequired)
        try FileManager.default.removeItem(atPath: lockPath)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghOAuth
import SimorghTesting
import TestSupport
import Testing

@Suite("Tokens that cannot be saved at once", .timeLimit(.minutes(5)))
struct TokenSavingTests {
    private let folder = NSTemporaryDirectory() + "simorgh-saving-\(UUID().uuidString)"
    private var path: String { folder + "/token.json" }

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func call(_ api: APIClient) async throws { try await api.call(.get, "https://api.example.com/a").void() }

    private func failure(_ api: APIClient) async throws -> OAuthError {
        let error = try await #require(throws: NetworkError.self) { try await call(api) }
        return try #require((error.underlyingError as? TokenRefreshError)?.underlying as? OAuthError, "\(error)")
    }

    @Test("A replaced token that cannot be saved is refreshed, and that of the store is not used")
    func replaced() async throws {
        let server = RotatingServer()
        let oauth = StubbedOAuth(server.answer)
        let store = LimitedStore(path: path)
        try await store.store.save(AccessToken("other", refreshToken: "ro"))
        let token = try oauth.client().refreshingToken(store: store)
        _ = try await token.current()
        let end = oauth.clock.date.addingTimeInterval(60)
        await #expect(throws: LimitedStore.Full.self) {
            try await token.replace(with: AccessToken("a0", expiration: end, refreshToken: "r0"))
        }
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        try await call(api)
        oauth.clock.advance(by: .seconds(61))
        store.room.change { $0 = 10 }
        try await call(api)
        let saved = try await store.load()
        #expect(server.uses == ["r0"] && saved?.refreshToken == "r1")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A used-up refresh token is not sent after a store has recovered for one save")
    func recovered() async throws {
        let server = RotatingServer()
        let oauth = StubbedOAuth(server.answer)
        let store = LimitedStore(path: path)
        try await store.store.save(AccessToken("a", refreshToken: "r0"))
        let token = try oauth.client().refreshingToken(store: store)
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        for room in [0, 1, 10] {
            store.room.change { $0 = room }
            try await call(api)
            oauth.clock.advance(by: .seconds(3590))
        }
        let saved = try await store.load()
        #expect(server.uses == ["r0", "r1", "r2"] && saved?.refreshToken == "r3")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A client that needs no user replaces the token of another client, which it does not use")
    func otherClient() async throws {
        let server = RotatingServer()
        let oauth = StubbedOAuth(server.answer)
        let store = FileTokenStore(path: path)
        let old = try oauth.client(id: "job")
        _ = try await old.refreshingToken(from: AccessToken("b", refreshToken: "rb"), store: store).current()
        let token = try oauth.client(id: "job-2").refreshingToken(.clientCredentials(), store: store)
        try await call(oauth.api.with { $0.authentication = .refreshing(token) })
        let saved = try await store.load()
        #expect(server.uses == ["grant"] && saved?.value == "a1")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A sign-out holds although the token could not be saved, and the store cannot be cleared")
    func signOut() async throws {
        let server = RotatingServer()
        let oauth = StubbedOAuth(server.answer)
        try await FileTokenStore(path: path).save(AccessToken("a", refreshToken: "r0"))
        let token = try oauth.client().refreshingToken(store: ReadOnlyStore(path: path))
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        try await call(api)
        await #expect(throws: ReadOnlyStore.Full.self) { try await token.clear() }
        for _ in 0..<2 {
            let error = try await failure(api)
            #expect(error.reason == .signInRequired)
        }
        #expect(server.uses == ["r0"] && oauth.transport.requests.last?.header(.authorization) == nil)
        await #expect(throws: ReadOnlyStore.Full.self) {
            try await token.replace(with: AccessToken("a1", refreshToken: "r1"))
        }
        try await call(api)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A refresh in flight undoes neither a sign-out nor a sign-in in a plain store", arguments: [true, false])
    func inFlight(isSignOut: Bool) async throws {
        let gate = Gate()
        let server = RotatingServer(gate: gate)
        let oauth = StubbedOAuth(server.answer)
        let store = PlainStore(AccessToken("a", refreshToken: "r0"))
        let token = try oauth.client().refreshingToken(store: store)
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        let calling = Task { try await api.call(.get, "https://api.example.com/a").void() }
        try await gate.waiting()
        let next = AccessToken("b", refreshToken: "rb")
        if isSignOut { try await token.clear() } else { try await token.replace(with: next) }
        gate.open()
        _ = await calling.result
        let expected: AccessToken? = isSignOut ? nil : next
        #expect(server.uses.first == "r0" && store.token.value == expected)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A sign-in that could not be saved does not replace a later one of another process")
    func laterSignIn() async throws {
        let server = RotatingServer(number: 5)
        let oauth = StubbedOAuth(server.answer)
        let store = LimitedStore(path: path)
        let end = oauth.clock.date.addingTimeInterval(60)
        let token = try oauth.client().refreshingToken(
            from: AccessToken("b", expiration: end, refreshToken: "rb"), store: store)
        _ = try await token.current()
        try await FileTokenStore(path: path).save(AccessToken("a5", refreshToken: "r5"))
        store.room.change { $0 = 10 }
        oauth.clock.advance(by: .seconds(61))
        try await call(oauth.api.with { $0.authentication = .refreshing(token) })
        let saved = try await store.load()
        #expect(server.uses.isEmpty && saved?.value == "a5")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A sign-in is refreshed although the store can be neither read nor written")
    func brokenStore() async throws {
        let server = RotatingServer()
        let oauth = StubbedOAuth(server.answer)
        let end = oauth.clock.date.addingTimeInterval(60)
        let token = try oauth.client().refreshingToken(
            from: AccessToken("a0", expiration: end, refreshToken: "r0"), store: BrokenStore())
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        try await call(api)
        for number in 1...2 {
            oauth.clock.advance(by: .seconds(3700))
            try await call(api)
            #expect(server.uses.count == number)
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A sign-in that waits for the lock is not saved over a later one")
    func overtaken() async throws {
        let oauth = StubbedOAuth { _ in .status(.ok) }
        let (file, gate) = (FileTokenStore(path: path), Gate())
        let token = try oauth.client().refreshingToken(
            from: AccessToken("b", refreshToken: "rb"), store: DelayedStore(file, gate: gate))
        let loading = Task { try await token.current() }
        try await gate.waiting()
        try await token.replace(with: AccessToken("c", refreshToken: "rc"))
        gate.open()
        let current = try await loading.value
        let saved = try await file.load()
        #expect(current?.value == "c" && saved?.value == "c")
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A refresh that ends after the time limit is not lost, with and without a store", arguments: [true, false])
    func late(hasStore: Bool) async throws {
        let (clock, gate) = (TestClock(), Gate())
        let file = FileTokenStore(path: path)
        let old = AccessToken("a", refreshToken: "r0")
        try await file.save(old)
        let refreshes = LockedValue<[String]>([])
        let renewal = TokenRenewal(
            signedIn: nil, store: hasStore ? file : nil, time: clock.timeSource, onSaveFailure: { _ in }, request: nil
        ) { refreshToken in
            refreshes.change { $0.append(refreshToken) }
            try await gate.wait()
            return AccessToken("a1", refreshToken: "r1")
        }
        let renewing = Task { try await renewal.renew(old) }
        try await gate.waiting()
        try await clock.sleeping(for: .seconds(45))
        clock.advance(by: .seconds(45))
        let error = try await #require(throws: OAuthError.self) { try await renewing.value }
        #expect(error.reason == .unreachable)
        gate.open()
        // The late token arrives in a task of its own.
        if hasStore {
            try await eventually { try await file.load()?.value == "a1" }
        } else {
            try await eventually { renewal.unsaved != nil }
        }
        let renewed = try await renewal.renew(old)
        #expect(renewed?.value == "a1" && refreshes.value == ["r0"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("An expired token of a client without a user is requested again only after a pause")
    func pause() async throws {
        let isWrong = LockedValue(false)
        let oauth = StubbedOAuth { request in
            guard request.path == "/token" else { return .status(.ok) }
            return isWrong.value ? StubbedOAuth.error("invalid_client") : StubbedOAuth.token("t", lifetime: 60)
        }
        let token = try oauth.client().refreshingToken(.clientCredentials())
        let api = oauth.api.with { $0.authentication = .refreshing(token) }
        try await call(api)
        let count = oauth.transport.requestCount
        isWrong.change { $0 = true }
        oauth.clock.advance(by: .seconds(61))
        for _ in 0..<3 {
            let error = try await failure(api)
            #expect(error.code == "invalid_client")
        }
        #expect(oauth.transport.requestCount == count + 1)
        isWrong.change { $0 = false }
        oauth.clock.advance(by: .seconds(2))
        try await call(api)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("The CancellationError of a grant closure is the error of a refresh, and is followed by a pause")
    func ownCancellation() async throws {
        let oauth = StubbedOAuth { _ in .status(.ok) }
        let requests = Counter()
        let token = try oauth.client().refreshingToken(grant: {
            requests.next()
            throw CancellationError()
        })
        for _ in 0..<2 {
            let error = try await #require(throws: TokenRefreshError.self) { try await token.current() }
            #expect(error.underlying is CancellationError)
        }
        #expect(requests.count == 1)
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test("A task that outlives exclusive access waits for the next one")
    func outlives() async throws {
        let clock = TestClock()
        let begin = Gate()
        let store = FileTokenStore(path: path, longestWait: .seconds(5), time: clock.timeSource)
        let late = try await store.withExclusiveAccess {
            Task {
                try await begin.wait()
                try await store.save(AccessToken("late"))
            }
        }
        try await FileTokenStore(path: path).withExclusiveAccess {
            begin.open()
            try await clock.sleeping()
        }
        clock.advance(by: .milliseconds(25))
        try await late.value
        let saved = try await store.load()
        #expect(saved?.value == "late")
        try FileManager.default.removeItem(atPath: folder)
    }
}

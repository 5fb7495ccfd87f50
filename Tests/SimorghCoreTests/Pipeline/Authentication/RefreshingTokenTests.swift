// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RefreshingTokenTests {
    struct Broken: Error {}

    /// A store that counts its calls.
    final class Store: TokenStore {
        let token: Mutex<AccessToken?>
        let (loads, saves, clears) = (Counter(), Counter(), Counter())

        init(_ token: AccessToken?) { self.token = Mutex(token) }

        func load() async throws -> AccessToken? {
            loads.next()
            return token.withLock { $0 }
        }

        func save(_ token: AccessToken) async throws {
            saves.next()
            self.token.withLock { $0 = token }
        }

        func clear() async throws {
            clears.next()
            token.withLock { $0 = nil }
        }
    }

    let clock = TestClock()
    let transport = StubServer { _ in .status(.ok) }

    private func client(_ token: RefreshingToken) -> APIClient {
        APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.authentication = .refreshing(token)
        }
    }

    private func carried() -> [String?] { transport.requests.map { $0.header(.authorization) } }

    @Test("A token is refreshed within its leeway before the expiry, and not earlier", arguments: [0, 30, 300])
    func proactive(leeway: Int) async throws {
        let refreshes = Counter()
        let end = clock.date.addingTimeInterval(3600)
        let token = RefreshingToken(AccessToken("t0", expiration: end), leeway: .seconds(leeway)) { [clock] _ in
            AccessToken("t\(refreshes.next())", expiration: clock.date.addingTimeInterval(3600))
        }
        let client = client(token)
        try await client.call(.get, "x").void()
        clock.advance(by: .seconds(3600 - leeway - 1))
        try await client.call(.get, "x").void()
        #expect(refreshes.count == 0)
        clock.advance(by: .seconds(1))
        try await client.call(.get, "x").void()
        #expect(carried() == ["Bearer t0", "Bearer t0", "Bearer t1"])
    }

    @Test("Many calls with an expired token refresh once before they are sent")
    func proactiveTogether() async throws {
        let refreshes = Counter()
        let gate = Gate()
        let token = RefreshingToken(AccessToken("t0", expiration: clock.date)) { _ in
            try await gate.wait()
            return AccessToken("t\(refreshes.next())")
        }
        let client = client(token)
        let calls = (0..<20).map { _ in Task { try await client.call(.get, "x").void() } }
        try await clock.sleeping(20)
        #expect(transport.requestCount == 0)
        gate.open()
        for call in calls { try await call.value }
        #expect(refreshes.count == 1)
        #expect(carried() == Array(repeating: "Bearer t1", count: 20))
    }

    @Test("A refresh that fails before the expiry leaves the token in use; after the expiry it is an error")
    func failingEarly() async throws {
        let token = RefreshingToken(AccessToken("t0", expiration: clock.date.addingTimeInterval(20))) { _ in
            throw Broken()
        }
        let client = client(token)
        try await client.call(.get, "x").void()
        #expect(carried() == ["Bearer t0"])
        clock.advance(by: .seconds(20))
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect((error?.underlyingError as? TokenRefreshError)?.underlying is Broken)
        #expect(transport.requestCount == 1)
    }

    @Test("The store is read once, and saved after each refresh with the refresh token")
    func store() async throws {
        let store = Store(AccessToken("saved", expiration: clock.date, refreshToken: "r0"))
        let token = RefreshingToken(store: store) { old in
            AccessToken("t1", refreshToken: (old?.refreshToken ?? "") + "+")
        }
        let client = client(token)
        try await client.call(.get, "x").void()
        try await client.call(.get, "x").void()
        #expect(carried() == ["Bearer t1", "Bearer t1"])
        #expect(store.loads.count == 1)
        #expect(store.saves.count == 1)
        #expect(store.token.withLock { $0?.refreshToken } == "r0+")
    }

    @Test("After clear() requests have no token, and after replace(with:) the new one")
    func signing() async throws {
        let store = Store(nil)
        let token = RefreshingToken(AccessToken("t0"), store: store) { _ in nil }
        let client = client(token)
        try await token.clear()
        try await client.call(.get, "x").void()
        try await token.replace(with: AccessToken("t1"))
        try await client.call(.get, "x").void()
        #expect(carried() == [nil, "Bearer t1"])
        #expect(store.clears.count == 1)
        #expect(store.token.withLock { $0?.value } == "t1")
    }

    @Test("Views and other clients with the same RefreshingToken share its refresh")
    func shared() async throws {
        let refreshes = Counter()
        let gate = Gate()
        let token = RefreshingToken(AccessToken("t0", expiration: clock.date)) { _ in
            refreshes.next()
            try await gate.wait()
            return AccessToken("t1")
        }
        let (first, second) = (client(token), client(token))
        let view = first.with { $0.headers["X-View"] = "1" }
        let calls = [first, second, view].map { client in Task { try await client.call(.get, "x").void() } }
        try await clock.sleeping(3)
        gate.open()
        for call in calls { try await call.value }
        #expect(refreshes.count == 1)
    }
}

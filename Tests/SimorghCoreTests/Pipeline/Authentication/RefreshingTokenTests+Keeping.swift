// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// Loading, storing and saving a token, and the pauses between attempts.
extension RefreshingTokenTests {
    /// A store that can be slow, and fail.
    private actor SlowStore: TokenStore {
        private(set) var token: AccessToken?
        private(set) var loads = 0
        private(set) var saves = 0
        private(set) var overlaps = 0
        private var isBusy = false
        private var failures: Int
        private let gate: Gate

        init(_ token: AccessToken? = nil, failures: Int = 0, gate: Gate = Gate(), isOpen: Bool = true) {
            self.token = token
            self.failures = failures
            self.gate = gate
            if isOpen { gate.open() }
        }

        func load() async throws -> AccessToken? {
            loads += 1
            try await gate.wait()
            return token
        }

        func save(_ token: AccessToken) async throws { try await change(to: token) }

        func clear() async throws { try await change(to: nil) }

        private func change(to token: AccessToken?) async throws {
            if isBusy { overlaps += 1 }
            isBusy = true
            defer { isBusy = false }
            saves += 1
            try await gate.wait()
            await Task.yield()
            if failures > 0 {
                failures -= 1
                throw Broken()
            }
            self.token = token
        }
    }

    @Test("Concurrent first calls read the store once; a cancelled call ends at once")
    func oneLoad() async throws {
        let gate = Gate()
        let store = SlowStore(AccessToken("saved"), gate: gate, isOpen: false)
        let token = RefreshingToken(store: store) { _ in nil }
        let calls = (0..<20).map { _ in Task { try await token.current() } }
        try await eventually { await store.loads > 0 }
        let hasty = Task { try await token.current() }
        hasty.cancel()
        #expect(await hasty.result.isFailure)
        gate.open()
        for call in calls { #expect(try await call.value?.value == "saved") }
        #expect(await store.loads == 1)
    }

    @Test("A failed save fails no call, is reported, and the next change is saved")
    func failedSave() async throws {
        let store = SlowStore(failures: 1)
        let (told, refreshes) = (Counter(), Counter())
        let token = RefreshingToken(AccessToken("t0", expiration: clock.date), store: store) { _ in
            told.next()
        } refresh: { _ in
            AccessToken("t\(refreshes.next())")
        }
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) {
            $0.time = clock.timeSource
            $0.authentication = .refreshing(token)
        }
        try await client.call(.get, "x").void()
        #expect(try await token.current()?.value == "t1")
        #expect(told.count == 1)
        #expect(await store.token == nil)
        try await token.replace(with: AccessToken("t2"))
        #expect(await store.token?.value == "t2")
    }

    @Test("Saves run one at a time and in order, so the last change is saved last")
    func order() async throws {
        let gate = Gate()
        let store = SlowStore(gate: gate, isOpen: false)
        let token = RefreshingToken(AccessToken("t0"), store: store) { _ in AccessToken("t1") }
        let renewing = Task { try await token.renew() }
        try await eventually { await store.saves > 0 }
        var others: [Task<Void, any Error>] = []
        for number in 0..<5 {
            others.append(Task { try await token.replace(with: AccessToken("r\(number)")) })
            // The token is in use from now on, saved or not.
            try await eventually { try await token.current()?.value == "r\(number)" }
        }
        let clearing = Task { try await token.clear() }
        try await eventually { try await token.current() == nil }
        gate.open()
        _ = try await renewing.value
        for other in others { try await other.value }
        try await clearing.value
        #expect(await store.overlaps == 0)
        #expect(await store.token == nil)
        #expect(try await token.current() == nil)
    }

    @Test("A failed early refresh is retried after a doubling pause, not at each call")
    func pause() async throws {
        let refreshes = Counter()
        let token = RefreshingToken(
            AccessToken("t0", expiration: clock.date.addingTimeInterval(100)), leeway: .seconds(100)
        ) { _ in
            refreshes.next()
            throw Broken()
        }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.authentication = .refreshing(token)
        }
        // After 1, 2, 4 seconds and so on.
        for (second, count) in [(0, 1), (0, 1), (1, 2), (2, 2), (3, 3), (6, 3), (7, 4), (14, 4), (15, 5)] {
            clock.advance(by: .seconds(second) - clock.now.offset)
            try await client.call(.get, "x").void()
            #expect(refreshes.count == count, "\(second)")
        }
        // After the token has expired, each call tries.
        clock.advance(by: .seconds(100) - clock.now.offset)
        for count in 6...7 {
            await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
            #expect(refreshes.count == count)
        }
    }

    @Test("A refused call that joins a failing early refresh gets its error; calls with a valid token continue")
    func joined() async throws {
        let (refreshing, done, refused) = (Gate(), Gate(), Gate())
        let token = RefreshingToken(
            AccessToken("t0", expiration: clock.date.addingTimeInterval(1_000)), leeway: .seconds(500)
        ) { _ in
            refreshing.open()
            try await done.wait()
            throw Broken()
        }
        let transport = StubServer { request in
            guard request.path == "/refused" else { return .status(.ok) }
            try await refused.wait()
            return .status(.unauthorized)
        }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.timeouts.total = .seconds(100_000)
            $0.authentication = .refreshing(token)
        }
        let first = Task { try await client.call(.get, "refused").void() }
        _ = try await transport.request(at: 0)
        clock.advance(by: .seconds(600))
        let early = Task { try await client.call(.get, "x").void() }
        try await refreshing.wait()
        refused.open()
        try await clock.sleeping(2)
        done.open()
        try await early.value
        let error = await #expect(throws: NetworkError.self) { try await first.value }
        #expect((error?.underlyingError as? TokenRefreshError)?.underlying is Broken)
    }
}

/// Reading the store counts towards the timeout of the call.
extension RefreshingTokenTests {
    @Test("An unresponsive store delays a call only until its timeout, and later calls read again")
    func silentStore() async throws {
        final class Silent: TokenStore {
            let gate = Gate()
            let loads = Counter()
            func load() async throws -> AccessToken? {
                loads.next()
                try await gate.wait()
                return AccessToken("saved")
            }
            func save(_ token: AccessToken) async throws {}
            func clear() async throws {}
        }
        let store = Silent()
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.timeouts.total = .seconds(5)
            $0.authentication = .refreshing(RefreshingToken(store: store) { _ in nil })
        }
        let running = Task { try await client.call(.get, "x").void() }
        try await store.gate.waiting()
        try await clock.sleeping(1)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: NetworkError.self) { try await running.value }
        guard case .urlError(let cause) = error else { throw error ?? .unknown }
        #expect(cause.code == .timedOut && cause.limit == .seconds(5) && !cause.requestMayHaveBeenSent)
        #expect(transport.requestCount == 0)
        store.gate.open()
        try await client.call(.get, "x").void()
        #expect(store.loads.count == 2)
        #expect(transport.requests.last?.header(.authorization) == "Bearer saved")
    }
}

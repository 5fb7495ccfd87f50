// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

/// Each request on the wire has its own Digest response, whichever step sends it.
extension DigestTests {
    @Test("A retry sends the next nonce count at once")
    func retried() async throws {
        let server = DigestServer { _, count in .status(count < 3 ? .serviceUnavailable : .ok) }
        let client = server.client {
            $0.time = TestClock(movesItself: true).timeSource
            $0.retry = RetryPolicy()
        }
        let response = try await client.call(.get, "x").response().response
        #expect(server.counts == ["00000001", "00000002", "00000003"])
        #expect(server.transport.requestCount == 4)
        #expect(response.attempts == 4)
    }

    @Test(
        "A redirect to the same origin gets a Digest response for its target",
        arguments: ["/b?x=1", "https://api.test/c"])
    func redirected(location: String) async throws {
        let server = DigestServer { request, _ in
            request.path == "/a" ? .status(.found).header(.location, value: location) : .status(.ok)
        }
        let response = try await server.client().call(.get, "a").response().response
        #expect(server.counts == ["00000001", "00000002"])
        #expect(server.transport.requestCount == 3)
        #expect(response.attempts == 3)
    }

    @Test(
        "A redirect to another origin gets no Digest response, even if the origin is allowed", arguments: [false, true])
    func redirectedAway(isBounded: Bool) async throws {
        let server = DigestServer { request, _ in
            request.path == "/a" ? .status(.found).header(.location, value: "https://other.test/b") : .status(.ok)
        }
        let known: Authentication = .digest(username: "u", password: "p")
        let client = server.client(
            isBounded ? known.limited(to: ["https://api.test", "https://other.test"]) : known.everywhere())
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "a").void() }
        #expect(error?.statusCode == 401)
        #expect(server.transport.requests.map { $0.header(.authorization) != nil } == [false, true, false])
        // Without a redirect, the origin is an allowed one.
        try await client.with { $0.baseURL = "https://other.test" }.call(.get, "c").void()
    }

    @Test("A hedged attempt has its own nonce count")
    func hedged() async throws {
        let never = Gate()
        let clock = TestClock()
        let server = DigestServer { _, count in
            if count == 2 { try await never.wait() }
            return .status(.ok)
        }
        let client = server.client {
            $0.time = clock.timeSource
            $0.resilience.hedging = Hedging(after: .seconds(1))
        }
        try await client.with { $0.resilience.hedging = nil }.call(.get, "x").void()
        let slow = Task { try await client.call(.get, "x").void() }
        try await clock.sleeping()
        clock.advance(by: .seconds(1))
        try await slow.value
        #expect(server.counts == ["00000001", "00000002", "00000003"])
        #expect(server.transport.requestCount == 4)
    }

    @Test("Requests of two users that differ only in their Digest credentials are not coalesced")
    func notShared() async throws {
        let server = DigestServer()
        let client = server.client { $0.resilience.coalescesRequests = true }
        try await client.call(.get, "x").void()
        let other = client.with { $0.authentication = .digest(username: "u", password: "wrong") }
        async let mine: Void = client.call(.get, "x").void()
        let error = await #expect(throws: NetworkError.self) { try await other.call(.get, "x").void() }
        #expect(error?.statusCode == 401)
        try await mine
    }
}

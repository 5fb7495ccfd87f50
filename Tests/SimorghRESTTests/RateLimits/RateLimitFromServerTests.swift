// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghREST
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("RateLimit.fromServer", .timeLimit(.minutes(5)))
struct RateLimitFromServerTests {
    private let clock = TestClock(movesItself: true)

    private func client(
        _ transport: StubServer, _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.timeouts.total = nil
            $0.resilience.rateLimit = .fromServer
            change(&$0)
        }
    }

    private static func answer(_ remaining: Int, resetsIn seconds: Int, resource: String? = nil) -> StubResponse {
        var response = StubResponse.status(.ok).header(.known("X-RateLimit-Remaining"), value: "\(remaining)")
            .header(.known("X-RateLimit-Limit"), value: "5").header(.known("X-RateLimit-Reset"), value: "\(seconds)")
        if let resource { response = response.header(.known("X-RateLimit-Resource"), value: resource) }
        return response
    }

    @Test("25 requests to a server that allows 5 in ten seconds are sent without one refusal")
    func noRefusal() async throws {
        struct Window: Sendable { var start = Duration.zero, count = 0 }
        final class Server: Sendable {
            let window = Mutex(Window())
            let refused = Counter()

            func answer(at now: Duration) -> StubResponse {
                window.withLock { window in
                    if now >= window.start + .seconds(10) { window = Window(start: now) }
                    window.count += 1
                    if window.count > 5 { refused.next() }
                    let seconds = Int((window.start + .seconds(10) - now) / .seconds(1))
                    return RateLimitFromServerTests.answer(max(0, 5 - window.count), resetsIn: seconds)
                }
            }
        }
        let server = Server()
        let transport = StubServer { [clock] _ in server.answer(at: clock.now.offset) }
        let client = client(transport)
        for _ in 0..<25 { try await client.call(.get, "x").void() }
        #expect(server.refused.count == 0)
        #expect(clock.now.offset == .seconds(40))
    }

    @Test("The limits of a server can be read, and end with their window")
    func readable() async throws {
        let transport = StubServer { _ in Self.answer(4, resetsIn: 30) }
        let client = client(transport)
        #expect(client.rateLimits().isEmpty)
        try await client.call(.get, "x").void()
        let limit = try #require(client.rateLimits().first)
        #expect(limit.limit == 5 && limit.remaining == 4 && limit.source == .xRateLimit)
        #expect(limit.reset == clock.timeSource.now.addingTimeInterval(30))
        #expect(client.rateLimits(for: "https://api.test/any/path") == [limit])
        #expect(client.rateLimits(for: "http://api.test/").isEmpty)
        #expect(client.rateLimits(for: "https://other.test").isEmpty)
        #expect(client.rateLimits(for: "no URL").isEmpty)
        #expect(client.with { $0.resilience.rateLimit = nil }.rateLimits().isEmpty)
        clock.advance(by: .seconds(30))
        #expect(client.rateLimits().isEmpty)
    }

    @Test("A wait is an event with the limit")
    func event() async throws {
        let transport = StubServer { _ in Self.answer(0, resetsIn: 7) }
        let waits = LockedValue<[WaitEvent]>([])
        let client = client(transport) {
            $0.logging.onEvent = { event in
                if case .wait(let wait) = event { waits.change { $0.append(wait) } }
            }
        }
        for _ in 0..<2 { try await client.call(.get, "x").void() }
        let causes = waits.value
        try #require(causes.count == 2)
        guard case .serverRateLimit(let limit?) = causes[0].cause else {
            Issue.record("the cause is \(causes[0].cause)")
            return
        }
        #expect(limit.remaining == 0 && limit.source == .xRateLimit)
        #expect(causes[1].stage == .ended(after: .seconds(7)))
    }

    @Test("A request whose turn comes after its deadline fails at once, unsent; maximumServerWait bounds the wait")
    func bounds() async throws {
        let transport = StubServer { _ in Self.answer(0, resetsIn: 1_000_000) }
        let client = client(transport)
        try await client.call(.get, "x").void()
        let error = await #expect(throws: NetworkError.self) {
            try await client.call(.get, "x").with { $0.timeouts.total = .seconds(300) }.void()
        }
        #expect((error?.underlyingError as? RateLimitExceededError)?.reason == .deadline)
        #expect(transport.requestCount == 1)
        let before = clock.now.offset
        try await client.call(.get, "x").void()
        #expect(clock.now.offset - before == .seconds(3600))
    }

    @Test("A full queue refuses further requests")
    func full() async throws {
        let clock = TestClock()
        let transport = StubServer { _ in Self.answer(0, resetsIn: 60) }
        let client = client(transport) {
            $0.time = clock.timeSource
            $0.resilience.rateLimit?.maximumWaiting = 2
        }
        try await client.call(.get, "x").void()
        let refused = Counter()
        let calls = (0..<5).map { _ in
            Task {
                do { try await client.call(.get, "x").void() } catch {
                    let cause = (error as? NetworkError)?.underlyingError as? RateLimitExceededError
                    if cause?.reason == .tooManyWaiting { refused.next() }
                }
            }
        }
        try await eventually { refused.count >= 3 }
        for call in calls { call.cancel() }
        for call in calls { await call.value }
        #expect(refused.count == 3)
        #expect(transport.requestCount == 1)
    }

    @Test("A waiting request that is cancelled or out of time leaves the queue, and the next one is sent")
    func leaving() async throws {
        let clock = TestClock()
        let transport = StubServer { _ in Self.answer(0, resetsIn: 60) }
        let client = client(transport) { $0.time = clock.timeSource }
        try await client.call(.get, "first").void()
        let cancelled = Task { try await client.call(.get, "cancelled").void() }
        try await clock.sleeping()
        cancelled.cancel()
        #expect(await cancelled.result.isFailed)
        let last = Task { try await client.call(.get, "last").void() }
        try await clock.sleeping()
        clock.advance(by: .seconds(60))
        try await last.value
        #expect(transport.requests.map(\.path) == ["/first", "/last"])
    }

    @Test("Retry-After of a 429 delays the other calls to the origin, and to no other")
    func retryAfter() async throws {
        let transport = StubServer { request in
            request.path == "/limited" ? .status(.tooManyRequests).header(.retryAfter, value: "9") : .status(.ok)
        }
        let client = client(transport)
        await #expect(throws: NetworkError.self) { try await client.call(.get, "limited").void() }
        let before = clock.now.offset
        try await client.with { $0.baseURL = "https://other.test" }.call(.get, "x").void()
        #expect(clock.now.offset == before)
        try await client.call(.get, "x").void()
        #expect(clock.now.offset - before == .seconds(9))
    }

    @Test("A used-up part of a quota delays only the paths that use it")
    func parts() async throws {
        let transport = StubServer { request in
            request.path.hasPrefix("/search")
                ? Self.answer(0, resetsIn: 60, resource: "search") : Self.answer(4, resetsIn: 60, resource: "core")
        }
        let client = client(transport)
        for path in ["search/code", "search/users", "repos/a/b"] { try await client.call(.get, path).void() }
        let before = clock.now.offset
        try await client.call(.get, "repos/a/c").void()
        #expect(clock.now.offset == before)
        try await client.call(.get, "search/issues").void()
        #expect(clock.now.offset - before == .seconds(60))
    }

    @Test("One request does not tell which part of a quota other paths use")
    func unknownPart() async throws {
        let transport = StubServer { request in
            Self.answer(0, resetsIn: 60, resource: request.path.hasSuffix("search") ? "search" : "core")
        }
        let client = client(transport)
        try await client.call(.get, "api/v3/search").void()
        let before = clock.now.offset
        try await client.call(.get, "api/v3/user").void()
        #expect(clock.now.offset == before)
        try await client.call(.get, "api/v3/search").void()
        #expect(clock.now.offset - before == .seconds(60))
    }

    @Test(
        "Retry-After delays the part that the response names; without a name, 503 delays its path, and 429 the origin",
        arguments: [
            (503, nil, "v1/reports/2024", 9), (503, nil, "v1/reports/2024/7?x=1", 9), (503, nil, "v1/reports/2023", 0),
            (503, nil, "v1/reports", 0), (503, nil, "", 0), (429, nil, "v1/users", 9), (429, "search", "v1/users", 0),
            (503, "search", "v1/users", 0), (429, "search", "v1/reports/2024", 9),
            (503, "search", "v1/reports/2024", 9),
        ] as [(Int, String?, String, Int)])
    func retryAfterScope(status: Int, resource: String?, path: String, wait: Int) async throws {
        let requests = Counter()
        let transport = StubServer { _ in
            guard requests.next() == 1 else { return .status(.ok) }
            let response = StubResponse.status(HTTPResponse.Status(code: status)).header(.retryAfter, value: "9")
            return resource.map { response.header(.known("X-RateLimit-Resource"), value: $0) } ?? response
        }
        let client = client(transport)
        await #expect(throws: NetworkError.self) { try await client.call(.get, "v1/reports/2024").void() }
        try await client.call(.get, path).void()
        #expect(clock.now.offset == .seconds(wait))
    }

    @Test("After three responses with 503 in a row, Retry-After delays the whole origin")
    func unavailableOrigin() async throws {
        let requests = Counter()
        let transport = StubServer { _ in
            requests.next() <= 3 ? .status(.serviceUnavailable).header(.retryAfter, value: "9") : .status(.ok)
        }
        let client = client(transport)
        for path in ["a", "b", "c"] {
            await #expect(throws: NetworkError.self) { try await client.call(.get, path).void() }
        }
        #expect(clock.now.offset == .zero)
        try await client.call(.get, "d").void()
        #expect(clock.now.offset == .seconds(9))
    }

    @Test("A path that is unavailable is listed, asked again when its time is over, and free after a success")
    func unavailablePath() async throws {
        let requests = Counter()
        let transport = StubServer { _ in
            requests.next() <= 2 ? .status(.serviceUnavailable).header(.retryAfter, value: "9") : .status(.ok)
        }
        let client = client(transport)
        for offset in [0, 9] {
            await #expect(throws: NetworkError.self) { try await client.call(.get, "a").void() }
            #expect(clock.now.offset == .seconds(offset))
            #expect(client.rateLimits().map(\.partition) == ["/a"])
            #expect(client.rateLimits().map(\.source) == [.retryAfter])
        }
        for _ in 0..<3 { try await client.call(.get, "a/b").void() }
        #expect(clock.now.offset == .seconds(18))
        #expect(client.rateLimits().isEmpty)
    }

    @Test("Requests that wait for their part of a quota do not count as in flight for others")
    func waitingForPart() async throws {
        let clock = TestClock()
        let transport = StubServer { request in
            let search = request.path == "/search" ? #", "search";r=0;t=240;pk=:c2VhcmNo:"# : ""
            return .status(.ok).header(.known("RateLimit"), value: #""all";r=10;t=60"# + search)
        }
        let waits = Counter()
        let client = client(transport) {
            $0.time = clock.timeSource
            $0.logging.onEvent = { if case .wait = $0 { waits.next() } }
        }
        try await client.call(.get, "search").void()
        let searches = (0..<20).map { _ in Task { try await client.call(.get, "search").void() } }
        try await eventually { waits.count >= 20 }
        try await client.call(.get, "users").void()
        #expect(transport.requests.map(\.path) == ["/search", "/users"])
        for search in searches { search.cancel() }
        for search in searches { _ = await search.result }
    }

    @Test("The limits of a host that requires TLS are found under its http URL")
    func upgraded() async throws {
        let store = HSTSStore()
        store.add("api.test", for: .seconds(1000))
        let client = client(StubServer { _ in Self.answer(4, resetsIn: 30) }) {
            $0.baseURL = "http://api.test"
            $0.hsts = store
        }
        try await client.call(.get, "x").void()
        #expect(client.rateLimits().map(\.remaining) == [4])
        #expect(client.rateLimits(for: "http://api.test/y").map(\.remaining) == [4])
        #expect(client.rateLimits(for: "http://api.test:8080/").isEmpty)
    }

    @Test("Asking for the limits of many origins displaces none")
    func lookups() async throws {
        let client = client(StubServer { _ in Self.answer(4, resetsIn: 30) })
        try await client.call(.get, "x").void()
        for number in 0..<2000 { #expect(client.rateLimits(for: "https://host\(number).test").isEmpty) }
        #expect(client.rateLimits().map(\.remaining) == [4])
    }

    @Test("A limit of the client's own applies as well")
    func both() async throws {
        let transport = StubServer { _ in Self.answer(100, resetsIn: 60) }
        var rule = RateLimit(requests: 1, per: .seconds(10))
        rule.followsServer = true
        let client = client(transport) { $0.resilience.rateLimit = rule }
        for _ in 0..<3 { try await client.call(.get, "x").void() }
        #expect(clock.now.offset == .seconds(20))
    }

    @Test("Without followsServer the fields of a server delay nothing")
    func off() async throws {
        let transport = StubServer { _ in Self.answer(0, resetsIn: 60) }
        let client = client(transport) { $0.resilience.rateLimit = RateLimit(requests: 1000) }
        for _ in 0..<3 { try await client.call(.get, "x").void() }
        #expect(clock.now.offset == .zero)
    }
}

extension Result {
    /// True if the result is an error.
    fileprivate var isFailed: Bool {
        guard case .failure = self else { return false }
        return true
    }
}

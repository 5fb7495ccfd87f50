// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghSupport
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("IdempotencyKey", .timeLimit(.minutes(5)))
struct IdempotencyKeyTests {
    private let transport = StubServer(precedence: .first)
    private let clock = TestClock(movesItself: true)

    private func client(
        _ key: IdempotencyKey? = .automatic(), _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.retry = RetryPolicy()
            $0.retry?.idempotencyKey = key
            change(&$0)
        }
    }

    private func keys(_ name: String = "Idempotency-Key") -> [String?] {
        transport.requests.map { $0.head.headerFields[.known(name)] }
    }

    @Test("POST and PATCH get a quoted UUID, and no other method gets a key")
    func methods() async throws {
        transport.on("/a", response: .status(.ok))
        let methods: [RequestMethod] = [.post, .patch, .get, .put, .delete, .query]
        for method in methods { try await client().call(method, "a").void() }
        let keys = keys()
        #expect(keys.map { $0 != nil } == methods.map { $0 == .post || $0 == .patch })
        for key in keys.compactMap({ $0 }) {
            #expect(key.hasPrefix("\"") && key.hasSuffix("\"") && StructuredField.item([key]) != nil)
            #expect(UUID(uuidString: String(key.dropFirst().dropLast())) != nil)
        }
    }

    @Test("No key is made by default, without a retry policy, or for a request that has one")
    func exceptions() async throws {
        transport.on("/a", response: .status(.ok))
        try await client(nil).call(.post, "a").void()
        try await client { $0.retry = nil }.call(.post, "a").void()
        try await client().call(.post, "a", headers: ["idempotency-key": "mine"]).void()
        #expect(keys() == [nil, nil, "mine"])
    }

    @Test("The name and the form of the key can be set")
    func form() async throws {
        transport.on("/a", response: .status(.ok))
        try await client(.automatic(header: "X-Request-Key", format: .plain)).call(.post, "a").void()
        let key = try #require(keys("X-Request-Key")[0])
        #expect(UUID(uuidString: key) != nil)
        #expect(keys() == [nil])
    }

    @Test("A name that no header field can have fails the request")
    func invalidName() async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await client(.automatic(header: "Two words")).call(.post, "a").void()
        }
        #expect(error.map { if case .invalidRequest = $0 { true } else { false } } == true)
        #expect(transport.requestCount == 0)
    }

    @Test("All attempts of a call carry the same key, and each awaiting of a call is a new one", arguments: [503, 429])
    func attempts(status: Int) async throws {
        let failed = StubResponse.status(HTTPResponse.Status(code: status))
        transport.on("/a", inOrder: [failed, failed, .text("1"), failed, .text("2")])
        let call = client().call(.post, "a", body: .text("x"))
        try await call.void()
        try await call.void()
        let keys = keys().compactMap { $0 }
        #expect(keys.count == 5)
        #expect(Set(keys[..<3]).count == 1)
        #expect(Set(keys[3...]).count == 1)
        #expect(Set(keys).count == 2)
    }

    @Test("A retry step among the interceptors makes keys, too, and further steps outside it keep them")
    func interceptor() async throws {
        transport.on("/a", inOrder: [.status(.serviceUnavailable), .text("1"), .text("2")])
        var policy = RetryPolicy()
        policy.idempotencyKey = .automatic()
        let twice = Interceptor { request, next in
            _ = try await next(request)
            return try await next(request)
        }
        try await client(nil) { $0.interceptors = [twice, .retry(policy)] }.call(.post, "a").void()
        #expect(transport.requestCount == 3)
        #expect(Set(keys()).count == 1)
        #expect(keys()[0] != nil)
    }

    @Test("A redirect on the same origin keeps the key with the method, and drops it with the body")
    func sameOrigin() async throws {
        transport.on("/a", response: StubResponse.status(.temporaryRedirect).header(.location, value: "/b"))
        transport.on("/b", response: StubResponse.status(.seeOther).header(.location, value: "/c"))
        transport.on("/c", response: .status(.ok))
        try await client().call(.post, "a", body: .text("x")).void()
        #expect(transport.requests.map(\.head.method) == [.post, .post, .get])
        let keys = keys()
        #expect(keys[0] != nil)
        #expect(keys[0] == keys[1])
        #expect(keys[2] == nil)
    }

    @Test(
        "No key crosses an origin, and a POST that went there without it is not retried",
        arguments: [nil, "mine"], ["Idempotency-Key", "X-Once"])
    func otherOrigin(own: String?, header: String) async throws {
        transport.on(
            "/a", response: StubResponse.status(.permanentRedirect).header(.location, value: "https://other.test/b"))
        transport.on("/b", response: .status(.serviceUnavailable))
        await #expect(throws: NetworkError.self) {
            try await client(.automatic(header: header)).call(
                .post, "a", headers: own.map { [header: $0] } ?? [:], body: .text("x")
            ).void()
        }
        #expect(transport.requests.map(\.path) == ["/a", "/b"])
        let sent = keys(header)
        #expect(own == nil ? sent[0] != nil : sent[0] == own)
        #expect(sent[1] == nil)
        let others = transport.requests[1].head.headerFields.map(\.value)
        #expect(!others.contains { $0 == sent[0] })
    }

    @Test("409 is retried after an attempt with the same key, and is the response to a first attempt")
    func conflict() async throws {
        transport.on("/a", inOrder: [.status(.gatewayTimeout), .status(.conflict), .text("made")])
        #expect(try await client().call(.post, "a").string() == "made")
        transport.on("/b", response: .status(.conflict))
        let error = await #expect(throws: NetworkError.self) { try await client().call(.post, "b").void() }
        #expect(error?.statusCode == 409)
        #expect(transport.requestCount == 4)
    }

    @Test("A POST with a key waits in the offline queue and keeps the key after it")
    func offline() async throws {
        let fixture = OfflineQueueFixture()
        fixture.transport.on("/a", inOrder: [.failure(OfflineQueueFixture.gone), .text("1")])
        let client = fixture.client { _ in
        } configure: {
            $0.retry = RetryPolicy()
            $0.retry?.idempotencyKey = .automatic()
        }
        let task = Task { try await client.call(.post, "a").void() }
        try await fixture.waiting(1, in: client)
        #expect(fixture.transport.requestCount == 0)
        fixture.network.become(.connected(.wifi))
        try await eventually { fixture.transport.requestCount == 1 }
        try await fixture.clock.sleeping()
        fixture.clock.advance(by: .seconds(60))
        _ = await task.result
        let keys = fixture.transport.requests.map { $0.head.headerFields[.known("Idempotency-Key")] }
        #expect(keys.count == 2)
        #expect(keys[0] != nil)
        #expect(Set(keys).count == 1)
    }

    /// A server that fails, moves, and forgets tokens at random, and records the keys of each call.
    private final class Chaos: Sendable {
        let seen = LockedValue<[String: [String?]]>([:])
        private let random: Mutex<SeededNumbers>

        init(_ seed: UInt64) { random = Mutex(SeededNumbers(seed)) }

        func answer(_ request: RecordedRequest) -> StubResponse {
            let call = request.header(.known("X-Call")) ?? ""
            let key = request.header(.known("Idempotency-Key"))
            seen.change { $0[call, default: []].append(key) }
            switch random.withLock({ Int.random(in: 0..<10, using: &$0) }) {
            case 0: return .status(.serviceUnavailable)
            case 1: return .status(.tooManyRequests).header(.retryAfter, value: "1")
            case 2: return .status(.unauthorized)
            case 3: return StubResponse.status(.temporaryRedirect).header(.location, value: "/again")
            case 4:
                return .failure(
                    TransportError(
                        .networkConnectionLost, phase: .head, message: "lost", requestMayHaveBeenSent: true))
            case 5: return .failure(OfflineQueueFixture.gone)
            case 6: return StubResponse.status(.permanentRedirect).header(.location, value: "https://other.test/x")
            default: return .status(.ok)
            }
        }
    }

    @Test(
        "No key repeats between calls, and all attempts of a call carry the same, whatever fails, even offline",
        arguments: 0..<20 as Range<UInt64>)
    func random(seed: UInt64) async throws {
        let (chaos, fixture) = (Chaos(seed), OfflineQueueFixture())
        let crossed = LockedValue<[String?]>([])
        fixture.transport.on(nil, path: "/x") { request in
            crossed.change { $0.append(request.header(.known("Idempotency-Key"))) }
            return .status(.ok)
        }
        for path in ["/things/{number}", "/again"] { fixture.transport.on(path) { chaos.answer($0) } }
        let tokens = Counter()
        let client = fixture.client { _ in
        } configure: {
            $0.timeouts.total = nil
            $0.retry = RetryPolicy(maximumRetries: 6)
            $0.retry?.budgetRatio = nil
            $0.retry?.idempotencyKey = .automatic()
            $0.authentication = .refreshing(RefreshingToken(AccessToken("0")) { _ in AccessToken("\(tokens.next())") })
        }
        let calls = (0..<40).map { number in
            Task {
                let method: RequestMethod = number.isMultiple(of: 2) ? .post : .patch
                _ = try? await client.call(
                    method, "things/\(number % 4)", headers: ["X-Call": "\(number)"], body: .text("body")
                ).void()
            }
        }
        try await fixture.waiting(40, in: client)
        #expect(fixture.transport.requestCount == 0)
        let driver = Task { [clock = fixture.clock] in
            while true {
                try await clock.sleeping()
                clock.advance(by: .seconds(1))
            }
        }
        fixture.network.become(.connected(.wifi))
        for call in calls { await call.value }
        driver.cancel()
        let seen = chaos.seen.value
        #expect(seen.count == 40, "seed \(seed)")
        var all: Set<String> = []
        for (call, keys) in seen {
            let key = try #require(keys.first ?? nil, "seed \(seed), call \(call)")
            #expect(keys.allSatisfy { $0 == key }, "seed \(seed), call \(call)")
            #expect(all.insert(key).inserted, "seed \(seed), call \(call)")
        }
        #expect(crossed.value.allSatisfy { $0 == nil }, "seed \(seed)")
        #expect(seen.values.contains { $0.count > 1 }, "seed \(seed)")
    }
}

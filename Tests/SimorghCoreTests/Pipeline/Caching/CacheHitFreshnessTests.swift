// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Testing

/// Hits answered directly and hits through the whole chain, for each kind of freshness, over time.
@Suite("Cache hits over time", .timeLimit(.minutes(10)))
struct CacheHitFreshnessTests {
    /// A response of the server; if it is fresh at all, it is fresh for the first five seconds.
    enum Answer: String, CaseIterable, Sendable {
        case plain, old, oldTwice, expiring, guessed, guessedOfDate, unchanging, alwaysAsked, withoutTag, refreshed

        /// The fresh responses that can be validated.
        static let fresh: [Answer] = [.plain, .old, .oldTwice, .expiring, .guessed, .guessedOfDate, .unchanging]

        private static let beginning = "Thu, 01 Jan 2026 00:00:00 GMT"
        /// Ten times the freshness lifetime ago.
        private static let before = "Wed, 31 Dec 2025 23:59:10 GMT"
        private static let end = "Thu, 01 Jan 2026 00:00:05 GMT"

        func response(to request: RecordedRequest) -> StubResponse {
            let isKnown = request.header(.ifNoneMatch) != nil || request.header(.ifModifiedSince) != nil
            let response: StubResponse = isKnown ? .status(.notModified) : .text("body")
            let tagged = response.header(.eTag, value: "\"1\"")
            switch self {
            case .plain: return tagged.header(.cacheControl, value: "max-age=5")
            case .old:
                return tagged.header(.age, value: "55").header(CacheFields.cacheStatus, value: "Edge; hit; ttl=5")
                    .header(.cacheControl, value: "max-age=60")
            case .oldTwice:
                let lines: [(HTTPField.Name, String)] = [
                    (CacheFields.cacheStatus, "Origin; hit"), (.age, "55"), (.date, Self.beginning), (.age, "3"),
                    (CacheFields.cacheStatus, "Edge; hit; ttl=5"),
                ]
                var old = tagged.header(.cacheControl, value: "max-age=60")
                for (name, value) in lines { old.headerFields.append(HTTPField(name: name, value: value)) }
                return old
            case .expiring: return tagged.header(.date, value: Self.beginning).header(.expires, value: Self.end)
            case .guessed: return response.header(.lastModified, value: Self.before)
            case .guessedOfDate:
                return tagged.header(.lastModified, value: Self.before).header(.date, value: Self.beginning)
            case .unchanging: return tagged.header(.cacheControl, value: "max-age=5, immutable")
            case .alwaysAsked: return tagged.header(.cacheControl, value: "max-age=5, no-cache")
            case .withoutTag: return response.header(.cacheControl, value: "max-age=5")
            case .refreshed: return tagged.header(.cacheControl, value: "max-age=5, stale-while-revalidate=3")
            }
        }
    }

    /// A client with its own server and cache.
    private struct Side {
        let transport = StubServer(precedence: .first)
        let cache: HTTPCache
        let client: APIClient

        /// With an interceptor, each call goes through the whole chain.
        init(_ clock: TestClock, hasSteps: Bool = false, _ answer: Answer) {
            let cache = HTTPCache(CacheConfiguration(diskCapacity: 0), time: clock.timeSource)
            transport.on("/x") { request in answer.response(to: request) }
            client = APIClient.scripted(transport) {
                $0.caching.httpCache = cache
                $0.time = clock.timeSource
                if hasSteps { $0.interceptors = [Interceptor { request, next in try await next(request) }] }
            }
            self.cache = cache
        }

        /// Returns the response to a call after the background work has finished.
        func response(to call: Call<Data>) async throws -> CollectedResponse {
            let response = try await call.response().response
            await cache.settled()
            return response
        }
    }

    private let clock = TestClock()

    /// Time steps in milliseconds: within a second, across seconds, past the freshness lifetime, and past a minute.
    private static let steps = [
        0, 1, 124, 250, 625, 1, 998, 999, 1000, 1001, 1, 333, 1999, 167, 2000, 3000, 500, 59_999, 7, 60_001, 3_600_000,
    ]

    @Test(
        "A directly answered call gets the same fields in the same order as one through the whole chain",
        arguments: Answer.allCases, CacheStrategy.allCases)
    func same(answer: Answer, strategy: CacheStrategy) async throws {
        let (quick, slow) = (Side(clock, answer), Side(clock, hasSteps: true, answer))
        func call(_ side: Side) -> Call<Data> { side.client.call(.get, "x").with { $0.caching.strategy = strategy } }
        let (given, wanted) = (call(quick), call(slow))
        for side in [quick, slow] { _ = try await side.response(to: side.client.call(.get, "x")) }
        for step in Self.steps {
            clock.advance(by: .milliseconds(step))
            for _ in 0..<3 {
                let (one, other) = (try await quick.response(to: given), try await slow.response(to: wanted))
                #expect(one.statusCode == other.statusCode && one.body == other.body && one.url == other.url)
                #expect(Array(one.headers) == Array(other.headers))
                #expect(one.cacheReport == other.cacheReport && one.attempts == other.attempts)
                #expect(quick.transport.requestCount == slow.transport.requestCount)
            }
        }
    }

    /// A strategy, a response, the number of requests for three calls, and the number for one more call when the stored
    /// response is stale.
    struct Row: Sendable, CustomTestStringConvertible {
        let strategy: CacheStrategy
        let answer: Answer
        let requests: Int
        let later: Int

        init(_ strategy: CacheStrategy, _ answer: Answer, requests: Int, later: Int) {
            (self.strategy, self.answer) = (strategy, answer)
            (self.requests, self.later) = (requests, later)
        }

        var testDescription: String { "\(strategy), \(answer)" }
    }

    static let rows = [
        Row(.useProtocolCachePolicy, .plain, requests: 0, later: 1),
        Row(.useProtocolCachePolicy, .guessed, requests: 0, later: 1),
        Row(.useProtocolCachePolicy, .alwaysAsked, requests: 3, later: 1),
        Row(.returnCacheDataElseLoad, .plain, requests: 0, later: 0),
        Row(.returnCacheDataElseLoad, .alwaysAsked, requests: 0, later: 0),
        Row(.returnCacheDataDontLoad, .plain, requests: 0, later: 0),
        Row(.returnCacheDataDontLoad, .alwaysAsked, requests: 0, later: 0),
        Row(.reloadRevalidatingCacheData, .plain, requests: 3, later: 1),
        Row(.reloadRevalidatingCacheData, .unchanging, requests: 0, later: 1),
        Row(.reloadIgnoringLocalCacheData, .plain, requests: 3, later: 1),
        Row(.reloadIgnoringLocalCacheData, .unchanging, requests: 3, later: 1),
    ]

    @Test("The strategy of a call decides whether the memory or the server answers it", arguments: rows)
    func strategy(row: Row) async throws {
        let side = Side(clock, row.answer)
        _ = try await side.client.call(.get, "x").data()
        let call = side.client.call(.get, "x").with { $0.caching.strategy = row.strategy }
        for _ in 0..<3 { #expect(try await side.response(to: call).body == Data("body".utf8)) }
        #expect(side.transport.requestCount == 1 + row.requests)
        clock.advance(by: .seconds(61))
        let response = try await side.response(to: call)
        #expect(response.body == Data("body".utf8) && response.cacheReport?.isHit == (row.later == 0))
        #expect(response.cacheReport?.isStale == (row.later == 0))
        #expect(side.transport.requestCount == 1 + row.requests + row.later)
    }

    @Test(
        "The server is asked when the freshness lifetime ends, and not an eighth of a second before",
        arguments: Answer.fresh, [0, 125, 1000, 54_875, 3_600_000])
    func end(answer: Answer, past: Int) async throws {
        let side = Side(clock, answer)
        let call = side.client.call(.get, "x")
        for _ in 0..<2 { _ = try await side.response(to: call) }
        for step in [1000, 3875] {
            clock.advance(by: .milliseconds(step))
            let response = try await side.response(to: call)
            #expect(response.cacheReport?.secondsToLive == (step == 1000 ? 4 : 0))
            #expect(response.cacheReport?.isHit == true)
        }
        #expect(side.transport.requestCount == 1)
        clock.advance(by: .milliseconds(125 + past))
        let response = try await side.response(to: call)
        #expect(response.cacheReport?.forward == .stale && response.cacheReport?.isRevalidated == true)
        #expect(response.statusCode == 200 && response.body == Data("body".utf8) && response.attempts == 1)
        let asked = side.transport.requests.last
        #expect(asked?.header(.ifNoneMatch) != nil || asked?.header(.ifModifiedSince) != nil)
        #expect(side.transport.requestCount == 2)
    }

    @Test(
        "The Age of a response grows, and the Cache-Status of other caches stays first",
        arguments: [125, 250, 625, 1000])
    func old(step: Int) async throws {
        let transport = StubServer(precedence: .first)
        let edge = "Edge; hit; ttl=53"
        transport.on(
            "/x",
            response: .text("body").header(.age, value: "7").header(CacheFields.cacheStatus, value: edge).header(
                .cacheControl, value: "max-age=60"))
        let cache = HTTPCache(CacheConfiguration(diskCapacity: 0), time: clock.timeSource)
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = cache
            $0.time = clock.timeSource
        }
        func get() async throws -> CollectedResponse { try await client.call(.get, "x").response().response }
        let first = try await get()
        #expect(first.headers[.age] == "7")
        #expect(
            first.headers[values: CacheFields.cacheStatus] == [edge, "Simorgh; fwd=uri-miss; stored; ttl=53"])
        var passed = 0
        while passed < 53_000 {
            for _ in 0..<2 {
                let response = try await get()
                let left = Int64(53_000 - passed) / 1000
                #expect(response.headers[values: .age] == ["\((7000 + passed) / 1000)"])
                #expect(response.headers[values: CacheFields.cacheStatus] == [edge, "Simorgh; hit; ttl=\(left)"])
                #expect(response.cacheReport?.secondsToLive == left)
            }
            clock.advance(by: .milliseconds(step))
            passed += step
        }
        #expect(transport.requestCount == 1)
        #expect(try await get().cacheReport?.forward == .stale)
        #expect(transport.requestCount == 2)
    }
}

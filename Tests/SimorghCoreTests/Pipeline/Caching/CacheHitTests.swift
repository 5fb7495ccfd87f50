// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// Calls answered by the cache's memory.
@Suite("Cache hits", .timeLimit(.minutes(5)))
struct CacheHitTests {
    private let clock = TestClock()
    private let transport = StubServer(precedence: .first)
    private let cache: HTTPCache

    init() {
        cache = HTTPCache(CacheConfiguration(diskCapacity: 0), time: clock.timeSource)
    }

    private func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        APIClient.scripted(transport) {
            $0.caching.httpCache = cache
            $0.time = clock.timeSource
            change(&$0)
        }
    }

    private func answers(_ path: String, _ text: String, maxAge: Int = 60) {
        transport.on(path, response: .text(text).header(.cacheControl, value: "max-age=\(maxAge)"))
    }

    @Test("The age of a hit grows, and a stale response is fetched again")
    func age() async throws {
        answers("/x", "body", maxAge: 2)
        let client = client()
        var ages: [String?] = []
        for half in 0..<9 {
            for _ in 0..<3 {
                let response = try await client.call(.get, "x").response().response
                #expect(response.body == Data("body".utf8) && response.attempts <= 1)
                ages.append(response.headers[.age])
                #expect(response.cacheReport?.secondsToLive == Int64(4 - half % 4) / 2)
            }
            clock.advance(by: .milliseconds(500))
        }
        let one = (0..<6).map { _ in "0" as String? } + (0..<6).map { _ in "1" as String? }
        let round = [nil] + one.dropFirst()
        #expect(ages == round + round + [nil, "0", "0"])
        #expect(transport.requestCount == 3)
    }

    @Test("A response dated in the future answers calls, and its age starts once the clock has caught up")
    func ahead() async throws {
        answers("/x", "body")
        let client = client()
        _ = try await client.call(.get, "x").data()
        clock.advance(by: .seconds(-3))
        for _ in 0..<2 { _ = try await client.call(.get, "x").data() }
        #expect(transport.requestCount == 1)
        clock.advance(by: .seconds(4))
        #expect(try await client.call(.get, "x").response().response.headers[.age] == "1")
    }

    @Test("A request with max-age is answered only by a response that is not older")
    func fields() async throws {
        answers("/x", "body")
        let client = client { $0.headers = ["Cache-Control": "max-age=1"] }
        for _ in 0..<3 { _ = try await client.call(.get, "x").data() }
        #expect(transport.requestCount == 1)
        clock.advance(by: .milliseconds(1500))
        _ = try await client.call(.get, "x").data()
        #expect(transport.requestCount == 2)
    }

    @Test("Two clients of one cache get the same fields, with and without an interceptor")
    func whole() async throws {
        answers("/x", "body")
        let quick = client()
        let slow = client { $0.interceptors = [Interceptor { request, next in try await next(request) }] }
        _ = try await quick.call(.get, "x").data()
        for _ in 0..<32 {
            clock.advance(by: .milliseconds(250))
            let wanted = try await slow.call(.get, "x").response().response
            for _ in 0..<2 {
                let response = try await quick.call(.get, "x").response().response
                #expect(response.statusCode == wanted.statusCode && response.body == wanted.body)
                #expect(response.headers == wanted.headers && response.cacheReport == wanted.cacheReport)
                #expect(response.attempts == wanted.attempts && response.url == wanted.url)
            }
        }
        #expect(transport.requestCount == 1)
    }

    @Test("A response that was removed, replaced or invalidated answers no further call")
    func changes() async throws {
        let number = Mutex(0)
        transport.on("/x") { _ in
            .text("\(number.withLock { $0 += 1; return $0 })").header(.cacheControl, value: "max-age=60")
        }
        transport.on("/y", response: .status(.noContent))
        let client = client()
        func get() async throws -> String {
            for _ in 0..<2 { _ = try await client.call(.get, "x").data() }
            return String(decoding: try await client.call(.get, "x").data(), as: UTF8.self)
        }
        #expect(try await get() == "1")
        await cache.removeAll()
        #expect(try await get() == "2")
        _ = try await client.call(.get, "x").with { $0.caching.strategy = .reloadIgnoringLocalCacheData }.data()
        #expect(try await get() == "3")
        // An unsafe request invalidates its URL.
        _ = try await client.call(.post, "x", body: .text("new")).data()
        #expect(try await get() == "5")
        #expect(transport.requestCount == 5)
    }

    @Test("Calls that differ in their query, Accept or Accept-Language get their own responses")
    func different() async throws {
        transport.on("/x") { request in
            let fields = request.head.headerFields
            return .text("\(request.head.path ?? "") \(fields[.accept] ?? "") \(fields[.acceptLanguage] ?? "")")
                .header(.cacheControl, value: "max-age=60").header(.vary, value: "Accept, Accept-Language")
        }
        let client = client()
        for _ in 0..<3 {
            let queries: [(QueryItems, String)] = [
                (QueryItems(), "/x "), (["a": "1"], "/x?a=1 "), (["a": "2"], "/x?a=2 "), (["b": "1"], "/x?b=1 "),
            ]
            for (query, target) in queries {
                for language in ["", "de", "fr"] {
                    let call = client.call(
                        .get, "x", query: query, headers: language.isEmpty ? [:] : ["Accept-Language": language])
                    let text = String(decoding: try await call.data(), as: UTF8.self)
                    #expect(text.hasPrefix(target) && text.hasSuffix(" \(language)"))
                    let accepted = try await call.decoding(.custom(Plain())).value()
                    #expect(accepted == text)
                }
            }
        }
    }

    private struct Plain: Deserializable {
        func decode(_ response: CollectedResponse) throws -> String { String(decoding: response.body, as: UTF8.self) }
    }

    @Test("Paths that differ only in Unicode normalization are distinct")
    func alike() async throws {
        // A precomposed letter and its decomposed form; the Kelvin sign and the letter K.
        for pair in [["caf\u{E9}", "cafe\u{301}"], ["K", "\u{212A}"], ["\u{212B}", "A\u{30A}"]] {
            for path in pair {
                let target = "/" + (path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
                transport.on(target) { request in
                    .text(request.head.path ?? "").header(.cacheControl, value: "max-age=60")
                }
            }
            let client = client()
            var bodies: [Data] = []
            for path in pair + pair + pair { bodies.append(try await client.call(.get, path).data()) }
            #expect(Set(bodies).count == 2 && bodies[0] == bodies[2] && bodies[1] == bodies[5])
        }
        #expect(transport.requestCount == 6)
    }

    @Test("A hit that cannot be decoded fails each time, and a cancelled call gets no hit")
    func refused() async throws {
        answers("/x", "body")
        let client = client()
        for _ in 0..<3 {
            await #expect(throws: NetworkError.self) { try await client.call(.get, "x").decode(Int.self) }
        }
        for _ in 0..<3 { _ = try await client.call(.get, "x").data() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.call(.get, "x").data()
        }
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        guard case .cancelled = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(transport.requestCount == 1)
    }

    @Test("An observer receives an event for each hit")
    func watched() async throws {
        answers("/x", "body")
        let hits = Mutex(0)
        let client = client {
            $0.logging.onEvent = { event in
                if case .cache(let cache) = event, cache.report.isHit { hits.withLock { $0 += 1 } }
            }
        }
        for _ in 0..<4 { _ = try await client.call(.get, "x").data() }
        #expect(hits.withLock { $0 } == 3)
        let late = self.client()
        for _ in 0..<3 { _ = try await late.call(.get, "x").data() }
        let events = late.events()
        _ = try await late.call(.get, "x").data()
        for await event in events {
            if case .cache(let cache) = event {
                #expect(cache.report.isHit)
                break
            }
        }
    }

    /// With an interceptor, each call goes through the whole chain.
    @Test("A hit is the same with and without an interceptor above the cache", arguments: [false, true])
    func same(hasSteps: Bool) async throws {
        let transport = StubServer(precedence: .first)
        transport.on(
            "/x", response: .text("body").header(.cacheControl, value: "max-age=60").header(.eTag, value: "\"1\""))
        let client = APIClient.scripted(transport) {
            $0.caching.httpCache = CachedClientTests.memory()
            if hasSteps { $0.interceptors = [Interceptor { request, next in try await next(request) }] }
        }
        for isHit in [false, true, true] {
            let response = try await client.call(.get, "x").response().response
            #expect(response.statusCode == 200 && response.body == Data("body".utf8))
            #expect(response.cacheReport?.isHit == isHit)
            #expect(response.headers.contains(CacheFields.cacheStatus) && response.headers.contains(.age) == isHit)
            #expect(response.headers[values: CacheFields.cacheStatus].count == 1)
        }
        #expect(transport.requestCount == 1)
    }

    @Test("A stored redirect is followed")
    func redirect() async throws {
        let transport = StubServer(precedence: .first)
        transport.on(
            "/x",
            response: .text("moved", status: .movedPermanently).header(.location, value: "/y").header(
                .cacheControl, value: "max-age=60"))
        transport.on("/y", response: .text("body").header(.cacheControl, value: "max-age=60"))
        let client = APIClient.scripted(transport) { $0.caching.httpCache = CachedClientTests.memory() }
        for _ in 0..<2 {
            let data = try await client.call(.get, "x").data()
            #expect(data == Data("body".utf8))
        }
        #expect(transport.requestCount == 2)
    }
}

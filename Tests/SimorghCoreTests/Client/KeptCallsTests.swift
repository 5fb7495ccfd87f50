// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// The same call once more, which needs no request, and within one second no look into the cache.
@Suite("Calls that are answered as a moment ago", .timeLimit(.minutes(5)))
struct KeptCallsTests {
    private let clock = TestClock()
    private let transport = ScriptedTransport()
    private let cache: HTTPCache

    init() {
        cache = HTTPCache(CacheConfiguration(diskCapacity: 0), time: clock.timeSource)
    }

    private func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        APIClient.scripted(transport) {
            $0.cache = cache
            $0.time = clock.timeSource
            change(&$0)
        }
    }

    private func answers(_ path: String, _ text: String, maxAge: Int = 60) {
        transport.on(path, .text(text).header(.cacheControl, "max-age=\(maxAge)"))
    }

    private func asking(_ path: String, _ query: QueryItems = [:]) -> CallDescription {
        var description = CallDescription(method: .get, path: path)
        description.query = query.items
        return description
    }

    @Test("The age goes on, and what is over is asked for")
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

    @Test("A hit from memory is kept, its age goes on, and it is given no longer than it is in the cache")
    func kept() async throws {
        answers("/x", "body")
        let client = client()
        let kept = try #require(client.settings.keptCalls)
        let (asked, other) = (asking("x"), asking("y"))
        func answer() -> CollectedResponse? { kept.response(to: asked, accept: nil, clock.timeSource) }
        _ = try await client.call(.get, "x").data()
        #expect(answer() == nil)
        // Parts of seconds that floating numbers can tell exactly.
        clock.advance(by: .milliseconds(500))
        _ = try await client.call(.get, "x").data()
        clock.advance(by: .milliseconds(250))
        #expect(answer()?.body == Data("body".utf8) && answer()?.headers[.age] == "0")
        #expect(kept.response(to: other, accept: nil, clock.timeSource) == nil)
        for (age, left) in [("1", "58"), ("2", "57"), ("3", "56")] {
            clock.advance(by: .seconds(1))
            #expect(answer()?.headers[.age] == age && answer()?.headers[values: .age].count == 1)
            #expect(answer()?.headers[CacheFields.cacheStatus] == "Simorgh; hit; ttl=\(left)")
            #expect(answer()?.cacheReport?.secondsToLive == Int64(left))
        }
        #expect(transport.requestCount == 1)
        await cache.removeAll()
        #expect(kept.count == 1 && answer() == nil && kept.count == 0)
        // Of what was forgotten nothing stays, and a clock that was set back is a case for the cache.
        _ = try await client.call(.get, "x").data()
        #expect(answer() == nil && transport.requestCount == 2)
        _ = try await client.call(.get, "x").data()
        #expect(answer() != nil)
        clock.advance(by: .seconds(-2))
        #expect(answer() == nil)
    }

    @Test("After a minute the cache is asked again, and before when the answer is over", arguments: [59, 600])
    func longest(maxAge: Int) async throws {
        answers("/x", "body", maxAge: maxAge)
        let client = client()
        let kept = try #require(client.settings.keptCalls)
        let asked = asking("x")
        for _ in 0..<2 { _ = try await client.call(.get, "x").data() }
        for second in 1..<min(60, maxAge) {
            clock.advance(by: .seconds(1))
            #expect(kept.response(to: asked, accept: nil, clock.timeSource)?.headers[.age] == "\(second)")
        }
        clock.advance(by: .seconds(1))
        #expect(kept.response(to: asked, accept: nil, clock.timeSource) == nil)
        _ = try await client.call(.get, "x").data()
        #expect(transport.requestCount == (maxAge < 60 ? 2 : 1))
    }

    @Test("Many are kept, of no more bytes than a few MiB", arguments: [1, 32 << 10])
    func many(length: Int) async throws {
        let body = String(repeating: "x", count: length)
        transport.on("/x") { _ in .text(body).header(.cacheControl, "max-age=60") }
        let client = client()
        let kept = try #require(client.settings.keptCalls)
        let calls = 0..<200
        for number in calls {
            for _ in 0..<2 { _ = try await client.call(.get, "x", query: ["n": "\(number)"]).data() }
        }
        let found = calls.map { kept.response(to: asking("x", ["n": "\($0)"]), accept: nil, clock.timeSource) }
        #expect(transport.requestCount == 200)
        // The last one is there in any case, and of the small ones nearly all are: seldom do five share a set of four.
        #expect(found.last??.body.count == length)
        let count = found.count { $0 != nil }
        if length == 1 { #expect(count > 180) } else { #expect(count < 128) }
    }

    @Test("As many as there is room for stay when time changes them, and none that is too large is kept")
    func room() async throws {
        let length = Mutex(32 << 10)
        transport.on("/x") { _ in
            .text(String(repeating: "x", count: length.withLock { $0 })).header(.cacheControl, "max-age=60")
        }
        let client = client()
        let kept = try #require(client.settings.keptCalls)
        for _ in 0..<3 {
            for number in 0..<120 { _ = try await client.call(.get, "x", query: ["n": "\(number)"]).data() }
        }
        #expect(kept.count == 120)
        for _ in 0..<3 {
            clock.advance(by: .seconds(1))
            for number in 0..<120 { _ = try await client.call(.get, "x", query: ["n": "\(number)"]).data() }
            #expect(kept.count == 120)
        }
        length.withLock { $0 += 1 }
        for _ in 0..<3 { _ = try await client.call(.get, "x", query: ["n": "large"]).data() }
        #expect(kept.count == 120 && transport.requestCount == 121)
    }

    @Test("Of a response that is dated ahead of the clock none is kept")
    func ahead() async throws {
        answers("/x", "body")
        let client = client()
        _ = try await client.call(.get, "x").data()
        clock.advance(by: .seconds(-3))
        for _ in 0..<2 { _ = try await client.call(.get, "x").data() }
        #expect(client.settings.keptCalls?.count == 0 && transport.requestCount == 1)
        clock.advance(by: .seconds(4))
        #expect(try await client.call(.get, "x").response().response.headers[.age] == "1")
    }

    @Test("A request that says how old an answer may be is asked of the cache each time")
    func fields() async throws {
        answers("/x", "body")
        let client = client { $0.headers = ["Cache-Control": "max-age=1"] }
        for _ in 0..<3 { _ = try await client.call(.get, "x").data() }
        #expect(transport.requestCount == 1)
        clock.advance(by: .milliseconds(1500))
        _ = try await client.call(.get, "x").data()
        #expect(transport.requestCount == 2)
    }

    @Test("Of two calls that differ in one word, none gets what the other got")
    func words() {
        func description(_ change: (inout CallDescription) -> Void) -> CallDescription {
            var description = CallDescription(method: .get, path: "a%20b")
            description.query = [QueryItem("q", "1")]
            change(&description)
            return description
        }
        let ways: [(CallDescription, String?)] = [
            (description { _ in }, nil), (description { _ in }, ""), (description { _ in }, "a"),
            (description { $0.method = .head }, nil), (description { $0.path = "a%20c" }, nil),
            (description { $0.pathIsPercentEncoded = true }, nil), (description { $0.base = "https://b.test" }, nil),
            (description { $0.version = "" }, nil), (description { $0.version = "v1" }, nil),
            (description { $0.query = [] }, nil), (description { $0.query = [QueryItem("q", nil)] }, nil),
            (description { $0.query = [QueryItem("q", "")] }, nil),
            (description { $0.query = [QueryItem("q", "1"), QueryItem("r", "1")] }, nil),
            (description { $0.query = [QueryItem("1", "q")] }, nil),
        ]
        let kept = KeptCalls()
        let head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/")
        for (number, (call, accept)) in ways.enumerated() {
            #expect(kept.response(to: call, accept: accept, .system) == nil)
            let response = TransportResponse(head: HTTPResponse(status: .ok))
            let answer = CollectedResponse(response, body: Data("\(number)".utf8), to: head)
            kept.keep(answer, for: call, accept: accept, Lasting())
        }
        var found = 0
        for (number, (call, accept)) in ways.enumerated() {
            // Some share a place, as nobody asks for both of them in turn.
            guard let response = kept.response(to: call, accept: accept, .system) else { continue }
            #expect(response.body == Data("\(number)".utf8))
            found += 1
        }
        #expect(found == kept.count && found > 10)
    }

    private final class Lasting: ResponseStanding {
        func holds(at now: Int64) -> Bool { true }
        func renewed(_ response: CollectedResponse, at now: Int64) -> (CollectedResponse, any ResponseStanding)? { nil }
    }

    @Test("Where another step or a listener has to see each call, none is kept")
    func unkept() {
        let changes: [(inout APIClient.Configuration) -> Void] = [
            { $0.cache = nil },
            { $0.cacheStrategy = .reloadIgnoringLocalCacheData },
            { $0.dynamicBaseURL = { "https://api.test" } },
            { $0.interceptors = [Interceptor { request, next in try await next(request) }] },
            { $0.onEvent = { _ in } },
            { $0.requestIDHeader = "X-Request-ID" },
        ]
        for change in changes { #expect(client(change).settings.keptCalls == nil) }
        #expect(client().settings.keptCalls != nil)
    }

    @Test("What is kept is field by field what the whole chain says")
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

    @Test(
        "While a response is steady, no whole second of its age or of the rest of its life is another",
        arguments: [
            (0, 1), (0, 999), (0, 1000), (0, 1001), (1, 60_000), (5, 5), (6, 5), (999, 1000), (999, 60_001),
            (1000, 5000),
        ] as [(Int64, Int64)])
    func steady(age: Int64, lifetime: Int64) {
        let first = CacheFreshness(age: age, lifetime: lifetime, isExplicit: true)
        #expect((first.steady > 0) == first.isFresh)
        for passed in 0..<first.steady {
            let later = CacheFreshness(age: age + passed, lifetime: lifetime, isExplicit: true)
            #expect(later.isFresh && later.ageSeconds == first.ageSeconds)
            #expect((lifetime - later.age) / 1000 == (lifetime - age) / 1000)
        }
    }

    @Test("What is forgotten, replaced or changed in between is not answered any more")
    func changes() async throws {
        let number = Mutex(0)
        transport.on("/x") { _ in
            .text("\(number.withLock { $0 += 1; return $0 })").header(.cacheControl, "max-age=60")
        }
        transport.on("/y", .status(.noContent))
        let client = client()
        func get() async throws -> String {
            for _ in 0..<2 { _ = try await client.call(.get, "x").data() }
            return String(decoding: try await client.call(.get, "x").data(), as: UTF8.self)
        }
        #expect(try await get() == "1")
        await cache.removeAll()
        #expect(try await get() == "2")
        _ = try await client.call(.get, "x").with { $0.cacheStrategy = .reloadIgnoringLocalCacheData }.data()
        #expect(try await get() == "3")
        // An unsafe request changes what is under its URL.
        _ = try await client.call(.post, "x", body: .text("new")).data()
        #expect(try await get() == "5")
        #expect(transport.requestCount == 5)
    }

    @Test("Calls that differ in anything are answered each in its own way")
    func different() async throws {
        transport.on("/x") { request in
            let fields = request.head.headerFields
            return .text("\(request.head.path ?? "") \(fields[.accept] ?? "") \(fields[.acceptLanguage] ?? "")")
                .header(.cacheControl, "max-age=60").header(.vary, "Accept, Accept-Language")
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

    @Test("Paths that look alike are two")
    func alike() async throws {
        // One letter, and the same one made of two; the sign for Kelvin, and the letter that it is equal to.
        for pair in [["caf\u{E9}", "cafe\u{301}"], ["K", "\u{212A}"], ["\u{212B}", "A\u{30A}"]] {
            for path in pair {
                let target = "/" + (path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
                transport.on(target) { request in
                    .text(request.head.path ?? "").header(.cacheControl, "max-age=60")
                }
            }
            let client = client()
            var bodies: [Data] = []
            for path in pair + pair + pair { bodies.append(try await client.call(.get, path).data()) }
            #expect(Set(bodies).count == 2 && bodies[0] == bodies[2] && bodies[1] == bodies[5])
        }
        #expect(transport.requestCount == 6)
    }

    @Test("What is refused of an answer is refused of the same answer again, and a cancelled call gets none")
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

    @Test("Whoever watches is told of each hit")
    func watched() async throws {
        answers("/x", "body")
        let hits = Mutex(0)
        let client = client {
            $0.onEvent = { event in
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
}

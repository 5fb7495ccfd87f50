// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Testing

@Suite("CacheDecision", .timeLimit(.minutes(5)))
struct CacheDecisionTests {
    typealias Fields = [(String, String)]

    static func word(
        _ stored: [StoredResponse], _ request: CacheRequest, after seconds: Double = 0, rules: CacheRules = CacheRules()
    ) -> String {
        CacheDecision(request, stored: stored, now: cacheStart + Int64(seconds * 1000), rules: rules).word
    }

    static let date = "Thu, 01 Jan 2026 00:00:00 GMT"

    @Test(
        "Freshness: max-age, Age, Date, Expires and heuristics decide between a hit and a validation",
        arguments: [
            ([("Cache-Control", "max-age=10")], 9.9, "hit"), ([("Cache-Control", "max-age=10")], 10, "send"),
            ([("Cache-Control", "max-age=10"), ("ETag", "\"x\"")], 10, "ask"),
            ([("Cache-Control", "max-age=10"), ("Age", "8")], 1.9, "hit"),
            ([("Cache-Control", "max-age=10"), ("Age", "8")], 2, "send"),
            ([("Cache-Control", "max-age=10"), ("Age", "abc")], 9, "hit"),
            ([("Cache-Control", "max-age=10"), ("Date", "Wed, 31 Dec 2025 23:59:55 GMT")], 4.9, "hit"),
            ([("Cache-Control", "max-age=10"), ("Date", "Wed, 31 Dec 2025 23:59:55 GMT")], 5, "send"),
            ([("Cache-Control", "max-age=10"), ("Date", "Thu, 01 Jan 2026 01:00:00 GMT")], 9, "hit"),
            ([("Cache-Control", "max-age=0"), ("Expires", "Thu, 01 Jan 2026 01:00:00 GMT")], 0, "send"),
            ([("Cache-Control", "max-age=x"), ("Expires", "Thu, 01 Jan 2026 01:00:00 GMT")], 0, "send"),
            ([("Cache-Control", "max-age=10"), ("Expires", "0")], 9, "hit"),
            ([("Cache-Control", "s-maxage=10")], 0, "send"), ([("Cache-Control", "max-age=1, s-maxage=10")], 2, "send"),
            ([("Expires", "Thu, 01 Jan 2026 00:00:10 GMT")], 9.9, "hit"),
            ([("Expires", "Thu, 01 Jan 2026 00:00:10 GMT")], 10, "send"),
            ([("Expires", "Thu, 01 Jan 2026 00:00:10 GMT"), ("Date", "Thu, 01 Jan 2026 00:00:05 GMT")], 5, "send"),
            ([("Expires", "0"), ("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")], 0, "ask"),
            // Heuristic freshness: a tenth of 100 seconds, and a week at most for a response that is two years old.
            ([("Last-Modified", "Wed, 31 Dec 2025 23:58:20 GMT")], 9.9, "hit"),
            ([("Last-Modified", "Wed, 31 Dec 2025 23:58:20 GMT")], 10, "ask"),
            ([("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")], 604_799, "hit"),
            ([("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")], 604_800, "ask"),
            ([("Last-Modified", "Fri, 01 Jan 2027 00:00:00 GMT")], 0, "ask"), ([], 0, "send"),
            ([("Cache-Control", "max-age=10, no-cache"), ("ETag", "\"x\"")], 0, "ask"),
            ([("Cache-Control", "max-age=10, no-cache=\"a\"")], 0, "hit"),
            ([("Cache-Control", "max-age=10, must-revalidate")], 9, "hit"),
            ([("Cache-Control", "max-age=2147483649")], 1e9, "hit"),
            // The clock was set back, so the age of the response is unknown.
            ([("Cache-Control", "max-age=10")], -4, "hit"), ([("Cache-Control", "max-age=10")], -6, "send"),
            ([("Cache-Control", "max-age=10, stale-while-revalidate=5")], 15, "refresh"),
            ([("Cache-Control", "max-age=10, stale-while-revalidate=5")], 15.1, "send"),
            ([("Cache-Control", "max-age=10, stale-while-revalidate=5, must-revalidate")], 12, "send"),
            ([("Cache-Control", "no-cache, stale-while-revalidate=5")], 0, "send"),
        ] as [(Fields, Double, String)])
    func freshness(fields: Fields, seconds: Double, result: String) {
        let fields = fields.contains { $0.0 == "Date" } ? fields : fields + [("Date", Self.date)]
        #expect(Self.word([.sample(fields)], .sample(), after: seconds) == result)
    }

    @Test(
        "stale-while-revalidate: zero or invalid windows allow nothing stale; huge windows do not overflow",
        arguments: [
            ("0", "ask", "ask"), ("-1", "ask", "ask"), ("", "ask", "ask"), ("x", "ask", "ask"), ("5.5", "ask", "ask"),
            ("1", "refresh", "ask"), ("\"5\"", "refresh", "ask"), ("2147483648", "refresh", "refresh"),
            ("99999999999999999999", "refresh", "refresh"),
        ])
    func windows(window: String, atOnce: String, late: String) {
        for lifetime in [0.0, 10] {
            let control = "max-age=\(Int(lifetime)), stale-while-revalidate=\(window)"
            let stored = StoredResponse.sample([("Cache-Control", control), ("ETag", "\"x\""), ("Date", Self.date)])
            #expect(Self.word([stored], .sample(), after: lifetime) == atOnce)
            #expect(Self.word([stored], .sample(), after: 2e9) == late)
        }
        let bare = StoredResponse.sample([
            ("Cache-Control", "max-age=0, stale-while-revalidate"), ("ETag", "\"x\""), ("Date", Self.date),
        ])
        #expect(Self.word([bare], .sample()) == "ask")
    }

    @Test(
        "Request directives (Cache-Control, Pragma) override the freshness of the stored response",
        arguments: [
            ([("Cache-Control", "no-cache")], 0, "ask"), ([("Pragma", "no-cache")], 0, "ask"),
            ([("Pragma", "no-cache"), ("Cache-Control", "x")], 0, "hit"), ([("Cache-Control", "no-store")], 0, "send"),
            ([("Cache-Control", "max-age=5")], 5, "hit"), ([("Cache-Control", "max-age=5")], 5.1, "ask"),
            ([("Cache-Control", "max-age=0")], 0, "ask"), ([("Cache-Control", "max-age=x")], 0, "ask"),
            ([("Cache-Control", "min-fresh=5")], 5, "hit"), ([("Cache-Control", "min-fresh=5")], 5.1, "ask"),
            ([("Cache-Control", "max-stale")], 1e6, "stale"), ([("Cache-Control", "max-stale=5")], 15, "stale"),
            ([("Cache-Control", "max-stale=5")], 15.1, "ask"), ([("Cache-Control", "max-stale=x")], 11, "ask"),
            ([("Cache-Control", "only-if-cached")], 9, "hit"), ([("Cache-Control", "only-if-cached")], 10, "504"),
            ([("Cache-Control", "only-if-cached, no-cache")], 0, "504"),
            ([("If-Match", "\"x\"")], 0, "send"), ([("If-Unmodified-Since", date)], 0, "send"),
        ] as [(Fields, Double, String)])
    func request(fields: Fields, seconds: Double, result: String) {
        let stored = StoredResponse.sample([("Cache-Control", "max-age=10"), ("ETag", "\"x\""), ("Date", Self.date)])
        #expect(Self.word([stored], .sample(fields), after: seconds) == result)
    }

    @Test("max-stale does not override must-revalidate, and no-store serves nothing from the cache")
    func maxStale() {
        let stored = StoredResponse.sample([("Cache-Control", "max-age=10, must-revalidate"), ("ETag", "\"x\"")])
        #expect(Self.word([stored], .sample([("Cache-Control", "max-stale")]), after: 11) == "ask")
        let decision = CacheDecision(
            .sample([("Cache-Control", "no-store")]), stored: [stored], now: cacheStart, rules: CacheRules())
        guard case .forward(let forward) = decision else { return #expect(Bool(false)) }
        #expect(!forward.mayStore && forward.adds.isEmpty && forward.index == nil)
    }

    @Test(
        "SMA12: each CacheStrategy decides between hit, validation and request for fresh, stale and missing responses",
        arguments: [
            (CacheStrategy.useProtocolCachePolicy, "hit", "ask", "send"),
            (.reloadIgnoringLocalCacheData, "send", "send", "send"), (.returnCacheDataElseLoad, "hit", "stale", "send"),
            (.returnCacheDataDontLoad, "hit", "stale", "error"), (.reloadRevalidatingCacheData, "ask", "ask", "send"),
        ])
    func strategies(strategy: CacheStrategy, fresh: String, stale: String, miss: String) {
        let stored = StoredResponse.sample([
            ("Cache-Control", "max-age=10, must-revalidate"), ("ETag", "\"x\""), ("Date", Self.date),
        ])
        let request = CacheRequest.sample(strategy: strategy)
        #expect(Self.word([stored], request) == fresh)
        #expect(Self.word([stored], request, after: 20) == stale)
        #expect(Self.word([], request) == miss)
    }

    @Test("A reload is forwarded with reason `request` if a response is stored, else `uri-miss`")
    func reload() {
        let cases: [([StoredResponse], CacheReport.Forward)] = [([.sample([])], .request), ([], .uriMiss)]
        for (stored, reason) in cases {
            let decision = CacheDecision(
                .sample(strategy: .reloadIgnoringLocalCacheData), stored: stored, now: cacheStart, rules: CacheRules())
            guard case .forward(let forward) = decision else { return #expect(Bool(false)) }
            #expect(forward.reason == reason)
        }
    }

    @Test(
        "An immutable response is not validated while it is fresh, even with the reloadRevalidatingCacheData strategy"
    )
    func immutable() {
        let stored = StoredResponse.sample([("Cache-Control", "max-age=10, immutable"), ("ETag", "\"x\"")])
        let request = CacheRequest.sample(strategy: .reloadRevalidatingCacheData)
        #expect(Self.word([stored], request, after: 9) == "hit")
        #expect(Self.word([stored], request, after: 11) == "ask")
    }

    @Test("A strategy adds Cache-Control to the forwarded request unless the request has its own")
    func told() {
        func added(_ strategy: CacheStrategy, _ fields: Fields = []) -> [String] {
            let request = CacheRequest.sample(fields, strategy: strategy)
            guard case .forward(let forward) = CacheDecision(request, stored: [], now: cacheStart, rules: CacheRules())
            else { return ["no forward"] }
            return forward.adds.map { "\($0.name): \($0.value)" }
        }
        #expect(added(.useProtocolCachePolicy).isEmpty)
        #expect(added(.reloadIgnoringLocalCacheData) == ["Cache-Control: no-cache"])
        #expect(added(.reloadRevalidatingCacheData) == ["Cache-Control: max-age=0"])
        #expect(added(.reloadIgnoringLocalCacheData, [("Cache-Control", "x")]).isEmpty)
    }

    @Test("SMA11: a validation sends both validators, and none if the stored response has no validator")
    func validators() {
        func added(_ fields: Fields) -> [String] {
            guard
                case .forward(let forward) = CacheDecision(
                    .sample(), stored: [.sample(fields)], now: cacheStart + 1_000_000_000, rules: CacheRules())
            else { return ["no forward"] }
            return forward.adds.map { "\($0.name): \($0.value)" }
        }
        #expect(
            added([("ETag", "W/\"x\""), ("Last-Modified", Self.date)])
                == ["If-None-Match: W/\"x\"", "If-Modified-Since: \(Self.date)"])
        #expect(added([("ETag", "x")]) == ["If-None-Match: x"])
        #expect(added([("Last-Modified", "yesterday")]).isEmpty)
        #expect(added([("ETag", "\"a\""), ("ETag", "\"b\"")]).isEmpty)
    }

    @Test(
        "Conditional requests of the caller are evaluated against a fresh stored response",
        arguments: [
            ([("If-None-Match", "\"x\"")], 0, "304"), ([("If-None-Match", "W/\"x\"")], 0, "304"),
            ([("If-None-Match", "\"a\", \"x\", \"b\"")], 0, "304"), ([("If-None-Match", "*")], 0, "304"),
            ([("If-None-Match", "\"a\"")], 0, "hit"), ([("If-None-Match", "\"x\"")], 11, "send"),
            ([("If-Modified-Since", "Wed, 31 Dec 2025 00:00:00 GMT")], 0, "304"),
            ([("If-Modified-Since", "Wed, 31 Dec 2025 00:00:01 GMT")], 0, "304"),
            ([("If-Modified-Since", "Tue, 30 Dec 2025 23:59:59 GMT")], 0, "hit"),
            ([("If-Modified-Since", "yesterday")], 0, "hit"),
            ([("If-None-Match", "\"a\""), ("If-Modified-Since", date)], 0, "hit"),
        ] as [(Fields, Double, String)])
    func conditions(fields: Fields, seconds: Double, result: String) {
        let stored = StoredResponse.sample([
            ("Cache-Control", "max-age=10"), ("ETag", "\"x\""), ("Last-Modified", "Wed, 31 Dec 2025 00:00:00 GMT"),
            ("Date", Self.date),
        ])
        #expect(Self.word([stored], .sample(fields), after: seconds) == result)
        let missing = StoredResponse.sample([("Cache-Control", "max-age=10")], status: 404)
        #expect(Self.word([missing], .sample(fields)) == "hit", "a condition applies only to a successful response")
    }

    @Test("Without Last-Modified, If-Modified-Since is compared with the Date of the response")
    func noLastModified() {
        let stored = StoredResponse.sample([("Cache-Control", "max-age=10"), ("Date", Self.date)])
        #expect(Self.word([stored], .sample([("If-Modified-Since", "Wed, 31 Dec 2025 00:00:00 GMT")])) == "hit")
        #expect(Self.word([stored], .sample([("If-Modified-Since", Self.date)])) == "304")
    }

    @Test(
        "A range request is served from a fresh stored response if If-Range allows it",
        arguments: [
            ([("Range", "bytes=0-1")], 0, "206"), ([("Range", "bytes=0-1")], 11, "send"),
            ([("Range", "bytes=0-1, 4-5")], 0, "send"), ([("Range", "items=0-1")], 0, "send"),
            ([("Range", "bytes=0-1"), ("If-Range", "\"x\"")], 0, "206"),
            ([("Range", "bytes=0-1"), ("If-Range", "\"y\"")], 0, "hit"),
            ([("Range", "bytes=0-1"), ("If-Range", date)], 0, "send"),
            ([("Range", "bytes=0-1"), ("If-Range", "W/\"x\"")], 0, "send"),
        ] as [(Fields, Double, String)])
    func ranges(fields: Fields, seconds: Double, result: String) {
        let stored = StoredResponse.sample([("Cache-Control", "max-age=10"), ("ETag", "\"x\"")])
        #expect(Self.word([stored], .sample(fields), after: seconds) == result)
    }

    @Test("HEAD is served from a stored GET response; other methods are not")
    func methods() {
        let stored = StoredResponse.sample([("Cache-Control", "max-age=10"), ("ETag", "\"x\"")])
        #expect(Self.word([stored], .sample(method: "HEAD")) == "head")
        #expect(Self.word([stored], .sample(method: "HEAD"), after: 11) == "send")
        for method in ["POST", "OPTIONS", "get", "M-SEARCH", "DELETE"] {
            #expect(Self.word([stored], .sample(method: method)) == "send")
        }
    }

    @Test(
        "Vary selects the stored response whose request fields match",
        arguments: [
            ("foo", [("Foo", "1")], [("Foo", "1")], "hit"), ("foo", [("Foo", "1")], [("Foo", "2")], "send"),
            ("FOO", [("foo", "1")], [("fOO", "1")], "hit"), ("foo", [], [], "hit"), ("foo", [], [("Foo", "")], "send"),
            ("foo", [("Foo", "1")], [], "send"), ("foo", [("Foo", "1")], [("Foo", "1"), ("Bar", "2")], "hit"),
            ("foo, bar", [("Foo", "1"), ("Bar", "2")], [("Bar", "2"), ("Foo", "1")], "hit"),
            ("foo, bar", [("Foo", "1"), ("Bar", "2")], [("Bar", "1"), ("Foo", "2")], "send"),
            ("foo", [("Foo", "a, b")], [("Foo", " a ,   b")], "hit"),
            ("foo", [("Foo", "a, b")], [("Foo", "a"), ("Foo", "b")], "hit"),
            ("foo", [("Foo", "a")], [("Foo", "A")], "send"),
            ("accept-language", [("Accept-Language", "en, DE")], [("Accept-Language", "EN,de")], "hit"),
            ("foo", [("Foo", "a, b")], [("Foo", "b, a")], "send"),
        ] as [(String, Fields, Fields, String)])
    func vary(names: String, first: Fields, second: Fields, result: String) {
        let stored = StoredResponse.sample([("Cache-Control", "max-age=10"), ("Vary", names)], request: first)
        #expect(Self.word([stored], .sample(second)) == result)
    }

    @Test(
        "A Vary field with an asterisk at any position, or with an invalid member, matches no request",
        arguments: ["*", "*, *", ", *", "Foo, *", "*, Foo", "a b"])
    func star(value: String) {
        #expect(
            CacheVary.selectors(
                for: .sample([("Vary", value)]), control: CacheControl(HTTPFields()), request: HTTPFields()) == nil)
        #expect(
            CacheVary.selectors(
                for: .sample([("Vary", "a"), ("Vary", value)]), control: CacheControl(HTTPFields()),
                request: HTTPFields())
                == nil)
    }

    @Test("A response needs the same cookies as its request unless Cache-Control is public")
    func cookies() {
        let own = StoredResponse.sample([("Cache-Control", "private, max-age=10")], request: [("Cookie", "u=1")])
        #expect(Self.word([own], .sample([("Cookie", "u=1")])) == "hit")
        #expect(Self.word([own], .sample([("Cookie", "u=2")])) == "send")
        #expect(Self.word([own], .sample()) == "send")
        let unsaid = StoredResponse.sample([("Cache-Control", "max-age=10")], request: [("Cookie", "u=1")])
        #expect(Self.word([unsaid], .sample([("Cookie", "u=1")])) == "hit")
        #expect(Self.word([unsaid], .sample([("Cookie", "u=2")])) == "send")
        let common = StoredResponse.sample([("Cache-Control", "public, max-age=10")], request: [("Cookie", "u=1")])
        #expect(Self.word([common], .sample()) == "hit")
    }

    @Test("A stored encoded body is served only to requests that decode in the same way")
    func coding() {
        let raw = StoredResponse.sample(
            [("Cache-Control", "max-age=10"), ("Content-Encoding", "gzip")], isDecoded: false)
        #expect(Self.word([raw], .sample()) == "send")
        let plain = StoredResponse.sample([("Cache-Control", "max-age=10")], isDecoded: false)
        #expect(Self.word([plain], .sample()) == "hit")
    }

    @Test("The newest of several matching responses is used; another URL or partition never matches")
    func best() {
        let old = StoredResponse.sample([("Date", "Wed, 31 Dec 2025 00:00:00 GMT")])
            .changed { $0.responseTime += 1000 }
        let new = StoredResponse.sample([("Date", Self.date)])
        #expect(CacheRequest.sample().best(of: [new, old], now: cacheStart) == 0)
        #expect(CacheRequest.sample().best(of: [old, new], now: cacheStart) == 1)
        let other = new.changed { $0.url = "https://a.example/y" }
        let theirs = new.changed { $0.partition = "u" }
        #expect(CacheRequest.sample().best(of: [other, theirs], now: cacheStart) == nil)
    }

    @Test("A reply has the head and the byte range of its shape (whole, head, notModified, partial)")
    func answers() {
        let stored = StoredResponse.sample([
            ("Age", "3"), ("Content-Length", "11"), ("Content-Type", "t"), ("ETag", "\"x\""), ("A", "1"),
        ])
        func render(_ shape: CachedReply.Shape) -> (String, Range<Int64>) {
            let reply = CachedReply(index: 0, shape: shape, age: 7, report: CacheReport())
            let (head, octets) = reply.headAndRange(of: stored, length: 11)
            let fields = head.headerFields.map { "\($0.name.canonicalName)=\($0.value)" }.sorted()
            return ("\(head.status.code) " + fields.joined(separator: " "), octets)
        }
        #expect(
            render(.whole) == (
                "200 a=1 age=7 cache-status=Simorgh; hit content-length=11 content-type=t etag=\"x\"", 0..<11
            ))
        #expect(
            render(.head) == (
                "200 a=1 age=7 cache-status=Simorgh; hit content-length=11 content-type=t etag=\"x\"", 0..<0
            ))
        #expect(render(.notModified) == ("304 a=1 age=7 cache-status=Simorgh; hit etag=\"x\"", 0..<0))
        #expect(
            render(.part(.from(2, to: 3)))
                == (
                    "206 a=1 age=7 cache-status=Simorgh; hit content-length=2 content-range=bytes 2-3/11 content-type=t etag=\"x\"",
                    2..<4
                ))
        #expect(
            render(.part(.from(11, to: nil))) == (
                "416 a=1 age=7 cache-status=Simorgh; hit content-length=0 content-range=bytes */11 etag=\"x\"", 0..<0
            ))
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Testing

@Suite("Header field parsing of the cache", .timeLimit(.minutes(5)))
struct CacheFieldTests {
    @Test(
        "Cache-Control: directives are parsed in any case, quoted or not, and across several field lines",
        arguments: [
            (["max-age=5"], "5"), (["MaX-aGe=5"], "5"), (["public, max-age=\"5\""], "5"),
            (["public", "max-age=5"], "5"),
            (["max-age=5, max-age=9"], "5"), (["x=\"max-age=9\", max-age=5"], "5"), (["max-age=005"], "5"),
            (["max-age=99999999999999999999999"], "2147483648"), (["max-age=-5"], "invalid"),
            (["max-age=5.0"], "invalid"),
            (["max-age='5'"], "invalid"), (["max-age"], "invalid"), (["max-age=a5"], "invalid"),
            (["max-age ="], "invalid"),
            (["max-age =5"], "invalid"), (["max-age= 5"], "invalid"), (["max-age=\"5"], "invalid"),
            (["s-maxage=5"], "none"), (["x=\"a, max-age=5"], "5"),
            ([""], "none"), ([",,"], "none"),
        ])
    func maxAge(lines: [String], result: String) {
        let control = CacheControl(.sample(lines.map { ("Cache-Control", $0) }))
        switch control.maxAge {
        case nil: #expect(result == "none")
        case .invalid?: #expect(result == "invalid")
        case .valid(let seconds)?: #expect(String(seconds) == result)
        }
    }

    @Test(
        "Fields that Connection or no-cache names are not stored, for few and for many names",
        arguments: [1, 8, 9, 500])
    func named(count: Int) {
        let names = (0..<count).map { "name-\($0)" }
        let fields = HTTPFields.sample(
            [("Connection", names.joined(separator: ", ")), ("Cache-Control", "no-cache=\"secret\""), ("Secret", "1")]
                + names.map { ($0, "1") } + [("Other", "2")])
        #expect(
            CacheFields.kept(fields, control: CacheControl(fields)).map(\.name.canonicalName) == [
                "cache-control", "other",
            ])
    }

    @Test("A qualified no-cache names fields; a bare or malformed one applies to the whole response")
    func noCache() {
        let named = CacheControl(.sample([("Cache-Control", "no-cache=\"a, B\", max-age=9")]))
        #expect(!named.noCache)
        #expect(named.fieldsNotCached.map(\.canonicalName) == ["a", "b"])
        for value in ["no-cache", "NO-CACHE", "no-cache=\"\"", "no-cache=\"a", "no-cache=\"a\", no-cache"] {
            #expect(CacheControl(.sample([("Cache-Control", value)])).noCache, "\(value)")
        }
    }

    @Test(
        "Dates: only the three HTTP formats are accepted, with exact spacing",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("SUN, 06 nov 1994 08:49:37 gmt", true),
            ("Sunday, 06-Nov-94 08:49:37 GMT", true), ("Sun Nov  6 08:49:37 1994", true),
            ("Sun Nov 16 08:49:37 1994", true), ("0", false), ("", false), ("-1", false),
            ("Sun, 06 Nov 1994 08:49:37 UTC", false), ("Sun, 06 Nov 1994 08:49:37 AEST", false),
            ("Sun, 06 Nov 1994 8:49:37 GMT", false), ("Sun 06 Nov 1994 08:49:37 GMT", false),
            ("Sun, 06-Nov-1994 08:49:37 GMT", false), ("Sun,  06 Nov 1994 08:49:37 GMT", false),
            ("Sun, 06 Nov  1994 08:49:37 GMT", false), ("Sun, 06 Nov 94 08:49:37 GMT", false),
            ("Sun, 06 Nov 1994 08.49.37 GMT", false), ("Sun, 06 Nov 1994 08:49 GMT", false),
            ("Sun, 06 Nov 1994 08:49:37", false), ("Sun, 6 Nov 1994 08:49:37 GMT", false),
            ("Sun Nov 6 08:49:37 1994", false), ("06 Nov 1994 08:49:37 GMT", false),
            ("Sun, 32 Nov 1994 08:49:37 GMT", false), ("Sun, 06 Nov 1994 25:49:37 GMT", false),
        ])
    func dates(text: String, isDate: Bool) {
        let value = CacheDate(text).value(now: cacheStart)
        #expect((value != nil) == isDate)
        if isDate, !text.contains("16") { #expect(value == 784_111_777_000) }
        let fields = HTTPFields.sample([("Expires", text), ("Expires", text)])
        #expect(CacheDate(.expires, of: fields).value(now: cacheStart) == nil, "two field lines are not a date")
    }

    @Test(
        "Age is the first member of the first field line if that is a number",
        arguments: [
            (["7"], 7), (["0, 7200"], 0), (["7200", "0"], 7200), (["9, 9"], 9), (["-7"], nil), (["7.0"], nil),
            (["abc"], nil),
            (["7a"], nil), (["7;x=y"], nil), (["99999999999999999999"], 2_147_483_648), ([""], nil),
        ] as [([String], Int64?)])
    func age(lines: [String], result: Int64?) {
        #expect(StoredResponseProperties(.sample(lines.map { ("Age", $0) })).age == result)
    }

    @Test(
        "Range: a single byte range is parsed and resolved; any other range is ignored",
        arguments: [
            ("bytes=0-1", 0, 2), ("bytes=5-", 5, 11), ("bytes=-3", 8, 11), ("bytes=0-99", 0, 11), ("bytes=-99", 0, 11),
            ("BYTES=10-10", 10, 11), ("bytes=11-", -1, 0), ("bytes=-0", -1, 0), ("bytes=2-1", -2, 0),
            ("bytes=0-1,3-4", -2, 0),
            ("items=0-1", -2, 0), ("bytes=a-b", -2, 0), ("bytes=", -2, 0), ("bytes=-", -2, 0), ("bytes=+1-2", -2, 0),
            ("bytes=99999999999999999999-", -2, 0),
        ] as [(String, Int64, Int64)])
    func ranges(text: String, from: Int64, to: Int64) {
        guard let range = CacheRange(text) else {
            #expect(from == -2)
            return
        }
        guard let octets = range.resolved(in: 11) else {
            #expect(from == -1)
            return
        }
        #expect(octets == from..<to)
        #expect(range.resolved(in: 0) == nil)
    }

    @Test("Hop-by-hop fields, and fields that Connection or no-cache names, are not stored")
    func kept() {
        let fields = HTTPFields.sample([
            ("A", "1"), ("Connection", "b, close"), ("B", "2"), ("Keep-Alive", "x"), ("Transfer-Encoding", "x"),
            ("Proxy-Authorization", "x"), ("C", "3"), ("Set-Cookie", "k=v"), ("Cache-Control", "no-cache=\"C\""),
        ])
        let names = CacheFields.kept(fields, control: CacheControl(fields)).map(\.name.canonicalName)
        #expect(names == ["a", "set-cookie", "cache-control"])
    }

    @Test("A 304 updates every field except those of the body; without Date or Age it removes the stored ones")
    func merged() {
        let stored = HTTPFields.sample([
            ("A", "1"), ("A", "2"), ("B", "1"), ("Age", "9"), ("Date", "x"), ("Content-Length", "36"),
            ("Content-Type", "t"),
        ])
        let news = HTTPFields.sample([
            ("A", "3"), ("Content-Length", "0"), ("Content-Type", "u"), ("Connection", "c"), ("C", "4"),
        ])
        let merged = CacheFields.merged(stored, with: news)
        #expect(
            merged.map { "\($0.name.canonicalName)=\($0.value)" } == [
                "b=1", "content-length=36", "content-type=t", "a=3",
            ])
    }

    @Test("Stored metadata survives encoding and decoding, and damaged metadata is rejected")
    func coding() throws {
        let stored = StoredResponse.sample(
            [("A", "ü\u{FF}"), ("Vary", "x, y"), ("Empty", "")], request: [("X", "1,  2")]
        ).changed {
            $0.isInvalidated = true
            $0.fields.append(HTTPField(name: .known("Raw"), lenientValue: [0x66, 0xFC, 0x72]))
        }
        let bytes = stored.encoded
        let back = try #require(StoredResponse(encoded: bytes))
        #expect(back == stored)
        #expect(back.fields.last?.withUnsafeBytesOfValue { Array($0) } == [0x66, 0xFC, 0x72])
        #expect(StoredResponse(encoded: bytes + [0]) == nil)
        for count in bytes.indices { #expect(StoredResponse(encoded: bytes[..<count]) == nil) }
        // Arbitrary damage is decoded or rejected, and never traps.
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var damaged = bytes
            damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = StoredResponse(encoded: damaged)
        }
    }

    @Test("Cache keys differ by partition and URL, regardless of where the two strings are split")
    func keys() {
        let keys = [
            CacheKey(partition: "", url: "https://a.example/a/b"),
            CacheKey(partition: "", url: "https://a.example/a-b"),
            CacheKey(partition: "https://a.example/", url: "a/b"),
            CacheKey(partition: "u", url: "https://a.example/a/b"),
        ]
        #expect(Set(keys).count == 4)
        #expect(CacheKey.normalized("HTTPS://A.example:443#x") == "https://a.example/")
        #expect(CacheKey.normalized("http://a.example:8080?q=1#x") == "http://a.example:8080/?q=1")
        #expect(CacheKey.normalized("ftp://a.example") == nil)
        #expect(CacheKey.isSameOrigin("https://a.example/x", as: "https://a.example:443/y"))
        #expect(!CacheKey.isSameOrigin("https://a.example/x", as: "http://a.example/x"))
    }

    @Test("Variant keys depend on the selecting fields, not on their order")
    func variants() {
        let one = StoredResponse.sample([("Vary", "a, b")], request: [("A", "1"), ("B", "2")])
        let same = StoredResponse.sample([("Vary", "B, A")], request: [("A", "1"), ("B", "2")])
        let other = StoredResponse.sample([("Vary", "a, b")], request: [("A", "1")])
        #expect(CacheKey.variant(one) == CacheKey.variant(same))
        #expect(CacheKey.variant(one) != CacheKey.variant(other))
    }

    @Test("A Vary field with more than 64 names matches no other request")
    func manyNames() {
        func selectors(_ count: Int) -> [StoredResponse.Selector]? {
            let names = (0..<count).map { "X-\($0)" }.joined(separator: ",")
            return CacheVary.selectors(
                for: .sample([("Vary", names)]), control: CacheControl(HTTPFields()), request: HTTPFields())
        }
        #expect(selectors(64)?.count == 64)
        #expect(selectors(65) == nil && selectors(20_000) == nil)
    }

    @Test("CacheReport: the description is a Cache-Status field as in RFC 9211")
    func status() {
        #expect(CacheReport(secondsToLive: 5).description == "Simorgh; hit; ttl=5")
        #expect(CacheReport(forward: .uriMiss, isStored: true).description == "Simorgh; fwd=uri-miss; stored")
        let report = CacheReport(forward: .stale, forwardStatus: 304, secondsToLive: 9)
        #expect(report.description == "Simorgh; fwd=stale; fwd-status=304; ttl=9")
        #expect(report.isRevalidated && !report.isHit)
        #expect(
            CacheReport(secondsToLive: -1, isStale: true, detail: "x").description == "Simorgh; hit; ttl=-1; detail=x")
        let refused = CacheReport(detail: "only-if-cached", isRefused: true)
        #expect(refused.description == "Simorgh; detail=only-if-cached" && !refused.isHit)
    }
}

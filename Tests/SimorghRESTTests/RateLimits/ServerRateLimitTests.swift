// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghREST
import TestSupport
import Testing

@Suite("ServerRateLimit: fields", .timeLimit(.minutes(5)))
struct ServerRateLimitTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func limits(_ fields: [(String, String)], status: Int = 200) -> [ServerRateLimit] {
        var head = HTTPResponse(status: HTTPResponse.Status(code: status))
        for (name, value) in fields { head.headerFields.append(HTTPField(name: .known(name), value: value)) }
        return ServerRateLimit.limits(of: head, now: now)
    }

    private static func wait(_ limit: ServerRateLimit?) -> Double? { limit?.reset?.timeIntervalSince(now) }

    @Test("RateLimit and RateLimit-Policy: name, quota, window, remaining, end and partition of each policy")
    func draft() throws {
        let limits = Self.limits([
            ("RateLimit-Policy", #""burst";q=100;w=60, "daily";q=1000;w=86400;pk=:YWJj:"#),
            ("RateLimit", #""burst";r=50;t=30"#), ("RateLimit", #""daily";r=7;t=3600;pk=:YWJj:;other=1"#),
        ])
        try #require(limits.count == 2)
        #expect(limits.map(\.policy) == ["burst", "daily"])
        #expect(limits.map(\.limit) == [100, 1000])
        #expect(limits.map(\.remaining) == [50, 7])
        #expect(limits.map(\.window) == [.seconds(60), .seconds(86_400)])
        #expect(limits.map(\.partition) == [nil, "YWJj"])
        #expect(limits.map(Self.wait) == [30, 3600])
        #expect(limits.allSatisfy { $0.source == .rateLimit && $0.unit == "requests" })
    }

    @Test("RateLimit without a policy, a unit other than requests, and the dictionary of draft 7")
    func variants() throws {
        let bare = try #require(Self.limits([("RateLimit", #""default";r=999"#)]).first)
        #expect(bare.limit == nil && bare.reset == nil && bare.remaining == 999)
        let bytes = Self.limits([
            ("RateLimit-Policy", #""p";q=65535;qu="content-bytes";w=10"#), ("RateLimit", #""p";r=0;t=5"#),
        ])
        #expect(bytes.first?.unit == "content-bytes")
        let dictionary = try #require(
            Self.limits([("RateLimit-Policy", "100;w=60"), ("RateLimit", "limit=100, remaining=9, reset=5")]).first)
        #expect(dictionary.limit == 100 && dictionary.remaining == 9 && dictionary.window == .seconds(60))
        #expect(Self.wait(dictionary) == 5)
    }

    @Test(
        "Older fields: seconds from now, an epoch in seconds or milliseconds, and decimals",
        arguments: [
            ("RateLimit-", "5", 5.0), ("X-RateLimit-", "5", 5), ("X-Rate-Limit-", "1800000030", 30),
            ("X-RateLimit-", "1800000030", 30), ("X-RateLimit-", "1800000030000", 30), ("X-RateLimit-", "0.5", 0.5),
            ("X-RateLimit-", "1800000030.25", 30.25),
        ])
    func older(prefix: String, reset: String, expected: Double) throws {
        let limit = try #require(
            Self.limits([
                (prefix + "Limit", "100, 100;w=60"), (prefix + "Remaining", "3"), (prefix + "Reset", reset),
            ]).first)
        #expect(limit.limit == 100)
        #expect(limit.remaining == 3)
        #expect(Self.wait(limit) == expected)
        #expect(limit.source == (prefix == "RateLimit-" ? .rateLimitTriple : .xRateLimit))
    }

    @Test("An epoch counts by the server's Date, however far this machine's clock is off", arguments: [-86_400, 7_200])
    func skew(seconds: Int) throws {
        let server = Self.now.addingTimeInterval(Double(seconds))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let limit = Self.limits([
            ("Date", formatter.string(from: server)), ("X-RateLimit-Remaining", "0"),
            ("X-RateLimit-Reset", "\(Int(server.timeIntervalSince1970) + 90)"), ("X-RateLimit-Resource", "search"),
        ]).first
        #expect(Self.wait(limit) == 90)
        #expect(limit?.partition == "search")
    }

    @Test("Retry-After counts with 429 and 503, and takes precedence over the end of a window", arguments: [429, 503])
    func retryAfter(status: Int) {
        let limits = Self.limits([("RateLimit", #""p";r=0;t=60"#), ("Retry-After", "7")], status: status)
        #expect(limits.map(\.source) == [.rateLimit, .retryAfter])
        #expect(limits.map(Self.wait) == [7, 7])
        #expect(Self.limits([("Retry-After", "7")], status: 301).isEmpty)
        #expect(Self.limits([("Retry-After", "soon")], status: status).isEmpty)
    }

    @Test(
        "Retry-After is for the parts that are used up, or for the part that the response names",
        arguments: [
            ([], [nil]), ([("X-RateLimit-Resource", "search")], ["search"]),
            ([("X-RateLimit-Resource", "search"), ("X-RateLimit-Remaining", "0")], ["search"]),
            ([("X-RateLimit-Resource", "search"), ("X-RateLimit-Remaining", "5")], ["search"]),
            ([("X-RateLimit-Resource", String(repeating: "a", count: 257))], [nil]),
            ([("RateLimit", #""a";r=0;pk=:YQ==:, "b";r=3;pk=:Yg==:"#)], ["YQ=="]),
            ([("RateLimit", #""b";r=0;pk=:Yg==:, "a";r=0;pk=:YQ==:"#)], ["YQ==", "Yg=="]),
            ([("RateLimit", #""a";r=0, "b";r=0;pk=:Yg==:"#)], [nil]),
            ([("RateLimit", #""a";r=9, "b";r=0;pk=:Yg==:"#)], ["Yg=="]),
        ] as [([(String, String)], [String?])])
    func retryAfterParts(fields: [(String, String)], parts: [String?]) {
        for status in [429, 503] {
            let limits = Self.limits(fields + [("Retry-After", "7")], status: status)
            #expect(limits.filter { $0.source == .retryAfter }.map(\.partition) == parts)
        }
    }

    @Test(
        "The fields of OpenAI are read, with a reset in units of time",
        arguments: [
            ("1s", 1.0), ("6m0s", 360), ("250ms", 0.25), ("1h2m3.5s", 3723.5), ("0s", 0), ("5", 5), ("soon", nil),
            ("1d", nil), ("1s2", nil), ("-1s", nil), ("1.2.3s", nil), ("", nil),
            (String(repeating: "9", count: 65) + "s", nil),
        ] as [(String, Double?)])
    func requests(reset: String, expected: Double?) throws {
        let limits = Self.limits([
            ("x-ratelimit-limit-requests", "60"), ("x-ratelimit-remaining-requests", "59"),
            ("x-ratelimit-reset-requests", reset), ("x-ratelimit-limit-tokens", "150000"),
            ("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "6m0s"),
        ])
        try #require(limits.count == 1)
        #expect(limits[0].limit == 60 && limits[0].remaining == 59 && limits[0].source == .xRateLimit)
        #expect(Self.wait(limits[0]) == expected)
    }

    @Test("The newest form counts, and a response from a cache states no limit")
    func precedence() {
        let limits = Self.limits([
            ("RateLimit", #""p";r=1;t=2"#), ("RateLimit-Remaining", "5"), ("X-RateLimit-Remaining", "9"),
        ])
        #expect(limits.map(\.remaining) == [1])
        #expect(Self.limits([("RateLimit", "\"p\";r"), ("X-RateLimit-Remaining", "9")]).map(\.remaining) == [9])
        #expect(Self.limits([("RateLimit", #""p";r=1;t=2"#), ("Age", "3")]).isEmpty)
        #expect(Self.limits([("RateLimit", #""p";r=1;t=2"#), ("Age", "0")]).count == 1)
    }

    @Test(
        "Malformed and hostile values are ignored or bounded",
        arguments: [
            ("RateLimit", #""p";r=-1;t=5"#), ("RateLimit", "\"p\""), ("RateLimit", "\"p\";r=1.5"),
            ("RateLimit", "\"p\";r=99999999999999999999"), ("RateLimit", "("), ("RateLimit", "\"p\";r=NaN"),
            ("X-RateLimit-Remaining", "-5"), ("X-RateLimit-Remaining", "NaN"), ("X-RateLimit-Remaining", "inf"),
            ("X-RateLimit-Remaining", ""), ("X-RateLimit-Remaining", "0x10"), ("X-RateLimit-Remaining", "1e3"),
            ("RateLimit", String(repeating: #""p";r=1,"#, count: 2000)),
        ])
    func malformed(name: String, value: String) {
        #expect(Self.limits([(name, value)]).isEmpty)
    }

    @Test(
        "Huge numbers do not trap, and end as a wait that is bounded",
        arguments: [String(repeating: "9", count: 31), "1000000000000000000000000000000", "999999999999999"])
    func huge(number: String) throws {
        let limit = try #require(
            Self.limits([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Limit", number), ("X-RateLimit-Reset", number)])
                .first)
        var quota = ServerQuota()
        let first = quota.sent(now: .zero)
        quota.answered([limit], to: first, now: .zero, date: Self.now, longest: .seconds(3600))
        #expect(quota.turn(now: .zero) == .wait(.seconds(3600), because: quota.limits(now: .zero)[0], isCertain: true))
        #expect(quota.turn(now: .seconds(3600)) == .allowed)
    }

    @Test("Many limits in one response are cut to eight")
    func many() {
        let value = (0..<50).map { "\"p\($0)\";r=1;t=1" }.joined(separator: ", ")
        #expect(Self.limits([("RateLimit", value)]).count == 8)
    }

    @Test("Random field values never trap", arguments: 0..<50 as Range<UInt64>)
    func random(seed: UInt64) {
        var random = SeededNumbers(seed)
        let alphabet = Array("\"p;rt=0123456789-.,:()qw NaNe+*?")
        func text() -> String {
            let length = Int.random(in: 0...40, using: &random)
            return String((0..<length).compactMap { _ in alphabet.randomElement(using: &random) })
        }
        for _ in 0..<200 {
            let limits = Self.limits(
                [
                    ("RateLimit", text()), ("RateLimit-Policy", text()), ("X-RateLimit-Remaining", text()),
                    ("X-RateLimit-Reset", text()), ("Retry-After", text()), ("X-RateLimit-Remaining-Requests", "1"),
                    ("X-RateLimit-Reset-Requests", text() + "m5s"),
                ], status: 429)
            var quota = ServerQuota()
            quota.answered(limits, to: nil, now: .zero, date: Self.now, longest: .seconds(10))
            if case .wait(let wait, _, _) = quota.turn(now: .zero) { #expect(wait <= .seconds(10), "seed \(seed)") }
        }
    }
}

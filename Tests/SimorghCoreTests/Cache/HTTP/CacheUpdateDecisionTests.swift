// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Testing

@Suite("CacheUpdateDecision", .timeLimit(.minutes(5)))
struct CacheUpdateDecisionTests {
    typealias Fields = [(String, String)]

    static func reception(
        _ status: Int, _ fields: Fields, request: CacheRequest = .sample(), stored: StoredResponse? = nil,
        after seconds: Double = 0, rules: CacheRules = CacheRules()
    ) -> CacheUpdateDecision? {
        let now = cacheStart + Int64(seconds * 1000)
        let decision = CacheDecision(request, stored: stored.map { [$0] } ?? [], now: now, rules: rules)
        guard case .forward(let forward) = decision else { return nil }
        let head = HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: .sample(fields))
        return CacheUpdateDecision(
            head, to: forward, request: request, about: forward.index == nil ? nil : stored, sent: now, now: now,
            rules: rules)
    }

    static func word(_ reception: CacheUpdateDecision?) -> String {
        switch reception?.storing {
        case nil: "no answer was wanted"
        case .nothing?: "nothing"
        case .store?: "store"
        case .update(let stored)?: stored.isInvalidated ? "invalid" : "update"
        case .remove?: "remove"
        }
    }

    @Test(
        "The status and the directives of a response decide whether it is stored",
        arguments: [
            (200, [("Cache-Control", "max-age=10")], "store"),
            (200, [("Cache-Control", "MAX-AGE=10, private")], "store"),
            (200, [("Cache-Control", "max-age=10, no-store")], "nothing"),
            (200, [("Cache-Control", "No-StOrE")], "nothing"),
            (200, [("Cache-Control", "max-age=10, no-store, must-understand")], "store"),
            (599, [("Cache-Control", "max-age=10, must-understand")], "nothing"),
            (599, [("Cache-Control", "max-age=10")], "store"), (499, [("Cache-Control", "max-age=10")], "store"),
            (503, [("Cache-Control", "max-age=10")], "store"), (302, [("Cache-Control", "max-age=10")], "store"),
            (302, [("ETag", "\"x\"")], "nothing"), (302, [("Cache-Control", "public"), ("ETag", "\"x\"")], "store"),
            (206, [("Cache-Control", "max-age=10")], "nothing"), (304, [("Cache-Control", "max-age=10")], "nothing"),
            (103, [("Cache-Control", "max-age=10")], "nothing"), (200, [], "nothing"),
            (200, [("ETag", "\"x\"")], "store"),
            (200, [("Cache-Control", "no-cache"), ("ETag", "\"x\"")], "store"),
            (200, [("Cache-Control", "no-cache")], "nothing"),
            (200, [("Cache-Control", "max-age=10"), ("Vary", "*")], "nothing"),
            (200, [("Cache-Control", "max-age=10"), ("Vary", "a")], "store"),
            (404, [("Last-Modified", "Wed, 31 Dec 2025 00:00:00 GMT")], "store"),
            (202, [("Last-Modified", "Wed, 31 Dec 2025 00:00:00 GMT")], "nothing"),
            (200, [("Cache-Control", "max-age=0")], "nothing"),
            (200, [("Cache-Control", "max-age=0, stale-while-revalidate=60")], "store"),
            (200, [("Cache-Control", "max-age=0, stale-if-error=60")], "store"),
            (200, [("Cache-Control", "max-age=0, stale-while-revalidate=0, stale-if-error=x")], "nothing"),
            (200, [("Cache-Control", "max-age=0, stale-if-error=60, must-revalidate")], "nothing"),
            (200, [("Cache-Control", "no-cache, stale-while-revalidate=60")], "nothing"),
            (200, [("Expires", "Thu, 01 Jan 2026 00:00:10 GMT")], "store"),
        ] as [(Int, Fields, String)])
    func stored(status: Int, fields: Fields, result: String) {
        #expect(Self.word(Self.reception(status, fields)) == result)
    }

    @Test(
        "The method, the fields and the status of an exchange decide whether the response is stored",
        arguments: [
            ("GET", [], 200, "store"), ("HEAD", [], 200, "nothing"), ("POST", [], 200, "nothing"),
            ("PUT", [], 200, "nothing"),
            ("OPTIONS", [], 200, "nothing"), ("GET", [("Cache-Control", "no-store")], 200, "nothing"),
            ("GET", [("Authorization", "x")], 200, "store"), ("GET", [("Range", "bytes=0-1")], 200, "store"),
            ("GET", [("Range", "bytes=0-1")], 416, "nothing"), ("GET", [("If-None-Match", "\"x\"")], 200, "store"),
            ("GET", [("If-None-Match", "\"x\"")], 404, "nothing"), ("GET", [("If-Match", "\"x\"")], 200, "nothing"),
        ] as [(String, Fields, Int, String)])
    func askers(method: String, fields: Fields, status: Int, result: String) {
        let request = CacheRequest.sample(fields, method: method)
        #expect(Self.word(Self.reception(status, [("Cache-Control", "max-age=10")], request: request)) == result)
    }

    @Test("A response without a validator that is stale on arrival (max-age=0) is stored for the stale-* windows")
    func windows() throws {
        func kept(_ control: String, _ rules: CacheRules = CacheRules()) throws -> StoredResponse {
            let reception = try #require(Self.reception(200, [("Cache-Control", control)], rules: rules))
            guard case .store(let stored) = reception.storing else { throw CancellationError() }
            return stored
        }
        let revalidated = try kept("max-age=0, stale-while-revalidate=60")
        #expect(CacheDecisionTests.word([revalidated], .sample(), after: 1) == "refresh")
        #expect(CacheDecisionTests.word([revalidated], .sample(), after: 61) == "send")
        var rules = CacheRules()
        rules.staleIfError = 60_000
        _ = try kept("max-age=0", rules)
        #expect(Self.word(Self.reception(200, [("Cache-Control", "no-cache")], rules: rules)) == "nothing")
    }

    @Test("A response that is never fresh is stored if a strategy or rule allows any age, unless it has no-store")
    func anyAge() {
        #expect(Self.word(Self.reception(200, [], request: .sample(strategy: .returnCacheDataElseLoad))) == "store")
        var rules = CacheRules()
        rules.storesForAnyAge = true
        #expect(Self.word(Self.reception(200, [], rules: rules)) == "store")
        #expect(Self.word(Self.reception(200, [("Cache-Control", "no-store")], rules: rules)) == "nothing")
    }

    @Test("SMA11: a 304 to a validation of the cache returns the stored response with the new fields")
    func validated() throws {
        let old = StoredResponse.sample([
            ("Cache-Control", "max-age=10"), ("ETag", "\"x\""), ("A", "1"), ("B", "1"),
            ("Date", CacheDecisionTests.date),
        ])
        let reception = try #require(
            Self.reception(
                304, [("A", "2"), ("ETag", "\"x\""), ("Cache-Control", "max-age=20")], stored: old, after: 60))
        let reply = try #require(reception.reply)
        #expect(reply.shape == .whole && reply.age == 0 && reply.report.isRevalidated)
        guard case .update(let new) = reception.storing else { return #expect(Bool(false)) }
        #expect(new.fields[.known("A")] == "2" && new.fields[.known("B")] == "1")
        #expect(CacheDecisionTests.word([new], .sample(), after: 79.9) == "hit")
        #expect(CacheDecisionTests.word([new], .sample(), after: 80) == "ask")
    }

    @Test(
        "A 304 to a validation updates, removes or keeps the stored response",
        arguments: [
            ([("ETag", "W/\"x\"")], "update"), ([("Cache-Control", "private")], "remove"),
            ([("Set-Cookie", "sid=2")], "remove"), ([("Cache-Control", "max-age=5")], "update"),
            ([], "update"), ([("Cache-Control", "no-store")], "remove"), ([("Vary", "*")], "remove"),
            ([("Vary", "a")], "remove"), ([("ETag", "W/\"y\"")], "nothing"), ([("ETag", "\"y\"")], "nothing"),
        ] as [(Fields, String)])
    func validation(fields: Fields, result: String) throws {
        let old = StoredResponse.sample([("Cache-Control", "max-age=10"), ("ETag", "\"x\"")])
        let reception = try #require(Self.reception(304, fields, stored: old, after: 60))
        #expect(Self.word(reception) == result)
        #expect(reception.reply?.shape == .whole, "the 304 confirmed the body")
    }

    @Test(
        "A 304 to the caller's own condition is passed to the caller and updates the matching stored response",
        arguments: [
            ([("If-None-Match", "\"x\"")], [], "update"), ([("If-None-Match", "\"x\"")], [("ETag", "\"x\"")], "update"),
            ([("If-None-Match", "\"y\"")], [], "nothing"), ([("If-None-Match", "\"x\", \"y\"")], [], "nothing"),
            ([("If-None-Match", "\"x\", \"y\"")], [("ETag", "\"x\"")], "update"),
            ([("If-None-Match", "\"y\"")], [("ETag", "\"y\"")], "nothing"),
        ] as [(Fields, Fields, String)])
    func callers(request: Fields, answer: Fields, result: String) throws {
        let old = StoredResponse.sample([("Cache-Control", "max-age=10"), ("ETag", "\"x\"")])
        let reception = try #require(Self.reception(304, answer, request: .sample(request), stored: old, after: 60))
        #expect(Self.word(reception) == result)
        #expect(reception.reply == nil)
    }

    @Test(
        "stale-if-error: a stale response replaces a server error within its window",
        arguments: [
            ("max-age=10, stale-if-error=60", [], 503, 70, true), ("max-age=10, stale-if-error=60", [], 503, 71, false),
            ("max-age=10, stale-if-error=60", [], 404, 20, false),
            ("max-age=10, stale-if-error=60", [], 501, 20, false),
            ("max-age=10, stale-if-error=60, must-revalidate", [], 503, 20, false),
            ("max-age=10, stale-if-error=60, no-cache", [], 503, 20, false), ("max-age=10", [], 503, 20, false),
            ("max-age=10", [("Cache-Control", "stale-if-error=60")], 500, 20, true),
            ("max-age=10, stale-if-error=60", [("Cache-Control", "no-cache")], 503, 20, false),
        ] as [(String, Fields, Int, Double, Bool)])
    func staleIfError(control: String, request: Fields, status: Int, seconds: Double, isServed: Bool) throws {
        let old = StoredResponse.sample([("Cache-Control", control), ("ETag", "\"x\"")])
        let reception = try #require(
            Self.reception(
                status, [("Cache-Control", "max-age=9")], request: .sample(request), stored: old, after: seconds))
        #expect((reception.reply != nil) == isServed)
        if isServed {
            #expect(reception.storing == .nothing)
            #expect(reception.reply?.report.forwardStatus == status)
        }
    }

    @Test("CacheRules.staleIfError applies if the server sets no window, but does not override must-revalidate")
    func ownWindow() throws {
        var rules = CacheRules()
        rules.staleIfError = 3_600_000
        let old = StoredResponse.sample([("Cache-Control", "max-age=10"), ("ETag", "\"x\"")])
        #expect(Self.reception(503, [], stored: old, after: 60, rules: rules)?.reply != nil)
        let strict = StoredResponse.sample([("Cache-Control", "max-age=10, must-revalidate"), ("ETag", "\"x\"")])
        #expect(Self.reception(503, [], stored: strict, after: 60, rules: rules)?.reply == nil)
    }

    @Test(
        "A new response replaces, removes or keeps the stored one",
        arguments: [
            (200, [("Cache-Control", "max-age=10")], "store"), (200, [], "remove"),
            (200, [("Cache-Control", "no-store")], "nothing"),
            (404, [], "remove"), (500, [], "nothing"), (200, [("Vary", "*")], "remove"),
        ] as [(Int, Fields, String)])
    func replaced(status: Int, fields: Fields, result: String) {
        let old = StoredResponse.sample([("Cache-Control", "max-age=10"), ("ETag", "\"x\"")])
        #expect(Self.word(Self.reception(status, fields, stored: old, after: 60)) == result)
    }

    @Test(
        "A response to HEAD updates, invalidates, removes or keeps the stored response",
        arguments: [
            (200, [("Cache-Control", "max-age=99")], "nothing"), (200, [("Last-Modified", "x")], "invalid"),
            (200, [("ETag", "\"x\""), ("Set-Cookie", "sid=2")], "remove"), (200, [("ETag", "\"x\"")], "update"),
            (200, [("ETag", "\"y\"")], "invalid"), (200, [("Content-Length", "12")], "invalid"),
            (200, [("Content-Length", "11")], "update"), (404, [], "nothing"), (500, [], "nothing"),
        ] as [(Int, Fields, String)])
    func head(status: Int, fields: Fields, result: String) {
        let old = StoredResponse.sample([("Cache-Control", "max-age=10"), ("ETag", "\"x\""), ("Content-Length", "11")])
        let request = CacheRequest.sample(method: "HEAD")
        #expect(Self.word(Self.reception(status, fields, request: request, stored: old, after: 60)) == result)
    }

    @Test("A HEAD response without a validator updates the only stored response; one with a new ETag invalidates it")
    func headWithoutValidators() {
        let old = StoredResponse.sample([("Cache-Control", "max-age=10")])
        let request = CacheRequest.sample(method: "HEAD")
        for (fields, word) in [([("Cache-Control", "max-age=99")], "update"), ([("ETag", "\"x\"")], "invalid")] {
            #expect(Self.word(Self.reception(200, fields, request: request, stored: old, after: 60)) == word)
        }
    }

    @Test(
        "A successful unsafe request invalidates its URL and same-origin Location and Content-Location",
        arguments: [
            ("POST", 200, [], ["x"]), ("PUT", 204, [], ["x"]), ("DELETE", 302, [], ["x"]), ("M-SEARCH", 200, [], ["x"]),
            ("POST", 400, [], []), ("POST", 500, [], []), ("GET", 200, [], []), ("OPTIONS", 200, [], []),
            ("POST", 201, [("Location", "/y")], ["x", "y"]), ("POST", 201, [("Content-Location", "y")], ["x", "y"]),
            ("POST", 201, [("Location", "https://A.example:443/y#z")], ["x", "y"]),
            ("POST", 201, [("Location", "https://b.example/y")], ["x"]),
            ("POST", 201, [("Location", "http://a.example/y")], ["x"]),
            ("POST", 201, [("Location", "/x")], ["x"]),
        ] as [(String, Int, Fields, [String])])
    func invalidation(method: String, status: Int, fields: Fields, paths: [String]) throws {
        let reception = try #require(Self.reception(status, fields, request: .sample(method: method)))
        #expect(reception.invalidated == paths.map { "https://a.example/\($0)" })
    }
}

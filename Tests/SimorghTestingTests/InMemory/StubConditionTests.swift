// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StubConditionTests {
    private static let shown = "https://a.test/x?page=…&api_key=…"

    private func request(_ method: HTTPRequest.Method = .get, _ url: String) throws -> RecordedRequest {
        let url = try #require(URL(string: url))
        let port = url.port.map { ":\($0)" } ?? ""
        let query = url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        return RecordedRequest(
            index: 0,
            head: HTTPRequest(
                method: method, scheme: url.scheme, authority: (url.host() ?? "") + port,
                path: url.path(percentEncoded: true) + query, headerFields: [.accept: "text/html"]),
            body: Data())
    }

    @Test(
        "SMA17: a condition matches only the requests that it describes",
        arguments: [
            (StubCondition.isPath("/v1/users"), "https://a.test/v1/users?x=1", "https://a.test/v1/users/"),
            (.pathStartsWith("/v1"), "https://a.test/v1/users", "https://a.test/v2/v1"),
            (.pathEndsWith("users"), "https://a.test/v1/users", "https://a.test/users/7"),
            (.pathContains(["users", "7"]), "https://a.test/7/users", "https://a.test/users/77"),
            (.pathContains(["users", "7"], keepingOrder: true), "https://a.test/users/x/7", "https://a.test/7/users"),
            (.isHost("a.test"), "https://A.test:8080/", "https://b.test/"),
            (.isHost("a.test:8080"), "https://a.test:8080/", "https://a.test/"),
            (.isScheme("https"), "https://a.test/", "http://a.test/"),
            (.isMethod(.get), "https://a.test/", ""),
            (.isAbsoluteURLString("https://a.test/x?y=1"), "https://a.test/x?y=1", "https://a.test/x"),
            (.isAddress("https://a.test/x"), "https://a.test/x?y=1", "https://a.test/y"),
            (.pathMatches(/\/users\/\d+/), "https://a.test/users/42", "https://a.test/users/42/x"),
            (.absoluteStringMatches(/https:.*\?id=\d/), "https://a.test/u?id=4", "https://a.test/u?id=a"),
            (.hasQuery("a b", value: "1&2"), "https://a.test/?a%20b=1%262", "https://a.test/?a+b=1"),
            (.hasQuery("a"), "https://a.test/?a=", "https://a.test/?b=a"),
            (.hasHeader(.accept, value: "text/html") && .isPath("/x"), "https://a.test/x", "https://a.test/y"),
            (.isPath("/x") || .isPath("/y"), "https://a.test/y", "https://a.test/z"),
            (!.isPath("/x"), "https://a.test/y", "https://a.test/x"),
            (.custom { $0.query.count == 2 }, "https://a.test/?a&b", "https://a.test/?a"),
        ])
    func table(condition: StubCondition, meant: String, other: String) throws {
        #expect(condition.matches(try request(meant)))
        let stranger = try other.isEmpty ? request(.post, meant) : request(other)
        #expect(!condition.matches(stranger))
        #expect(!condition.evaluate(stranger).misses.isEmpty)
    }

    @Test(
        "The reason for a mismatch shows query values, but redacts values with sensitive names",
        arguments: [
            (StubCondition.hasQuery("page", value: "3"), "the query's page is 2, not 3"),
            (.hasQuery("api_key", value: "k"), "the query's api_key is [hidden], not k"),
            (.isAddress("https://a.test/x?page=2"), "the address is \(shown), not https://a.test/x?page=2"),
            (.isAddress("https://a.test/y"), "the address is https://a.test/x, not https://a.test/y"),
            (.absoluteStringMatches(/https:.*\/y/), "the expression does not match the URL \(shown)"),
        ])
    func reasons(condition: StubCondition, reason: String) throws {
        #expect(condition.evaluate(try request("https://a.test/x?page=2&api_key=s3cret")).misses == [reason])
    }

    @Test("Path parameters are reported, and combined conditions keep them")
    func places() throws {
        let condition = StubCondition.isMethod(.get) && .path("/users/{id}/*")
        let result = condition.evaluate(try request("https://a.test/users/a%20b/x/y"))
        #expect(result.isMatch && result.parameters == ["id": "a b", "*": "x/y"])
    }

    @Test("A more specific condition ranks higher")
    func ranks() throws {
        let asked = try request("https://a.test/users/7?x=1")
        let fromMost: [StubCondition] = [
            .path("/users/7") && .hasQuery("x") && .hasHeader(.accept),
            .isAbsoluteURLString("https://a.test/users/7?x=1"), .path("/users/7"),
            .path("/users/{id}") && .hasQuery("x"), .path("/users/{id}"),
            .path("/users/*") && .hasHeader(.accept), .path("/users/*"), .path("/{kind}/{id}"), .path("/*"),
        ]
        let ranks = fromMost.map { $0.evaluate(asked).rank }
        for (higher, lower) in zip(ranks, ranks.dropFirst()) { #expect(higher > lower) }
        // A test overrides with a condition without parameters, such as an outage of all paths below a prefix.
        let overrides: [StubCondition] = [.any, .isPath("/users/7"), .pathStartsWith("/users"), .isHost("a.test")]
        for condition in overrides { #expect(condition.evaluate(asked).rank == ranks[2]) }
    }

    @Test("Similarity is 1 for equal strings, 0 for nothing in common, and otherwise depends on the edit distance")
    func similarity() {
        #expect(MatchResult.similarity(of: "", to: "") == 1)
        #expect(MatchResult.similarity(of: "abc", to: "") == 0)
        #expect(MatchResult.similarity(of: "abc", to: "xyz") == 0)
        #expect(MatchResult.similarity(of: "/user", to: "/users") == 1 - 1.0 / 6)
        #expect(MatchResult.similarity(of: "kitten", to: "sitting") == 1 - 3.0 / 7)
    }
}

extension StubConditionTests {
    fileprivate func request(_ url: String) throws -> RecordedRequest { try request(.get, url) }
}

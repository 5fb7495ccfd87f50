// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Simorgh
import SimorghNIO
import TestSupport
import Testing

/// Idempotency keys, rate limits and QUERY against a server that enforces them (Tests/Peers/rest/quotas.py).
@Suite("Keys, limits and queries against a server", .timeLimit(.minutes(5)))
struct QuotaWitnessTests {
    private struct Report: Decodable, Sendable {
        var keys: [String]
        var orders: Int
        var accepted: Int
        var refused: Int
        var queries: Int
        var methods: [String]
    }

    private struct Order: Decodable, Sendable { var order: Int }

    private struct Answer: Decodable, Sendable {
        var method: String
        var type: String
        var content: String
    }

    private let name = UUID().uuidString.lowercased()

    private func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) throws -> APIClient {
        APIClient(baseURL: try Witness.quotas.url).with {
            $0.retry = RetryPolicy()
            $0.retry?.baseDelay = .milliseconds(20)
            $0.retry?.idempotencyKey = .automatic()
            change(&$0)
        }
    }

    private func report() async throws -> Report {
        try await APIClient(baseURL: try Witness.quotas.url).get("report", query: ["name": name])
    }

    @Test("A POST whose answers are lost twice creates one order", arguments: [RequestMethod.post, .patch])
    func lost(method: RequestMethod) async throws {
        let order = try await client().call(method, "orders/\(name)", query: ["lose": 2], body: .text("one"))
            .decode(Order.self)
        let report = try await report()
        #expect(order.order == 1)
        #expect(report.orders == 1)
        #expect(report.keys.count == 3)
        #expect(Set(report.keys).count == 1)
    }

    @Test("A call that ran out of patience with the first attempt gets the order of that attempt, after 409")
    func inProgress() async throws {
        let client = try client {
            $0.timeouts.head = .milliseconds(300)
            $0.retry?.baseDelay = .milliseconds(200)
            $0.retry?.jitter = .none
        }
        let order = try await client.call(.post, "orders/\(name)", query: ["hold": 1000], body: .text("one"))
            .decode(Order.self)
        let report = try await report()
        #expect(order.order == 1)
        #expect(report.orders == 1)
        #expect(Set(report.keys).count == 1)
    }

    @Test("A redirect on the same origin keeps the key, and each call has its own")
    func redirected() async throws {
        let client = try client()
        let call = client.call(.post, "orders/\(name)", query: ["move": 1], body: .text("one"))
        for _ in 0..<2 { try await call.void() }
        let report = try await report()
        #expect(report.orders == 2)
        #expect(report.keys.count == 4)
        #expect(Set(report.keys).count == 2)
    }

    @Test("A key of the program's own with another body is refused with 422, and the same body gets the stored answer")
    func own() async throws {
        let client = try client()
        let headers = ["Idempotency-Key": "\"order-4711\""]
        func place(_ body: String) async throws -> Order {
            try await client.call(.post, "orders/\(name)", headers: headers, body: .text(body)).decode(Order.self)
        }
        #expect(try await place("one").order == 1)
        #expect(try await place("one").order == 1)
        let error = await #expect(throws: NetworkError.self) { try await place("two") }
        #expect(error?.statusCode == 422)
    }

    @Test(
        "25 concurrent requests to a server that allows 5 a second are sent without one refusal",
        arguments: ["draft", "dictionary", "triple", "delta", "epoch", "skewed"])
    func limited(style: String) async throws {
        let client = try client { $0.resilience.rateLimit = .fromServer }
        let query: QueryItems = ["limit": 5, "window": 1, "style": style]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<25 {
                group.addTask { try await client.call(.get, "limited/\(name)", query: query).void() }
            }
            try await group.waitForAll()
        }
        let report = try await report()
        #expect(report.accepted == 25)
        #expect(report.refused == 0)
        #expect(client.rateLimits().first?.limit == 5)
    }

    @Test("The parts of a quota are separate")
    func parts() async throws {
        let client = try client { $0.resilience.rateLimit = .fromServer }
        func ask(_ part: String) async throws {
            try await client.call(
                .get, "limited/\(name)/\(part)", query: ["limit": 1, "window": 30, "parts": 1]
            ).with { $0.timeouts.total = .seconds(5) }.void()
        }
        try await ask("a")
        try await ask("b")
        let error = await #expect(throws: NetworkError.self) { try await ask("a") }
        #expect((error?.underlyingError as? RateLimitExceededError)?.reason == .deadline)
        #expect(try await report().refused == 0)
    }

    enum Path: CaseIterable { case direct, http2, http2InTheClear }

    private func searching(_ path: Path) throws -> APIClient {
        switch path {
        case .direct: return try client()
        case .http2:
            let root = try #require(ProcessInfo.processInfo.environment["SIMORGH_PEERS_ROOT"])
            return APIClient(baseURL: try Witness.nginxOverHTTP2.url + "/quotas").with {
                $0.tls.trust = .only([.file(root)])
            }
        case .http2InTheClear:
            return APIClient(baseURL: try Witness.nginxOverHTTP2InTheClear.url + "/quotas").with {
                $0.httpVersion = .http2PriorKnowledge
            }
        }
    }

    @Test("A QUERY reaches the server with its content, over HTTP/1.1 and HTTP/2", arguments: Path.allCases)
    func query(path: Path) async throws {
        let answer = try await searching(path).call(.query, "search/\(name)", body: .json(["bird": "simorgh"]))
            .decode(Answer.self)
        #expect(answer.method == "QUERY")
        #expect(answer.type == "application/json")
        #expect(answer.content == #"{"bird":"simorgh"}"#)
    }

    @Test("A cached QUERY is sent once for each content")
    func cached() async throws {
        let client = try client { $0.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0)) }
        for content in ["a", "b", "a", "b"] {
            let answer = try await client.call(.query, "search/\(name)", body: .text(content)).decode(Answer.self)
            #expect(answer.content == content)
        }
        #expect(try await report().queries == 2)
    }

    @Test("A redirected QUERY stays one with its content, except after 303", arguments: [301, 302, 303, 307, 308])
    func queryRedirected(status: Int) async throws {
        let answer = try await client().call(.query, "search/\(name)", query: ["status": status], body: .text("q"))
            .decode(Answer.self)
        #expect(answer.method == (status == 303 ? "GET" : "QUERY"))
        #expect(answer.content == (status == 303 ? "" : "q"))
    }

    @Test("Accept-Query lists the media types")
    func acceptQuery() async throws {
        let response = try await client().call(.options, "search/\(name)").response().response
        let accepted = try #require(AcceptQuery(response.headers))
        #expect(accepted.accepts("text/plain") && accepted.accepts("application/json"))
        #expect(!accepted.accepts("application/sql"))
    }
}

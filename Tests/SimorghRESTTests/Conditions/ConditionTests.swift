// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghREST
import SimorghTesting
import Testing

@Suite("Conditional calls", .timeLimit(.minutes(5)))
struct ConditionTests {
    private static let tag = EntityTag("\"v1\"")

    @Test("ifMatch, ifExists and ifNew send their fields, and replace those of the caller")
    func fields() async throws {
        let server = StubServer { _ in .status(.noContent) }
        let client = APIClient.scripted(server)
        let tag = try #require(Self.tag)
        try await client.call(.put, "a", headers: ["if-match": "\"v0\""]).ifMatch(tag).void()
        try await client.call(.delete, "a").ifExists().void()
        try await client.call(.put, "a").ifNew().void()
        #expect(server.requests.map { $0.head.headerFields[values: .ifMatch] } == [["\"v1\""], ["*"], []])
        #expect(server.requests.map { $0.head.headerFields[values: .ifNoneMatch] } == [[], [], ["*"]])
    }

    @Test("A weak tag is refused before anything is sent")
    func weak() async throws {
        let server = StubServer { _ in .status(.noContent) }
        let tag = try #require(EntityTag("W/\"v1\""))
        let error = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(server).call(.put, "a").ifMatch(tag).void()
        }
        guard case .invalidRequest(let cause, _) = error else { throw error }
        #expect(cause.reason == .invalidHeader)
        #expect(server.requestCount == 0)
    }

    @Test("A redirect to another origin refuses the write; one to the same origin keeps the condition")
    func redirects() async throws {
        let server = StubServer()
        server.on("https://api.test/same", response: .status(.temporaryRedirect).header(.location, value: "/b"))
        server.on(
            "https://api.test/away",
            response: .status(.temporaryRedirect).header(.location, value: "https://other.test/b"))
        server.on("https://api.test/see", response: .status(.seeOther).header(.location, value: "https://other.test/b"))
        server.on("/b", response: .status(.ok))
        let client = APIClient.scripted(server)
        let tag = try #require(Self.tag)
        try await client.call(.put, "same", body: .text("x")).ifMatch(tag).void()
        #expect(server.requests.last?.head.headerFields[.ifMatch] == "\"v1\"")
        let count = server.requestCount
        let error = try await #require(throws: NetworkError.self) {
            try await client.call(.put, "away", body: .text("x")).ifMatch(tag).void()
        }
        let cause = try #require(error.underlyingError as? EntityTagError)
        #expect(cause.reason == .anotherOrigin)
        #expect(cause.url == "https://other.test/b")
        #expect(server.requestCount == count + 1)
        // 303 leaves the write behind: the GET that follows has no condition.
        try await client.call(.put, "see", body: .text("x")).ifMatch(tag).void()
        let last = try #require(server.requests.last)
        #expect(last.method == .get)
        #expect(last.head.headerFields[.ifMatch] == nil)
    }

    @Test("A request that an interceptor builds anew for another origin is refused")
    func builtAnew() async throws {
        let server = StubServer { _ in .status(.noContent) }
        let tag = try #require(Self.tag)
        let anew = Interceptor { request, next in
            var head = request.head
            head.authority = "other.test"
            return try await next(TransportRequest(head: head, body: request.body))
        }
        let call = APIClient.scripted(server).call(.put, "a").ifMatch(tag).with { $0.interceptors.append(anew) }
        let error = try await #require(throws: NetworkError.self) { try await call.void() }
        #expect((error.underlyingError as? EntityTagError)?.reason == .anotherOrigin)
        #expect(server.requestCount == 0)
    }

    @Test("A refused write has the current representation and its tag", arguments: [412, 428])
    func refused(status: Int) async throws {
        let server = StubServer { _ in
            .json(#"{"name":"Zal"}"#, status: .init(code: status)).header(.eTag, value: "\"v2\"")
        }
        let tag = try #require(Self.tag)
        let error = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(server).call(.put, "a").ifMatch(tag).void()
        }
        let refused = try #require(error.preconditionError)
        #expect(refused.statusCode == status)
        #expect(refused.isConditionMissing == (status == 428))
        #expect(refused.entityTag == EntityTag("\"v2\""))
        #expect(try refused.representation(as: [String: String].self) == ["name": "Zal"])
        #expect("\(refused)".contains("PUT https://api.test/a was refused with \(status)"))
    }

    @Test("Problem details are no representation, and other statuses no refusal")
    func problems() async throws {
        let problem = StubServer { _ in
            .bytes(.init("{}".utf8), contentType: "application/problem+json", status: .preconditionFailed)
        }
        let error = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(problem).call(.put, "a").void()
        }
        #expect(try error.preconditionError?.representation(as: [String: String].self) == nil)
        #expect(error.preconditionError?.representation == nil)
        let conflict = StubServer { _ in .status(.conflict) }
        let other = try await #require(throws: NetworkError.self) {
            try await APIClient.scripted(conflict).call(.put, "a").void()
        }
        #expect(other.preconditionError == nil)
    }
}

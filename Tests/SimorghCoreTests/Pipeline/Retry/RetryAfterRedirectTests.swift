// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

@Suite("Retrying what was redirected", .timeLimit(.minutes(10)))
struct RetryAfterRedirectTests {
    private static let refused = StubResponse.failure(
        TransportError(
            .cannotConnectToHost, phase: .connect, message: "refused", requestMayHaveBeenSent: false))

    @Test(
        "A POST that has been answered is not sent again because its redirect's target is out of reach",
        arguments: [302, 303, 307, 308])
    func unreachable(status: Int) async throws {
        let transport = StubServer(precedence: .first)
        let moved = StubResponse.status(HTTPResponse.Status(code: status)).header(.location, "/done")
        transport.on(nil, "/orders", moved)
        transport.on(nil, "/done", Self.refused)
        let client = APIClient.scripted(transport) {
            $0.time = TestClock(movesItself: true).timeSource
            $0.retry = RetryPolicy()
        }
        await #expect(throws: NetworkError.self) { try await client.call(.post, "orders", body: .text("b")).void() }
        #expect(transport.requests.map(\.path) == ["/orders", "/done"])
    }

    @Test("Nor because that target wants a credential, whatever a decider says")
    func refusedCredential() async throws {
        let transport = StubServer(precedence: .first)
        transport.on(.post, "/orders", StubResponse.status(.seeOther).header(.location, "/done"))
        transport.on(.get, "/done", .status(.unauthorized))
        let client = APIClient.scripted(transport) {
            $0.time = TestClock(movesItself: true).timeSource
            $0.retry = RetryPolicy(decider: .anyError())
        }
        await #expect(throws: NetworkError.self) { try await client.call(.post, "orders", body: .text("b")).void() }
        #expect(transport.requestCount == 2)
    }

    @Test("A GET goes its whole way again")
    func safe() async throws {
        let transport = StubServer(precedence: .first)
        transport.on(.get, "/a", StubResponse.status(.found).header(.location, "/b"))
        transport.on(.get, "/b", inOrder: [Self.refused, .text("ok")])
        let client = APIClient.scripted(transport) {
            $0.time = TestClock(movesItself: true).timeSource
            $0.retry = RetryPolicy()
        }
        let response = try await client.call(.get, "a").response().response
        #expect(response.statusCode == 200)
        #expect(response.attempts == 4)
        #expect(transport.requests.map(\.path) == ["/a", "/b", "/a", "/b"])
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

@Suite("Retry after a redirect", .timeLimit(.minutes(10)))
struct RetryAfterRedirectTests {
    private static let refused = StubResponse.failure(
        TransportError(
            .cannotConnectToHost, phase: .connect, message: "refused", requestMayHaveBeenSent: false))

    @Test(
        "A redirected POST is not sent again if the redirect's target is unreachable",
        arguments: [302, 303, 307, 308])
    func unreachable(status: Int) async throws {
        let transport = StubServer(precedence: .first)
        let moved = StubResponse.status(HTTPResponse.Status(code: status)).header(.location, value: "/done")
        transport.on(nil, path: "/orders", response: moved)
        transport.on(nil, path: "/done", response: Self.refused)
        let client = APIClient.scripted(transport) {
            $0.time = TestClock(movesItself: true).timeSource
            $0.retry = RetryPolicy()
        }
        await #expect(throws: NetworkError.self) { try await client.call(.post, "orders", body: .text("b")).void() }
        #expect(transport.requests.map(\.path) == ["/orders", "/done"])
    }

    @Test("A redirected POST is not sent again if the target requires a credential, whatever the decider says")
    func refusedCredential() async throws {
        let transport = StubServer(precedence: .first)
        transport.on(.post, path: "/orders", response: StubResponse.status(.seeOther).header(.location, value: "/done"))
        transport.on(.get, path: "/done", response: .status(.unauthorized))
        let client = APIClient.scripted(transport) {
            $0.time = TestClock(movesItself: true).timeSource
            $0.retry = RetryPolicy(decider: .anyError())
        }
        await #expect(throws: NetworkError.self) { try await client.call(.post, "orders", body: .text("b")).void() }
        #expect(transport.requestCount == 2)
    }

    @Test("A redirected GET is retried from its first URL")
    func safe() async throws {
        let transport = StubServer(precedence: .first)
        transport.on(.get, path: "/a", response: StubResponse.status(.found).header(.location, value: "/b"))
        transport.on(.get, path: "/b", inOrder: [Self.refused, .text("ok")])
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

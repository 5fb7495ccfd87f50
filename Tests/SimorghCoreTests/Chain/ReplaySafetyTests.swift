// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is never sent twice, and whose credential goes where, when several steps work together.
@Suite(.timeLimit(.minutes(5)))
struct ReplaySafetyTests {
    /// Tokens by user, each renewed when it is asked to be.
    private actor Tokens: TokenRefreshProvider {
        private var tokens = ["a": "a-old", "b": "b-old"]

        func token(of user: String) -> String? { tokens[user] }

        func refreshTokenIfNeeded() async throws { tokens = ["a": "a-new", "b": "b-new"] }
    }

    @Test("A POST that was answered with a redirect is not sent again, whoever refuses what comes after")
    func postRedirected() async throws {
        let transport = ScriptedTransport()
        transport.on(.post, "/orders", .status(.seeOther).header(.location, "/orders/7"))
        transport.on(.get, "/orders/7", .status(.unauthorized))
        let client = APIClient.scripted(transport) {
            $0.authentication = .refreshing(RefreshingToken(AccessToken("old")) { _ in AccessToken("new") })
            $0.stopTheLine = Line {
                $0.head.status == .unauthorized ? .stopTheLine : .passOver
            } act: { _, _ in
                .retry
            }
        }
        let error = await #expect(throws: NetworkError.self) {
            try await client.call(.post, "orders", body: .text("x")).void()
        }
        #expect(error?.statusCode == 401)
        #expect(transport.requests.count { $0.method == .post } == 1)
    }

    @Test(
        "A line that opens again repeats a POST only where nothing was done for it",
        arguments: [(HTTPResponse.Status.serviceUnavailable, 1), (.unauthorized, 2)])
    func linePost(status: HTTPResponse.Status, posts: Int) async throws {
        let transport = ScriptedTransport(inOrder: [.status(status), .status(.ok)])
        let client = APIClient.scripted(transport) {
            $0.acceptableStatusCodes = .any
            $0.stopTheLine = Line {
                $0.head.status == .ok ? .passOver : .stopTheLine
            } act: { _, _ in
                .retry
            }
        }
        try await client.call(.post, "x", body: .text("x")).void()
        #expect(transport.requestCount == posts)
    }

    @Test("Two users' calls that wait for one refresh go on with their own tokens")
    func twoUsers() async throws {
        struct Get: NetworkRequest {
            typealias Response = StatusCodeResponse
            let user: String
            var path: String { user }
        }
        let tokens = Tokens()
        let transport = ScriptedTransport { request in
            request.header(.authorization)?.hasSuffix("-new") == true ? .status(.ok) : .status(.unauthorized)
        }
        let client = APIClient.scripted(transport) { $0.tokenRefresher = tokens }
        try await withThrowingTaskGroup { group in
            for user in ["a", "b", "a", "b"] {
                group.addTask { _ = try await client.send(Get(user: user)) { await tokens.token(of: user) } }
            }
            try await group.waitForAll()
        }
        for request in transport.requests {
            #expect(request.header(.authorization)?.hasPrefix("Bearer \(request.path.dropFirst())-") == true)
        }
    }

    @Test("A value that is renewed for one origin is not sent to another, which has a value of its own")
    func foreignOrigin() async throws {
        let transport = ScriptedTransport { _ in .status(.unauthorized) }
        let refreshes = Counter()
        let client = APIClient.scripted(transport) {
            $0.interceptors = [
                AuthRefreshInterceptor {
                    refreshes.next()
                    return "Bearer ours"
                }
            ]
        }
        struct Other: NetworkRouter {
            var baseURLString: String { "https://other.test" }
            var headers: [String: String]? { ["Authorization": "Bearer theirs"] }
        }
        await #expect(throws: NetworkError.self) { try await client.call(Other()).void() }
        #expect(transport.requests.map { $0.header(.authorization) } == ["Bearer theirs"])
        #expect(refreshes.count == 0)
    }

    @Test("Who signs out while a refresh is under way stays signed out")
    func signOut() async throws {
        let gate = Gate()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let token = RefreshingToken(AccessToken("old")) { _ in
            begin.yield()
            try await gate.wait()
            return AccessToken("new")
        }
        let transport = ScriptedTransport { _ in .status(.unauthorized) }
        let client = APIClient.scripted(transport) { $0.authentication = .refreshing(token) }
        async let outcome = #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        await begun.first { true }
        try await token.clear()
        gate.open()
        _ = try await #require(outcome)
        #expect(try await token.current() == nil)
        #expect(!transport.requests.contains { $0.header(.authorization) == "Bearer new" })
    }

    @Test("A request that a step makes anew passes the line without a crash")
    func madeAnew() async throws {
        let transport = ScriptedTransport { _ in .status(.unauthorized) }
        let client = APIClient.scripted(transport) {
            $0.interceptors = [Interceptor { request, next in try await next(TransportRequest(head: request.head)) }]
            $0.stopTheLine = Line { _ in
                .stopTheLine
            } act: { _, _ in
                .retry
            }
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect(error.map { "\($0)" }?.contains("made a request anew") == true)
    }

    @Test("Who leaves a line leaves no trace in it")
    func leaversLeaveNothing() async throws {
        let line = Turnstile(capacity: 10)
        #expect(try await line.enter())
        for _ in 0..<1_000 {
            let task = Task { try await line.enter() }
            task.cancel()
            _ = await task.result
        }
        #expect(line.lineLength < 200)
    }
}

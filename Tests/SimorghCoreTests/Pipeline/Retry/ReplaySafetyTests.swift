// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Requests that are never sent twice, and the origins that get credentials, with several steps combined.
@Suite(.timeLimit(.minutes(10)))
struct ReplaySafetyTests {
    /// Tokens per user, refreshed on request.
    private actor Tokens: TokenRefreshProvider {
        private var tokens = ["a": "a-old", "b": "b-old"]

        func token(of user: String) -> String? { tokens[user] }

        func refreshTokenIfNeeded() async throws { tokens = ["a": "a-new", "b": "b-new"] }
    }

    @Test("A POST that was redirected is not sent again, whichever step refuses the redirect's response")
    func postRedirected() async throws {
        let transport = StubServer(precedence: .first)
        transport.on(.post, path: "/orders", response: .status(.seeOther).header(.location, value: "/orders/7"))
        transport.on(.get, path: "/orders/7", response: .status(.unauthorized))
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
        "StopTheLine repeats a POST only if the server did not process it",
        arguments: [(HTTPResponse.Status.serviceUnavailable, 1), (.unauthorized, 2)])
    func linePost(status: HTTPResponse.Status, posts: Int) async throws {
        let transport = StubServer(inOrder: [.status(status), .status(.ok)])
        let client = APIClient.scripted(transport) {
            $0.validation.statusCodes = .any
            $0.stopTheLine = Line {
                $0.head.status == .ok ? .passOver : .stopTheLine
            } act: { _, _ in
                .retry
            }
        }
        try await client.call(.post, "x", body: .text("x")).void()
        #expect(transport.requestCount == posts)
    }

    @Test("Calls of two users that wait for one refresh continue with their own tokens")
    func twoUsers() async throws {
        struct Get: NetworkRequest {
            typealias Response = StatusCodeResponse
            let user: String
            var path: String { user }
        }
        let tokens = Tokens()
        let transport = StubServer { request in
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

    @Test("A value refreshed for one origin is not sent to another, which has its own")
    func foreignOrigin() async throws {
        let transport = StubServer { _ in .status(.unauthorized) }
        let refreshes = Counter()
        let client = APIClient.scripted(transport) {
            $0.interceptors = [
                AuthRefreshInterceptor {
                    refreshes.next()
                    return "Bearer ours"
                }.interceptor
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

    @Test("clear() during a refresh stays in effect after the refresh")
    func signOut() async throws {
        let gate = Gate()
        let token = RefreshingToken(AccessToken("old")) { _ in
            try await gate.wait()
            return AccessToken("new")
        }
        let transport = StubServer { _ in .status(.unauthorized) }
        let client = APIClient.scripted(transport) { $0.authentication = .refreshing(token) }
        async let outcome = #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        try await gate.waiting()
        try await token.clear()
        gate.open()
        _ = try await #require(outcome)
        #expect(try await token.current() == nil)
        #expect(!transport.requests.contains { $0.header(.authorization) == "Bearer new" })
    }

    @Test("A request created by an interceptor keeps its call: attempt count, StopTheLine and credentials' origin")
    func madeAnew() async throws {
        let repair = RepairableFault()
        let calls = LockedValue<[CallContext?]>([])
        let transport = StubServer { _ in .status(repair.isDone ? .ok : .unauthorized) }
        let client = APIClient.scripted(transport) {
            $0.interceptors = [
                Interceptor { request, next in
                    var head = request.head
                    if head.path == "/away" { head.authority = "other.test" }
                    return try await next(TransportRequest(head: head))
                }
            ]
            let noting = Interceptor { request, next in
                calls.change { $0.append(request.options.call) }
                return try await next(request)
            }
            $0.networkInterceptors = $0.interceptors + [noting]
            $0.plugins = [Plugins.Bearer { "secret" }]
            $0.stopTheLine = Line { _, _ in
                repair.repair()
                return .retry
            }
        }
        try await client.call(.get, "x").void()
        #expect(calls.value.map { $0?.attempts } == [2, 2])
        try await client.call(.get, "away").void()
        #expect(transport.requests.map { $0.header(.authorization) } == ["Bearer secret", "Bearer secret", nil])
        let quiet = client.call(.get, "x").with { $0.allowsAuthentication = false }
        try await quiet.void()
        #expect(try await transport.request(at: 3).header(.authorization) == nil)
    }

    /// A policy that retries every failure.
    private static func eager() -> RetryPolicy {
        var policy = RetryPolicy(decider: .anyError())
        policy.baseDelay = .zero
        return policy
    }

    @Test(
        "A POST with a response is not sent again because of an error from a step",
        arguments: [
            TransportError(.networkConnectionLost, phase: .connect, message: "", requestMayHaveBeenSent: false),
            TransportError(.networkConnectionLost, phase: .total, message: "of a stranger"),
        ])
    func answered(error: TransportError) async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) {
            $0.retry = Self.eager()
            $0.networkInterceptors = [
                Interceptor { request, next in
                    _ = try await next(request)
                    throw error
                }
            ]
        }
        await #expect(throws: NetworkError.self) { try await client.call(.post, "x", body: .text("x")).void() }
        #expect(transport.requestCount == 1)
    }

    @Test(
        "A POST is not sent again if the transport does not say that it was not sent", arguments: [true, false])
    func unsaid(saysUnsent: Bool) async throws {
        let refused =
            saysUnsent
            ? TransportError(.cannotConnectToHost, phase: .connect, message: "", requestMayHaveBeenSent: false)
            : TransportError(.cannotConnectToHost, phase: .total, message: "")
        let transport = StubServer { $0.index == 0 ? .failure(refused) : .status(.ok) }
        let client = APIClient.scripted(transport) { $0.retry = Self.eager() }
        let result = await Task { try await client.call(.post, "x", body: .text("x")).void() }.result
        #expect(result.isFailure == !saysUnsent)
        #expect(transport.requestCount == (saysUnsent ? 2 : 1))
    }

    @Test(
        "A timeout while waiting after a response reports that the request was sent",
        arguments: [0, 1])
    func waitedTooLong(kind: Int) async throws {
        let clock = TestClock()
        let transport = StubServer { _ in .status(.unauthorized) }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.timeouts.total = .seconds(10)
            let never: @Sendable () async throws -> Void = { try await Gate().wait() }
            if kind == 0 {
                $0.stopTheLine = Line { _, _ in
                    try await never()
                    return .retry
                }
            } else {
                $0.authentication = .refreshing(
                    RefreshingToken(AccessToken("old")) { _ in
                        try await never()
                        return nil
                    })
            }
        }
        let call = Task { try await client.call(.post, "x", body: .text("x")).void() }
        try await clock.sleeping()
        clock.advance(by: .seconds(10))
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        guard case .urlError(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.code == .timedOut)
        #expect(cause.requestMayHaveBeenSent)
    }

    @Test("A StopTheLine action that needs a new token, and a refresh that StopTheLine holds, do not deadlock")
    func lineAndRefresh() async throws {
        let (stopped, refreshing) = (Gate(), Gate())
        let own = Mutex<APIClient?>(nil)
        let token = RefreshingToken(AccessToken("old")) { _ in
            refreshing.open()
            // Only after StopTheLine holds requests, so that the refresh request is held.
            try await stopped.wait()
            let client = try #require(own.withLock { $0 })
            try await client.call(.post, "token").void()
            return AccessToken("new")
        }
        let transport = StubServer { request in
            switch request.path {
            case "/token": .status(.ok)
            case "/stop": .status(.serviceUnavailable)
            default: .status(request.header(.authorization) == "Bearer new" ? .ok : .unauthorized)
            }
        }
        let client = APIClient.scripted(transport) {
            $0.validation.statusCodes = .any
            $0.authentication = .refreshing(token)
            $0.stopTheLine = Line {
                $0.head.status == .serviceUnavailable ? .stopTheLine : .passOver
            } act: { client, _ in
                stopped.open()
                try await client.call(.get, "health").void()
                return .useOriginal
            }
        }
        own.withLock { $0 = client }
        let stop = Task { try await client.call(.get, "stop").with { $0.allowsAuthentication = false }.void() }
        try await stopped.wait()
        try await refreshing.wait()
        try await stop.value
        #expect(transport.requests.map(\.path) == ["/stop", "/health", "/token", "/health"])
        own.withLock { $0 = nil }
    }

    @Test("A cancelled waiter leaves nothing in the FIFO queue")
    func cancelledWaiters() async throws {
        let line = AsyncMutex(capacity: 10)
        #expect(try await line.enter())
        for _ in 0..<1_000 {
            let task = Task { try await line.enter() }
            task.cancel()
            _ = await task.result
        }
        #expect(line.queueSlots < 200)
    }
}

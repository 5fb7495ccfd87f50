// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghSupport
import SimorghTesting
import Synchronization
import Testing

@Suite("Retry of calls", .timeLimit(.minutes(10)))
struct RetryTests {
    struct Final: NonRetriableError {}
    struct Passing: Error {}

    private static let lost = StubResponse.failure(
        TransportError(
            .networkConnectionLost, phase: .head, message: "the connection broke off", requestMayHaveBeenSent: true))
    private static let refused = StubResponse.failure(
        TransportError(
            .cannotConnectToHost, phase: .connect, message: "refused", requestMayHaveBeenSent: false))

    /// A client whose clock ends every wait at once.
    private static func client(
        _ transport: StubServer, _ clock: TestClock = TestClock(movesItself: true),
        _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.random = RandomSource { 0.5 }
            $0.retry = RetryPolicy()
            change(&$0)
        }
    }

    @Test("Retries are off by default: one request is sent")
    func off() async throws {
        let transport = StubServer { _ in .status(.serviceUnavailable) }
        let error = await #expect(throws: NetworkError.self) {
            try await APIClient.scripted(transport).call(.get, "x").data()
        }
        #expect(error?.statusCode == 503)
        #expect(transport.requestCount == 1)
    }

    @Test("SIM23: two requests that fail at the same time are each retried with their own URL")
    func each() async throws {
        let failed = Mutex<Set<String>>([])
        let transport = StubServer { request in
            let isFirst = failed.withLock { $0.insert(request.path).inserted }
            return isFirst ? .status(.serviceUnavailable) : .text(request.path)
        }
        let client = Self.client(transport) { $0.retry = RetryPolicy(maximumRetries: 1) }
        async let one = client.call(.get, "one").data()
        async let two = client.call(.get, "two").data()
        let texts = try await [String(decoding: one, as: UTF8.self), String(decoding: two, as: UTF8.self)]
        #expect(texts == ["/one", "/two"])
        #expect(transport.requests.map(\.path).sorted() == ["/one", "/one", "/two", "/two"])
    }

    @Test("SIM23: a retried upload sends its body again")
    func bodyAgain() async throws {
        let transport = StubServer(inOrder: [.status(.serviceUnavailable), .status(.created)])
        let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        try await Self.client(transport).call(
            .post, "upload", headers: ["Idempotency-Key": "7"], body: .bytes(body)
        ).void()
        #expect(transport.requests.map(\.body) == [body, body])
    }

    @Test(
        "SIM23, NET3: a method that is not idempotent is sent once unless it is opted in",
        arguments: [RequestMethod.post, .patch, .custom("PURGE")])
    func unsafeMethod(_ method: RequestMethod) async throws {
        for (isOptedIn, count) in [(false, 1), (true, 4)] {
            let transport = StubServer { _ in .status(.serviceUnavailable) }
            let client = Self.client(transport) { if isOptedIn { $0.retry?.retryableMethods.insert(method) } }
            await #expect(throws: NetworkError.self) { try await client.call(method, "x", body: .text("b")).data() }
            #expect(transport.requestCount == count)
        }
    }

    @Test("NET3: 503, 503, 200 returns the response after three attempts")
    func passes() async throws {
        let transport = StubServer(inOrder: [
            .status(.serviceUnavailable), .status(.serviceUnavailable), .text("here"),
        ])
        let clock = TestClock(movesItself: true)
        let response = try await Self.client(transport, clock) {
            $0.retry = nil
            $0.interceptors = [RetryInterceptor(maxAttempts: 3).interceptor]
        }.call(.get, "x").response()
        #expect(String(decoding: response.value, as: UTF8.self) == "here")
        #expect(response.response.attempts == 3)
        #expect(clock.waits == [.milliseconds(250), .milliseconds(500)])
    }

    @Test("NET3: a persistent failure is returned after the allowed number of attempts", arguments: [-1, 0, 1, 2, 5])
    func persists(maxAttempts: Int) async throws {
        let transport = StubServer { _ in .json(#"{"n":1}"#, status: .serviceUnavailable) }
        let client = Self.client(transport) {
            $0.retry = nil
            $0.interceptors = [RetryInterceptor(maxAttempts: maxAttempts).interceptor]
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(transport.requestCount == max(1, maxAttempts))
        #expect(error?.statusCode == 503)
        #expect(error?.context?.attempts == max(1, maxAttempts))
        #expect(error?.responseData == Data(#"{"n":1}"#.utf8))
    }

    @Test("NET3: a permanent status is not retried, and two timeouts are")
    func kinds() async throws {
        let missing = StubServer { _ in .status(.notFound) }
        await #expect(throws: NetworkError.self) { try await Self.client(missing).call(.get, "x").data() }
        #expect(missing.requestCount == 1)
        let slow = StubServer(inOrder: [.timedOut(), .timedOut(), .text("ok")])
        #expect(try await Self.client(slow).call(.get, "x").data() == Data("ok".utf8))
        #expect(slow.requestCount == 3)
    }

    @Test(
        "NET3: Retry-After replaces the computed delay, in every format, and may exceed maximumDelay",
        arguments: [
            ("1", 1), ("90", 90), ("Thu, 01 Jan 2026 00:01:30 GMT", 90), ("Thursday, 01-Jan-26 00:01:30 GMT", 90),
            ("Thu Jan  1 00:01:30 2026", 90),
        ])
    func retryAfter(value: String, seconds: Int) async throws {
        let transport = StubServer(inOrder: [
            .status(.tooManyRequests).header(.retryAfter, value: value), .status(.ok),
        ])
        let clock = TestClock(movesItself: true)
        try await Self.client(transport, clock).call(.get, "x").void()
        #expect(clock.waits == [.seconds(seconds)])
    }

    @Test("A delay that would pass the deadline is not started, and the reason is reported", arguments: ["6", "86400"])
    func deadline(value: String) async throws {
        let transport = StubServer { _ in .status(.serviceUnavailable).header(.retryAfter, value: value) }
        let clock = TestClock(movesItself: true)
        let events = Mutex<[RetryDecision]>([])
        let client = Self.client(transport, clock) {
            $0.timeouts.total = .seconds(5)
            $0.logging.onEvent = { event in
                if case .retryDecision(let decision) = event { events.withLock { $0.append(decision) } }
            }
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x?secret=1").data() }
        #expect(error?.statusCode == 503)
        #expect(clock.waits.isEmpty)
        let decision = try #require(events.withLock { $0.first })
        #expect(decision.delay == nil)
        #expect(decision.attempts == 1)
        #expect(!decision.url.contains("secret"))
    }

    @Test("One deadline covers all attempts and delays")
    func total() async throws {
        let transport = StubServer { _ in .status(.serviceUnavailable) }
        let clock = TestClock(movesItself: true)
        let client = Self.client(transport, clock) {
            $0.timeouts.total = .seconds(3)
            $0.retry?.maximumRetries = 100
            $0.random = RandomSource { 0.999 }
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(clock.now.offset < .seconds(3))
        #expect(transport.requestCount == 3)
        let totals = transport.requests.compactMap { $0.options?.timeouts.total }
        #expect(totals.count == 3 && totals == totals.sorted(by: >) && totals.last ?? .zero < .seconds(2))
    }

    @Test("A nested retry step shares the attempt count: attempts never multiply")
    func once() async throws {
        let transport = StubServer { _ in .status(.serviceUnavailable) }
        let client = Self.client(transport) {
            $0.interceptors = [.retry(RetryPolicy()), RetryInterceptor(maxAttempts: 4).interceptor]
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(transport.requestCount == 4)
        #expect(error?.context?.attempts == 4)
    }

    @Test(
        "EK14: 401, a refresh, then persistent failures send at most two requests more than retries", arguments: 0...3)
    func refreshed(retries: Int) async throws {
        let transport = StubServer { request in
            request.header(.authorization) == "new" ? .status(.internalServerError) : .status(.unauthorized)
        }
        let refresh = Interceptor { request, next in
            let response = try await next(request)
            guard response.head.status == .unauthorized else { return response }
            var again = request
            again.head.headerFields[.authorization] = "new"
            return try await next(again)
        }
        let client = Self.client(transport) {
            $0.interceptors = [refresh]
            $0.retry?.maximumRetries = retries
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(error?.statusCode == 500)
        #expect(transport.requestCount == retries + 2)
    }

    @Test("EK14: a POST with a 404, and an undecodable response, send one request")
    func notARetry() async throws {
        let missing = StubServer { _ in .status(.notFound) }
        await #expect(throws: NetworkError.self) {
            try await Self.client(missing).call(.post, "x", body: .text("b")).data()
        }
        #expect(missing.requestCount == 1)
        let wrong = StubServer { _ in .json("[]") }
        let error = await #expect(throws: NetworkError.self) {
            try await Self.client(wrong).call(.get, "x").decode(User.self)
        }
        guard case .decodingError = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(wrong.requestCount == 1)
    }

    @Test("EK13: a NonRetriableError is not retried, whatever the policy says", arguments: [true, false])
    func final(isWrapped: Bool) async throws {
        let transport = StubServer { _ in .status(.ok) }
        let client = Self.client(transport) {
            $0.retry = RetryPolicy(decider: .anyError())
            $0.networkInterceptors = [
                Interceptor { request, next in
                    _ = try await next(request)
                    guard isWrapped else { throw Final() }
                    throw TransportError(.timedOut, phase: .head, message: "final", underlying: Final())
                }
            ]
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(transport.requestCount == 1)
    }

    @Test("EK13: a call cancelled while it waits for its next attempt ends at once", arguments: [true, false])
    func cancelled(byClient: Bool) async throws {
        let transport = StubServer { _ in .status(.serviceUnavailable) }
        let clock = TestClock()
        let client = Self.client(transport, clock)
        let task = Task { await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() } }
        try await clock.sleeping()
        if byClient { client.cancelAllRequests() } else { task.cancel() }
        #expect(try await #require(task.value).isCancelled)
        #expect(transport.requestCount == 1)
    }

    @Test("SMA18: with three attempts, failures 0 to 2 are retried and 3 is not")
    func attemptsCount() async throws {
        let transport = StubServer { _ in .status(.notFound) }
        let asked = Mutex<[Int]>([])
        let client = Self.client(transport) {
            $0.retry = RetryPolicy(
                maximumRetries: 10,
                decider: RetryDecider { attempt in
                    asked.withLock { $0.append(attempt.index) }
                    return await RetryDecider.anyError(attemptsCount: 3).decision(on: attempt)
                })
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(asked.withLock { $0 } == [0, 1, 2, 3])
        #expect(transport.requestCount == 4)
        // The next call starts again: no attempts are used up.
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(transport.requestCount == 8)
    }

    @Test("SMA18: connectionErrors retries connection errors and leaves statuses to `otherwise`")
    func connectionErrors() async throws {
        let refused = StubServer { _ in Self.refused }
        let client = Self.client(refused) { $0.retry?.decider = .connectionErrors(attemptsCount: 2) }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(refused.requestCount == 3)
        let down = StubServer { _ in .status(.serviceUnavailable) }
        let other = Self.client(down) {
            $0.retry?.decider = .connectionErrors(otherwise: .doNotRetryWithError(Passing()))
        }
        let error = await #expect(throws: NetworkError.self) { try await other.call(.get, "x").data() }
        #expect(error?.underlyingError is Passing)
        #expect(down.requestCount == 1)
    }

    @Test("A decider chooses the delay, but cannot make an unsafe request safe")
    func decider() async throws {
        let clock = TestClock(movesItself: true)
        let transport = StubServer(inOrder: [.status(.conflict), .status(.ok), .status(.conflict)])
        let client = Self.client(transport, clock) {
            $0.retry?.decider = RetryDecider { $0.isSafe ? .retryWithDelay(.seconds(7)) : .retry }
        }
        try await client.call(.put, "x", body: .text("b")).void()
        #expect(clock.waits == [.seconds(7)])
        await #expect(throws: NetworkError.self) { try await client.call(.post, "x", body: .text("b")).void() }
        #expect(transport.requestCount == 3)
    }

    @Test("A POST is retried only if no byte of it can have reached the server")
    func unsent() async throws {
        let refused = StubServer(inOrder: [Self.refused, .status(.ok)])
        try await Self.client(refused).call(.post, "x", body: .text("b")).void()
        #expect(refused.requestCount == 2)
        let lost = StubServer(inOrder: [Self.lost, .status(.ok)])
        await #expect(throws: NetworkError.self) {
            try await Self.client(lost).call(.post, "x", body: .text("b")).void()
        }
        #expect(lost.requestCount == 1)
    }

    @Test("A single-use body is never sent again", arguments: [RequestMethod.put, .post])
    func onceOnly(_ method: RequestMethod) async throws {
        for answer in [Self.refused, Self.lost, .status(.serviceUnavailable)] {
            let transport = StubServer { _ in answer }
            let body = RequestBody.once(
                AsyncThrowingStream {
                    $0.yield(Data("x".utf8)); $0.finish()
                })
            await #expect(throws: NetworkError.self) {
                try await Self.client(transport).call(
                    method, "x", headers: ["Idempotency-Key": "1"], body: body
                ).void()
            }
            #expect(transport.requestCount == 1)
        }
    }

    @Test("A stream is retried until its head is returned, and never after")
    func stream() async throws {
        let transport = StubServer(inOrder: [
            .chunks([.bytes(Data("no".utf8))], status: .serviceUnavailable),
            .chunks([
                .bytes(Data("a".utf8)),
                .fail(TransportError(.networkConnectionLost, phase: .body, message: "gone")),
            ]),
        ])
        let response = try await Self.client(transport).call(.get, "x").stream()
        var received: [Data] = []
        let error = await #expect(throws: NetworkError.self) {
            for try await chunk in response.chunks { received.append(chunk) }
        }
        #expect(received == [Data("a".utf8)])
        #expect(error?.context?.attempts == 2)
        #expect(transport.requestCount == 2)
    }

    @Test("Calls that all fail add at most the retry budget to the load, per origin")
    func budget() async throws {
        let transport = StubServer { _ in .status(.serviceUnavailable) }
        let client = Self.client(transport, TestClock())  // This clock never advances by itself.
        let quick = client.with { $0.retry?.baseDelay = .zero }
        for _ in 0..<100 { await #expect(throws: NetworkError.self) { try await quick.call(.get, "x").data() } }
        #expect((120...130).contains(transport.requestCount), "\(transport.requestCount)")
        let before = transport.requestCount
        await #expect(throws: NetworkError.self) { try await quick.call(.get, "https://other.test/").data() }
        let unbounded = quick.with { $0.retry?.budgetRatio = nil }
        await #expect(throws: NetworkError.self) { try await unbounded.call(.get, "x").data() }
        #expect(transport.requestCount >= before + 4)
    }

    @Test("A call can have its own policy")
    func perCall() async throws {
        let transport = StubServer { _ in .status(.serviceUnavailable) }
        let client = Self.client(transport)
        await #expect(throws: NetworkError.self) {
            try await client.call(.get, "x").with { $0.retry = nil }.data()
        }
        #expect(transport.requestCount == 1)
        await #expect(throws: NetworkError.self) {
            try await client.call(.get, "x").with { $0.retry?.maximumRetries = 1 }.data()
        }
        #expect(transport.requestCount == 3)
    }

    @Test("A policy with a fixed delay and a condition; the condition receives the NetworkError")
    func condition() async throws {
        let transport = StubServer { _ in .status(.notFound) }
        let clock = TestClock(movesItself: true)
        let client = Self.client(transport, clock) {
            $0.retry = RetryPolicy(maxRetryCount: 2, delay: 1) { ($0 as? NetworkError)?.statusCode == 404 }
        }
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect(clock.waits == [.seconds(1), .seconds(1)])
    }
}

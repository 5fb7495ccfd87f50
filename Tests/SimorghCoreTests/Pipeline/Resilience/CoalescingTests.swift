// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("Request coalescing", .timeLimit(.minutes(10)))
struct CoalescingTests {
    private static func client(
        _ transport: StubServer, _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        APIClient.scripted(transport) {
            $0.resilience.coalescesRequests = true
            change(&$0)
        }
    }

    private static func inFlightRequests(of client: APIClient) -> InFlightRequests {
        client.settings.state.value(for: true) { InFlightRequests() }
    }

    @Test("A hundred identical concurrent requests are one exchange, and a later one is another")
    func hundred() async throws {
        let gate = Gate()
        let transport = StubServer { request in .text("\(request.index)").held(by: gate) }
        let client = Self.client(transport)
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<100 { group.addTask { try await client.call(.get, "x", query: ["a": 1]).data() } }
            try await eventually { Self.inFlightRequests(of: client).waiterCount >= 100 }
            gate.open()
            for try await data in group { #expect(data == Data("0".utf8)) }
        }
        #expect(transport.requestCount == 1)
        #expect(try await client.call(.get, "x", query: ["a": 1]).data() == Data("1".utf8))
        #expect(Self.inFlightRequests(of: client).count == 0)
    }

    @Test("Requests that differ in anything are not coalesced, and neither are unsafe methods")
    func different() async throws {
        let gate = Gate()
        let transport = StubServer { _ in .text("ok").held(by: gate) }
        let client = Self.client(transport)
        enum Screen: UserInfo.Key { static let defaultValue = "" }
        let calls = [
            client.call(.get, "x"), client.call(.get, "y"), client.call(.get, "x", query: ["a": 1]),
            client.call(.get, "x", headers: ["Authorization": "Bearer a"]),
            client.call(.get, "x", headers: ["Authorization": "Bearer b"]), client.call(.head, "x"),
            client.call(.options, "x"), client.call(.post, "x"), client.call(.post, "x"), client.call(.delete, "x"),
            client.call(.delete, "x"), client.call(.get, "x", body: .text("a")),
            client.call(.get, "x", body: .text("a")), client.call(.get, "x").with { $0.timeouts.total = .seconds(7) },
            client.call(.get, "x").with { $0.userInfo[Screen.self] = "a" },
            client.call(.get, "x").with { $0.userInfo[Screen.self] = "a" },
            client.call(.get, "x").with { $0.resilience.coalescesRequests = false },
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for call in calls { group.addTask { _ = try await call.data() } }
            _ = try await transport.request(at: calls.count - 1)
            gate.open()
            try await group.waitForAll()
        }
        #expect(transport.requestCount == calls.count)
    }

    @Test("Cancelling one caller does not affect the others, even if it started the exchange", arguments: [0, 1, 4])
    func cancelOne(index: Int) async throws {
        let gate = Gate()
        let transport = StubServer { _ in .text("ok").held(by: gate) }
        let client = Self.client(transport)
        var tasks: [Task<Data, any Error>] = []
        for number in 0..<5 {
            tasks.append(Task { try await client.call(.get, "x").data() })
            try await eventually { Self.inFlightRequests(of: client).waiterCount > number }
        }
        tasks[index].cancel()
        let error = await #expect(throws: NetworkError.self) { try await tasks[index].value }
        #expect(error?.isCancelled == true)
        gate.open()
        for (number, task) in tasks.enumerated() where number != index {
            #expect(try await task.value == Data("ok".utf8))
        }
        #expect(transport.requestCount == 1)
    }

    @Test("The exchange is cancelled with its last caller")
    func cancelAll() async throws {
        let (never, ended) = (Gate(), Gate())
        let transport = StubServer { _ in
            await withTaskCancellationHandler {
                try? await never.wait()
            } onCancel: {
                ended.open()
            }
            throw CancellationError()
        }
        let client = Self.client(transport)
        let tasks = (0..<5).map { _ in Task { try await client.call(.get, "x").data() } }
        try await eventually { Self.inFlightRequests(of: client).waiterCount >= 5 }
        _ = try await transport.request(at: 0)
        client.cancelAllRequests()
        for task in tasks { #expect(await task.result.isFailure) }
        try await ended.wait()
        #expect(Self.inFlightRequests(of: client).count == 0)
        #expect(transport.requestCount == 1)
    }

    @Test("All callers get a failure of the exchange")
    func failure() async throws {
        let gate = Gate()
        let lost = TransportError(.networkConnectionLost, phase: .head, message: "gone")
        let transport = StubServer { _ in .failure(lost).held(by: gate) }
        let client = Self.client(transport)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                group.addTask {
                    let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
                    guard case .urlError(let cause) = error, cause.code == .networkConnectionLost else {
                        Issue.record("\(String(describing: error))")
                        return
                    }
                }
            }
            try await eventually { Self.inFlightRequests(of: client).waiterCount >= 5 }
            gate.open()
        }
        #expect(transport.requestCount == 1)
    }

    @Test("A late caller has its own deadline: it outlives the first caller's exchange, and ends by its own timeout")
    func deadlines() async throws {
        let clock = TestClock()
        let (gate, never) = (Gate(), Gate())
        let transport = StubServer { request in
            guard request.index == 0 else { return .text("again").held(by: never) }
            return .timedOut(.total, after: .seconds(10)).held(by: gate)
        }
        let client = Self.client(transport) {
            $0.time = clock.timeSource
            $0.timeouts.total = .seconds(10)
        }
        let first = Task { try await client.call(.get, "x").data() }
        try await eventually { Self.inFlightRequests(of: client).waiterCount >= 1 }
        clock.advance(by: .seconds(5))
        let second = Task { try await client.call(.get, "x").data() }
        try await eventually { Self.inFlightRequests(of: client).waiterCount >= 2 }
        clock.advance(by: .seconds(4))
        gate.open()
        #expect(await first.result.isFailure)
        // The first caller's timeout has passed, the second's has not: it starts its own exchange.
        let request = try await transport.request(at: 1)
        #expect(request.options?.timeouts.total == .seconds(6))
        let third = Task { try await client.with { $0.timeouts.total = .seconds(10) }.call(.get, "x").data() }
        try await eventually { Self.inFlightRequests(of: client).waiterCount >= 2 }
        // The second caller also waits, and has less time left.
        try await clock.sleeping(for: .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(await third.result.isFailure)
        second.cancel()
        #expect(await second.result.isFailure)
        #expect(transport.requestCount == 2)
    }

    @Test(
        "A shared exchange has the deadline and attempt count of the first caller, and a context for lower steps"
    )
    func context() async throws {
        let clock = TestClock()
        let (gate, calls) = (Gate(), LockedValue<[CallContext?]>([]))
        let transport = StubServer { _ in .text("ok").held(by: gate) }
        let client = Self.client(transport) {
            $0.time = clock.timeSource
            $0.timeouts.total = .seconds(30)
            $0.resilience.rateLimit = RateLimit(requests: 1, per: .seconds(60))
        }
        let watched = client.with {
            $0.networkInterceptors = [
                Interceptor { request, next in
                    calls.change { $0.append(request.options.call) }
                    return try await next(request)
                }
            ]
        }
        gate.open()
        let first = try await watched.call(.get, "x").response().response
        #expect(first.attempts == 1)
        #expect(calls.value.map { $0?.base } == [.origin(WebOrigin("https://api.test"))])
        #expect(calls.value.map { $0?.attempts } == [1])
        // The next permit comes in a minute, later than the deadline.
        let late = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
        #expect((late?.underlyingError as? RateLimitExceededError)?.reason == .deadline)
        #expect(late?.context?.attempts == 0)
    }

    @Test("Views with different interceptors are not coalesced")
    func ownSteps() async throws {
        let gate = Gate()
        let transport = StubServer { request in
            try await gate.wait()
            return .text(request.header(.authorization) ?? "")
        }
        let client = Self.client(transport)
        func view(_ user: String) -> APIClient {
            client.with {
                $0.networkInterceptors = [
                    Interceptor { request, next in
                        var request = request
                        request.head.headerFields[.authorization] = user
                        return try await next(request)
                    }
                ]
            }
        }
        let calls = ["a", "b"].map { user in Task { try await view(user).call(.get, "me").data() } }
        _ = try await transport.request(at: 1)
        gate.open()
        #expect(try await calls[0].value == Data("a".utf8))
        #expect(try await calls[1].value == Data("b".utf8))
    }

    @Test("Callers that join and cancel at random all end, and no exchange is left")
    func storm() async throws {
        let transport = StubServer { request in .text(request.path) }
        let client = Self.client(transport)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    let task = Task { try await client.call(.get, "p\(number % 7)").data() }
                    if number % 3 == 0 { task.cancel() }
                    switch await task.result {
                    case .success(let data): #expect(data == Data("/p\(number % 7)".utf8))
                    case .failure(let error): #expect((error as? NetworkError)?.isCancelled == true)
                    }
                }
            }
        }
        #expect(Self.inFlightRequests(of: client).count == 0)
        #expect(Self.inFlightRequests(of: client).waiterCount == 0)
    }
}

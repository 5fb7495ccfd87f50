// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("Hedging", .timeLimit(.minutes(10)))
struct HedgingTests {
    @Test(
        "Attempts stay within the maximum and the first success or last failure ends them, in any order of events"
    )
    func machine() {
        for seed in 0..<500 as Range<UInt64> {
            var random = SeededNumbers(seed)
            let maximum = Int.random(in: -1...4, using: &random)
            var machine = HedgingStateMachine(maximum: maximum)
            var (sent, ended, timers, finished) = (0, 0, 0, false)
            func apply(_ actions: [HedgingStateMachine.Action]) {
                for action in actions {
                    switch action {
                    case .send: sent += 1
                    case .startTimer: timers += 1
                    case .finish:
                        #expect(!finished)
                        finished = true
                    }
                }
                #expect(sent <= 1 + max(0, maximum))
            }
            apply(machine.start())
            while ended < sent || timers > 0 {
                if timers > 0, ended == sent || Bool.random(using: &random) {
                    timers -= 1
                    let before = sent
                    apply(machine.timerFired())
                    if finished { #expect(sent == before) }
                } else {
                    let isGood = Int.random(in: 0..<4, using: &random) == 0
                    ended += 1
                    let wasFinished = finished
                    apply(machine.ended(isGood: isGood))
                    #expect(finished == (wasFinished || isGood || ended == sent))
                }
            }
            #expect(finished)
        }
    }

    private static func client(_ transport: StubServer, _ clock: TestClock, maximum: Int = 1) -> APIClient {
        APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.resilience.hedging = Hedging(after: .seconds(1), maximum: maximum)
        }
    }

    @Test("A response in time costs one request")
    func quick() async throws {
        let transport = StubServer { _ in .text("ok") }
        #expect(try await Self.client(transport, TestClock()).call(.get, "x").data() == Data("ok".utf8))
        #expect(transport.requestCount == 1)
    }

    @Test("A hedge that responds first wins, and the first attempt is cancelled")
    func slow() async throws {
        let clock = TestClock()
        let (never, ended) = (Gate(), Gate())
        let transport = StubServer { request in
            guard request.index == 0 else { return .text("second") }
            await withTaskCancellationHandler {
                try? await never.wait()
            } onCancel: {
                ended.open()
            }
            throw CancellationError()
        }
        let call = Self.client(transport, clock).call(.get, "x")
        let task = Task { try await call.response() }
        _ = try await transport.request(at: 0)
        try await clock.sleeping(forAtMost: .seconds(1))
        clock.advance(by: .seconds(1))
        let response = try await task.value
        #expect(String(decoding: response.value, as: UTF8.self) == "second")
        try await ended.wait()
        #expect(transport.requestCount == 2)
    }

    @Test("The first attempt wins if it responds first")
    func firstWins() async throws {
        let clock = TestClock()
        let (first, never) = (Gate(), Gate())
        let transport = StubServer { request in
            .text("\(request.index)").held(by: request.index == 0 ? first : never)
        }
        let task = Task { try await Self.client(transport, clock).call(.get, "x").data() }
        try await clock.sleeping(forAtMost: .seconds(1))
        clock.advance(by: .seconds(1))
        _ = try await transport.request(at: 1)
        first.open()
        #expect(try await task.value == Data("0".utf8))
    }

    @Test("A failure waits for the other attempt; if both fail, a status is preferred over an error")
    func failures() async throws {
        let clock = TestClock()
        let (first, second) = (Gate(), Gate())
        let transport = StubServer { request in
            .status(request.index == 0 ? .serviceUnavailable : .ok).held(by: request.index == 0 ? first : second)
        }
        let task = Task { try await Self.client(transport, clock).call(.get, "x").response().response.statusCode }
        try await clock.sleeping(forAtMost: .seconds(1))
        clock.advance(by: .seconds(1))
        _ = try await transport.request(at: 1)
        first.open()
        second.open()
        #expect(try await task.value == 200)
        let refused = TransportError(
            .cannotConnectToHost, phase: .connect, message: "refused", requestMayHaveBeenSent: false)
        let down = StubServer { _ in .failure(refused) }
        await #expect(throws: NetworkError.self) { try await Self.client(down, TestClock()).call(.get, "x").data() }
        #expect(down.requestCount == 1)
    }

    @Test(
        "If both attempts fail, the result is the status of one, else the last error", arguments: [0, 1, 2, 3])
    func bothFail(kind: Int) async throws {
        let clock = TestClock()
        let (first, second) = (Gate(), Gate())
        let transport = StubServer { request in
            let gate = request.index == 0 ? first : second
            let hasStatus = kind & (request.index == 0 ? 1 : 2) != 0
            guard hasStatus else {
                return .failure(
                    TransportError(.networkConnectionLost, phase: .head, message: "lost \(request.index)")
                ).held(by: gate)
            }
            return .status(request.index == 0 ? .serviceUnavailable : .badGateway).held(by: gate)
        }
        let ended = Gate()
        let client = Self.client(transport, clock).with {
            $0.networkInterceptors = [
                Interceptor { request, next in
                    defer { ended.open() }
                    return try await next(request)
                }
            ]
        }
        let executor = OneByOne()
        let task = Task(executorPreference: executor) { try await client.call(.get, "x").data() }
        try await clock.sleeping(forAtMost: .seconds(1))
        clock.advance(by: .seconds(1))
        _ = try await transport.request(at: 1)
        first.open()
        // The executor handles the end of the first attempt before it starts anything else.
        try await ended.wait()
        second.open()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        withExtendedLifetime(executor) {}
        #expect(error?.statusCode == [nil, 503, 502, 502][kind])
        if kind == 0, case .urlError(let cause) = error { #expect(cause.message == "lost 1") }
        #expect(error?.context?.attempts == 2)
        #expect(transport.requestCount == 2)
    }

    @Test("A request that must not be repeated is never hedged", arguments: [RequestMethod.post, .patch, .put])
    func unsafeRequests(_ method: RequestMethod) async throws {
        let clock = TestClock(movesItself: true)
        let transport = StubServer { _ in .text("ok") }
        let body: RequestBody =
            method == .put
            ? .once(
                AsyncThrowingStream {
                    $0.yield(Data("x".utf8)); $0.finish()
                }) : .text("x")
        try await Self.client(transport, clock, maximum: 4).call(method, "x", body: body).void()
        #expect(transport.requestCount == 1)
        #expect(clock.waits.isEmpty)
    }

    @Test("A cancelled call cancels both attempts")
    func cancelled() async throws {
        let clock = TestClock()
        let never = Gate()
        let transport = StubServer { _ in .text("never").held(by: never) }
        let task = Task { try await Self.client(transport, clock).call(.get, "x").data() }
        try await clock.sleeping(forAtMost: .seconds(1))
        clock.advance(by: .seconds(1))
        _ = try await transport.request(at: 1)
        task.cancel()
        #expect(await task.result.isFailure)
    }
}

/// Runs jobs one at a time in the order in which they become ready: what ends first is handled first.
private final class OneByOne: TaskExecutor {
    private let queue = DispatchQueue(label: "simorgh.test.one-by-one")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

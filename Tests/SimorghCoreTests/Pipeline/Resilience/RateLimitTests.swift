// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite("RateLimit", .timeLimit(.minutes(10)))
struct RateLimitTests {
    @Test("TokenBucket allows the burst, then one at a time, and never more than its rate")
    func bucket() {
        var bucket = TokenBucket(RateLimit(requests: 10, per: .seconds(1), burst: 3))
        let atOnce = (0..<5).map { _ in bucket.take(now: .zero) }
        #expect(atOnce == [true, true, true, false, false])
        #expect(bucket.wait(now: .zero) == .milliseconds(100))
        let soon = bucket.take(now: .milliseconds(99))
        #expect(!soon)
        let due = bucket.take(now: .milliseconds(100))
        #expect(due)
        let again = bucket.take(now: .milliseconds(100))
        #expect(!again)
        // A long idle time is worth no more than the burst.
        let later = (0..<5).map { _ in bucket.take(now: .seconds(3_600)) }
        #expect(later == [true, true, true, false, false])
    }

    @Test("TokenBucket: over any period, at most burst plus rate is allowed", arguments: 0..<20 as Range<UInt64>)
    func rate(seed: UInt64) {
        var random = SeededNumbers(seed)
        let burst = Int.random(in: 1...20, using: &random)
        var bucket = TokenBucket(RateLimit(requests: 7, per: .seconds(1), burst: burst))
        var now = Duration.zero
        var taken: [Duration] = []
        for _ in 0..<500 {
            now += .milliseconds(Int.random(in: 0...200, using: &random))
            if bucket.take(now: now) { taken.append(now) }
        }
        for (index, start) in taken.enumerated() {
            let within = taken[index...].count { $0 - start <= .seconds(2) }
            #expect(within <= burst + 15)
        }
        #expect(taken.count >= 20)
    }

    @Test(
        "Extreme settings do not trap",
        arguments: [
            RateLimit(requests: 0), RateLimit(requests: -3, per: .zero, burst: -1),
            RateLimit(requests: .max, per: .seconds(Int64.max), burst: .max),
            RateLimit(requests: 1, per: .seconds(Int64.min), burst: .max),
        ])
    func extremes(limit: RateLimit) {
        var bucket = TokenBucket(limit)
        let first = bucket.take(now: .zero)
        #expect(first)
        for second in 0..<100 { _ = bucket.take(now: .seconds(second)) }
    }

    @Test("The FIFO queue admits waiters in order, also if some leave", arguments: 0..<10 as Range<UInt64>)
    func line(seed: UInt64) async throws {
        var random = SeededNumbers(seed)
        let line = AsyncMutex(capacity: 1_000)
        let served = LockedValue<[Int]>([])
        let ended = LockedValue(0)
        _ = try await line.enter()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<200 {
            tasks.append(
                Task {
                    defer { ended.change { $0 += 1 } }
                    guard try await line.enter() else { return }
                    served.change { $0.append(number) }
                    line.leave()
                })
            // A waiter that has not queued has ended, and none should have yet.
            try await eventually { line.waiting + ended.value > number }
            try #require(ended.value == 0)
        }
        let leaving = Set((0..<200).filter { _ in Bool.random(using: &random) })
        for number in leaving { tasks[number].cancel() }
        try await eventually { ended.value >= leaving.count }
        #expect(line.waiting == 200 - leaving.count)
        line.leave()
        // Not the tasks themselves: a waiter that is never admitted would hang the test.
        try await eventually { ended.value == 200 }
        #expect(served.value == (0..<200).filter { !leaving.contains($0) })
        #expect(line.waiting == 0)
        #expect(try await line.enter())
    }

    @Test("The FIFO queue is unchanged after many concurrent waiters enter and cancel")
    func storm() async throws {
        let line = AsyncMutex(capacity: 10_000)
        let inside = LockedValue(0)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2_000 {
                group.addTask {
                    let task = Task {
                        guard try await line.enter() else { return }
                        inside.change { $0 += 1 }
                        #expect(inside.value == 1)
                        await Task.yield()
                        inside.change { $0 -= 1 }
                        line.leave()
                    }
                    if number % 3 == 0 { task.cancel() }
                    // A waiter that is never admitted is cancelled at the time limit.
                    await withTaskCancellationHandler {
                        _ = await task.result
                    } onCancel: {
                        task.cancel()
                    }
                }
            }
        }
        #expect(line.waiting == 0)
        #expect(try await line.enter())
    }

    @Test("Requests above the limit wait for a permit, per host")
    func calls() async throws {
        let clock = TestClock(movesItself: true)
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.resilience.rateLimit = RateLimit(requests: 2, per: .seconds(1), burst: 2)
        }
        for _ in 0..<6 { try await client.call(.get, "x").void() }
        #expect(clock.now.offset == .seconds(2))
        let other = client.with { $0.baseURL = "https://other.test" }
        try await other.call(.get, "x").void()
        #expect(clock.now.offset == .seconds(2))
    }

    @Test("A request whose permit would come after its deadline fails at once; a full queue refuses requests")
    func bounds() async throws {
        let clock = TestClock()
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.resilience.rateLimit = RateLimit(requests: 1, per: .seconds(60))
            $0.resilience.rateLimit?.maximumWaiting = 1
        }
        try await client.call(.get, "x").void()
        let hasty = client.with { $0.timeouts.total = .seconds(30) }
        let late = await #expect(throws: NetworkError.self) { try await hasty.call(.get, "x").void() }
        #expect((late?.underlyingError as? RateLimitExceededError)?.reason == .deadline)
        let waiting = Task { try await client.call(.get, "x").void() }
        try await clock.sleeping()
        let full = await #expect(throws: NetworkError.self) {
            try await client.call(.get, "x").with { $0.timeouts.total = nil }.void()
        }
        #expect((full?.underlyingError as? RateLimitExceededError)?.reason == .tooManyWaiting)
        waiting.cancel()
        #expect(await waiting.result.isFailure)
        #expect(transport.requestCount == 1)
    }

    @Test("maximumWaiting includes the next request; further requests fail at once", arguments: [0, 1, 3])
    func capacity(count: Int) async throws {
        let clock = TestClock()
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.timeouts.total = nil
            $0.resilience.rateLimit = RateLimit(requests: 1, per: .seconds(60), burst: 2)
            $0.resilience.rateLimit?.maximumWaiting = count
        }
        // A request with a permit does not wait, however many arrive at once.
        async let one: Void = client.call(.get, "x").void()
        async let two: Void = client.call(.get, "x").void()
        _ = try await (one, two)
        let refused = Counter()
        let calls = (0..<(count + 4)).map { _ in
            Task {
                do {
                    try await client.call(.get, "x").void()
                } catch {
                    if (error as? NetworkError)?.isCancelled == false { refused.next() }
                }
            }
        }
        try await eventually { refused.count >= 4 }
        for call in calls { call.cancel() }
        for call in calls { await call.value }
        #expect(refused.count == 4)
        #expect(transport.requestCount == 2)
    }

    @Test("A request behind the next one fails at once if its permit would come after its deadline")
    func behind() async throws {
        let clock = TestClock()
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) {
            $0.time = clock.timeSource
            $0.timeouts.total = .seconds(15)
            $0.resilience.rateLimit = RateLimit(requests: 1, per: .seconds(10))
        }
        try await client.call(.get, "x").void()
        let next = Task { try await client.call(.get, "x").void() }
        try await clock.sleeping()
        let late = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect((late?.underlyingError as? RateLimitExceededError)?.reason == .deadline)
        clock.advance(by: .seconds(10))
        try await next.value
    }

    @Test("A cancelled waiting request uses no permit")
    func cancelled() async throws {
        let clock = TestClock()
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.resilience.rateLimit = RateLimit(requests: 1, per: .seconds(10))
        }
        try await client.call(.get, "first").void()
        let second = Task { try await client.call(.get, "second").void() }
        try await clock.sleeping()
        second.cancel()
        #expect(await second.result.isFailure)
        let third = Task { try await client.call(.get, "third").void() }
        try await clock.sleeping()
        clock.advance(by: .seconds(10))
        try await third.value
        #expect(transport.requests.map(\.path) == ["/first", "/third"])
    }
}

extension Result {
    /// True if the result is an error.
    var isFailure: Bool {
        guard case .failure = self else { return false }
        return true
    }
}

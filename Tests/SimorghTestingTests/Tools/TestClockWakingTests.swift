// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghTesting
import TestSupport
import Testing

/// The functions with which tests advance a clock that other tasks sleep on.
@Suite(.timeLimit(.minutes(10)))
struct TestClockWakingTests {
    @Test("skipWaits advances from one short wait to the next, however often it checks, and skips no deadline")
    func shortWaits() async throws {
        let clock = TestClock()
        let deadline = Task { try await clock.sleep(for: .seconds(60)) }
        try await clock.sleeping()
        let rounds = LockedValue(0)
        let work = Task {
            for _ in 0..<5 {
                try await clock.sleep(for: .seconds(2))
                await yieldToOthers()
                rounds.change { $0 += 1 }
            }
        }
        try await clock.skipWaits(upTo: .seconds(2)) { rounds.value == 5 }
        #expect(clock.now.offset == .seconds(10))
        try await work.value
        deadline.cancel()
        await #expect(throws: CancellationError.self) { try await deadline.value }
    }

    @Test("sleeping(for:) ignores waits of another length")
    func exactly() async throws {
        let clock = TestClock()
        let other = Task { try await clock.sleep(for: .seconds(2)) }
        try await clock.sleeping()
        let meant = Task { try await clock.sleep(for: .seconds(3)) }
        try await clock.sleeping(for: .seconds(3))
        #expect(clock.wakings.map(\.offset) == [.seconds(2), .seconds(3)])
        clock.advance(by: .seconds(3))
        try await other.value
        try await meant.value
    }

    @Test("sleeping(for:) accepts a wait whose remaining time has become the given length")
    func shortened() async throws {
        let clock = TestClock()
        let sleeps = (0..<2).map { _ in Task { try await clock.sleep(for: .seconds(5)) } }
        try await clock.sleeping(2, for: .seconds(5))
        let isSeen = LockedValue(false)
        let watch = Task {
            try await clock.sleeping(2, for: .seconds(3))
            isSeen.change { $0 = true }
        }
        await yieldToOthers()
        #expect(!isSeen.value)
        clock.advance(by: .seconds(2))
        try await watch.value
        clock.advance(by: .seconds(3))
        for sleep in sleeps { try await sleep.value }
    }

    @Test("skipWaits skips the waits of several tasks one by one, if each is short once the others are over")
    func several() async throws {
        let clock = TestClock()
        let woken = LockedValue<Set<Int>>([])
        let sleeps = [3, 1, 2].map { seconds in
            Task {
                try await clock.sleep(for: .seconds(seconds))
                woken.change { $0.insert(seconds) }
            }
        }
        try await clock.sleeping(3)
        try await clock.skipWaits(upTo: .seconds(1)) { woken.value.count == 3 }
        #expect(woken.value == [1, 2, 3])
        #expect(clock.now.offset == .seconds(3))
        for sleep in sleeps { try await sleep.value }
    }

    @Test("skipWaits repeats its condition until it is cancelled, and rethrows the condition's error")
    func inVain() async throws {
        let clock = TestClock()
        let deadline = Task { try await clock.sleep(for: .seconds(60)) }
        try await clock.sleeping()
        let vain = Task { try await clock.skipWaits(upTo: .seconds(59)) { false } }
        await yieldToOthers()
        vain.cancel()
        await #expect(throws: CancellationError.self) { try await vain.value }
        struct Mine: Error {}
        await #expect(throws: Mine.self) { try await clock.skipWaits(upTo: .seconds(60)) { throw Mine() } }
        #expect(clock.now.offset == .zero)
        deadline.cancel()
        _ = await deadline.result
    }
}

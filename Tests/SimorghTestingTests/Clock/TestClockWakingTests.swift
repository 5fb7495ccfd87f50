// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghTesting
import TestSupport
import Testing

/// How tests move a clock that others sleep on.
@Suite(.timeLimit(.minutes(10)))
struct TestClockWakingTests {
    @Test("The clock goes from one short wait to the next, however often it is looked at, and to no deadline")
    func shortWaits() async throws {
        let clock = TestClock()
        let deadline = Task { try await clock.sleep(for: .seconds(60)) }
        try await clock.sleeping()
        let rounds = Kept(0)
        let work = Task {
            for _ in 0..<5 {
                try await clock.sleep(for: .seconds(2))
                await letOthersRun()
                rounds.change { $0 += 1 }
            }
        }
        try await clock.wake(within: .seconds(2)) { rounds.value == 5 }
        #expect(clock.now.offset == .seconds(10))
        try await work.value
        deadline.cancel()
        await #expect(throws: CancellationError.self) { try await deadline.value }
    }

    @Test("A wait of another length is not taken for the one that is meant")
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
}

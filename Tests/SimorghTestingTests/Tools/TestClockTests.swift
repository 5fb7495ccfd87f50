// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(10)))
struct TestClockTests {
    @Test("A sleeping task wakes when the clock reaches its time, and not before")
    func advance() async throws {
        let clock = TestClock()
        let task = Task { try await clock.sleep(for: .seconds(2)) }
        try await clock.sleeping()
        clock.advance(by: .seconds(1))
        try await clock.sleeping()
        clock.advance(by: .seconds(1))
        try await task.value
        #expect(clock.waits == [.seconds(2)])
        #expect(clock.now.offset == .seconds(2))
    }

    @Test("A cancelled sleeping task wakes at once")
    func cancel() async throws {
        let clock = TestClock()
        let task = Task { try await clock.sleep(for: .seconds(2)) }
        try await clock.sleeping()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A clock with movesItself never suspends a task, and advances its date")
    func movesItself() async throws {
        let clock = TestClock(movesItself: true)
        let date = clock.date
        try await clock.sleep(for: .seconds(3600))
        #expect(clock.date.timeIntervalSince(date) == 3600)
    }
}

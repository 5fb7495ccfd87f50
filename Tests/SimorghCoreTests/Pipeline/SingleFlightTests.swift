// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// The gate over its machine: who waits, who leaves, and what becomes of work that nobody waits for.
@Suite(.timeLimit(.minutes(10)))
struct SingleFlightTests {
    private let clock = TestClock()
    private let gate = SingleFlight<Int>(grace: .seconds(30))

    /// As long as a call has that waits: an hour on the test's clock.
    private var limit: WaitLimit? {
        var request = TransportRequest(head: HTTPRequest(method: .get, scheme: "https", authority: "a", path: "/"))
        request.options.call = CallContext(
            deadline: clock.timeSource.deadline(after: .seconds(3600)), time: clock.timeSource)
        return WaitLimit(request)
    }

    /// Work that only a cancellation ends, and the gate that opens then.
    private static func endless() -> (work: @Sendable () async throws -> Int, ended: Gate) {
        let (never, ended) = (Gate(), Gate())
        let work: @Sendable () async throws -> Int = {
            defer { ended.open() }
            try await never.wait()
            return 0
        }
        return (work, ended)
    }

    private func wait(for work: @escaping @Sendable () async throws -> Int) -> Task<Void, any Error> {
        let epoch = gate.epoch
        return Task { [gate, limit] in _ = try await gate.outcome(refusedIn: epoch, within: limit, work) }
    }

    @Test("Work that nobody waits for goes on for its time alone, and what it gives then is not lost")
    func grace() async throws {
        let go = Gate()
        let first = wait { [go] in
            try await go.wait()
            return 7
        }
        try await clock.sleeping(1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        // Somebody else comes in time.
        let epoch = gate.epoch
        let second = Task { [gate, limit] in
            try await gate.outcome(refusedIn: epoch, within: limit) {
                Issue.record("a second run was started beside the first")
                return 0
            }.get()
        }
        try await eventually { gate.waitingCount > 0 }
        go.open()
        #expect(try await second.value == 7)
    }

    @Test("A run whose time alone is over ends with the last who leaves it, and the next run has a time of its own")
    func overdue() async throws {
        let (work, ended) = Self.endless()
        let first = wait(for: work)
        try await clock.sleeping(1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        // The clock of its time alone runs; another caller joins before that is over.
        try await clock.sleeping(for: .seconds(30))
        let second = wait(for: work)
        try await eventually { gate.waitingCount == 1 }
        clock.advance(by: .seconds(30))
        #expect(gate.waitingCount == 1)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        // With a second time alone, only the clock would end it now, and nobody moves that.
        try await ended.wait()

        let (other, otherEnded) = Self.endless()
        let third = wait(for: other)
        // The others, where they sleep still, have half a minute less.
        try await clock.sleeping(for: .seconds(3600))
        third.cancel()
        await #expect(throws: CancellationError.self) { try await third.value }
        try await clock.sleeping(for: .seconds(30))
        clock.advance(by: .seconds(30))
        try await otherEnded.wait()
    }
}

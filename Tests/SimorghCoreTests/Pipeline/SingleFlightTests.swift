// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// The gate over its state machine: waiters, cancellation, and abandoned runs.
@Suite(.timeLimit(.minutes(10)))
struct SingleFlightTests {
    private let clock = TestClock()
    private let gate = SingleFlight<Int>(grace: .seconds(30))

    /// The time limit of a waiting call: an hour on the test's clock.
    private var limit: WaitLimit? {
        var request = TransportRequest(head: HTTPRequest(method: .get, scheme: "https", authority: "a", path: "/"))
        request.options.call = CallContext(
            deadline: clock.timeSource.deadline(after: .seconds(3600)), time: clock.timeSource)
        return WaitLimit(request)
    }

    /// Work that ends only by cancellation, and a gate that opens when it does.
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

    @Test("Abandoned work continues for its grace period, and its result is used by a later caller")
    func grace() async throws {
        let go = Gate()
        let first = wait { [go] in
            try await go.wait()
            return 7
        }
        try await clock.sleeping(1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        // Another caller joins within the grace period.
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

    @Test("A run past its grace period ends with its last waiter, and the next run has its own grace period")
    func overdue() async throws {
        let (work, ended) = Self.endless()
        let first = wait(for: work)
        try await clock.sleeping(1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        // The grace period has started; another caller joins before it is over.
        try await clock.sleeping(for: .seconds(30))
        let second = wait(for: work)
        try await eventually { gate.waitingCount == 1 }
        clock.advance(by: .seconds(30))
        #expect(gate.waitingCount == 1)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        // With a second grace period only the clock could end the run, and it does not advance.
        try await ended.wait()

        let (other, otherEnded) = Self.endless()
        let third = wait(for: other)
        // The other waiters, if still asleep, have 30 seconds less.
        try await clock.sleeping(for: .seconds(3600))
        third.cancel()
        await #expect(throws: CancellationError.self) { try await third.value }
        try await clock.sleeping(for: .seconds(30))
        clock.advance(by: .seconds(30))
        try await otherEnded.wait()
    }
}

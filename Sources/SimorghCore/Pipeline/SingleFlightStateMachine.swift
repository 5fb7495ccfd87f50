// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// State machine that decides which request starts a shared operation, which joins it, and which uses its last result.
///
/// The end of each run begins a new epoch. A request remembers the epoch in which it was sent. If it is rejected, it
/// starts a run, joins the active one, or, if a run has ended since the request was sent, uses the result of that run.
/// Many requests that fail for the same reason therefore cause one run, whether they fail together or in sequence.
package struct SingleFlightStateMachine: Equatable, Sendable {
    /// The decision for a request that has not been sent yet.
    package enum Entry: Equatable, Sendable {
        /// The request is sent, in this epoch.
        case pass(epoch: Int)
        /// The request waits for the end of the active run.
        case wait(waiter: Int)
    }

    /// The decision for a request that was rejected.
    package enum Refusal: Equatable, Sendable {
        /// The request starts a run and waits for its end.
        case start(run: Int, waiter: Int)
        /// The request waits for the end of the active run.
        case join(waiter: Int)
        /// The request uses the result of the last run, which ended after the request was sent.
        case past
    }

    /// The consequence of a waiter that leaves before the end of the run.
    package enum Departure: Equatable, Sendable {
        /// Nothing: other waiters remain, or the run had ended.
        case none
        /// The run has no waiter left: stop it, now or after the grace period, with ``SingleFlightStateMachine/abandoned(after:)``.
        case alone
    }

    private struct Run: Equatable {
        let id: Int
        var waiters: Set<Int>
        var lastLeaver = 0
    }

    /// The number of runs that have ended.
    package private(set) var epoch = 0
    private var run: Run?
    private var lastRun = 0
    private var lastWaiter = 0

    package init() {}

    /// Decides whether a new request is sent or waits.
    package mutating func entered() -> Entry {
        guard run != nil else { return .pass(epoch: epoch) }
        return .wait(waiter: addWaiter())
    }

    /// Decides what a request does that was sent in `epoch` and was rejected.
    package mutating func refused(in epoch: Int) -> Refusal {
        if run != nil { return .join(waiter: addWaiter()) }
        guard epoch >= self.epoch else { return .past }
        lastRun += 1
        run = Run(id: lastRun, waiters: [])
        return .start(run: lastRun, waiter: addWaiter())
    }

    /// Removes a waiter.
    package mutating func left(_ waiter: Int) -> Departure {
        guard run?.waiters.remove(waiter) != nil, run?.waiters.isEmpty == true else { return .none }
        run?.lastLeaver = waiter
        return .alone
    }

    /// The active run; `nil` if there is no active run.
    package var current: Int? { run?.id }

    /// The last waiter that left the active run; `nil` if the run has waiters or there is no active run.
    package var lastLeaver: Int? { run.flatMap { $0.waiters.isEmpty ? $0.lastLeaver : nil } }

    /// Stops the run that has had no waiter since `waiter` left.
    ///
    /// - Returns: True if the run was stopped; false if it has ended, or had another waiter since.
    package mutating func abandoned(after waiter: Int) -> Bool {
        guard let run, run.waiters.isEmpty, run.lastLeaver == waiter else { return false }
        // The epoch stays the same: the run has no result.
        self.run = nil
        return true
    }

    /// Ends a run.
    ///
    /// - Returns: The waiters of the run; `nil` if the run was abandoned, so that its result is discarded.
    package mutating func ended(_ id: Int) -> Set<Int>? {
        guard let run, run.id == id else { return nil }
        epoch += 1
        self.run = nil
        return run.waiters
    }

    /// Returns true if `id` is the active run.
    package func isRunning(_ id: Int) -> Bool { run?.id == id }

    private mutating func addWaiter() -> Int {
        lastWaiter += 1
        run?.waiters.insert(lastWaiter)
        return lastWaiter
    }
}

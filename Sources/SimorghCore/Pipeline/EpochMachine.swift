// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Who starts a piece of work that many need, who joins it, and who finds it done already.
///
/// Time is cut into epochs by the ends of runs. A request remembers in which epoch it was sent. One that comes back
/// refused starts a run, joins the one that goes on, or, when a run has ended since it was sent, takes what that run
/// gave: that is how many requests which fail for one reason cause one run, together or one after the other.
package struct EpochMachine: Equatable, Sendable {
    /// What a request does that has not been sent yet.
    package enum Entry: Equatable, Sendable {
        /// It goes on, in this epoch.
        case pass(epoch: Int)
        /// It waits for the end of the run.
        case wait(waiter: Int)
    }

    /// What a request does that came back refused.
    package enum Refusal: Equatable, Sendable {
        /// It starts a run, and waits for its end.
        case start(run: Int, waiter: Int)
        /// It waits for the end of the run that goes on.
        case join(waiter: Int)
        /// It takes what the last run gave, which ended after it was sent.
        case past
    }

    /// What follows when a waiter leaves before the end.
    package enum Departure: Equatable, Sendable {
        /// Nothing: others wait, or the run had ended.
        case none
        /// Nobody waits any more: the run is to be stopped, now or after a while, by ``EpochMachine/abandoned(after:)``.
        case alone
    }

    private struct Run: Equatable {
        let id: Int
        var waiters: Set<Int>
        var lastLeaver = 0
    }

    /// How many runs have ended.
    package private(set) var epoch = 0
    private var run: Run?
    private var lastRun = 0
    private var lastWaiter = 0

    package init() {}

    /// A request wants to be sent.
    package mutating func entered() -> Entry {
        guard run != nil else { return .pass(epoch: epoch) }
        return .wait(waiter: addWaiter())
    }

    /// A request that was sent in an epoch came back refused.
    package mutating func refused(in epoch: Int) -> Refusal {
        if run != nil { return .join(waiter: addWaiter()) }
        guard epoch >= self.epoch else { return .past }
        lastRun += 1
        run = Run(id: lastRun, waiters: [])
        return .start(run: lastRun, waiter: addWaiter())
    }

    /// A waiter does not wait any more.
    package mutating func left(_ waiter: Int) -> Departure {
        guard run?.waiters.remove(waiter) != nil, run?.waiters.isEmpty == true else { return .none }
        run?.lastLeaver = waiter
        return .alone
    }

    /// The run that goes on; `nil` for none.
    package var current: Int? { run?.id }

    /// Who left the run that goes on alone; `nil` where somebody waits for it.
    package var lastLeaver: Int? { run.flatMap { $0.waiters.isEmpty ? $0.lastLeaver : nil } }

    /// The run that a waiter left alone is to be stopped.
    ///
    /// - Returns: Whether it is; not where it has ended, or somebody has waited for it since.
    package mutating func abandoned(after waiter: Int) -> Bool {
        guard let run, run.waiters.isEmpty, run.lastLeaver == waiter else { return false }
        // No epoch ends here: nothing was decided.
        self.run = nil
        return true
    }

    /// A run has ended.
    ///
    /// - Returns: Who waited for it; `nil` for a run that was abandoned, whose end is news to nobody.
    package mutating func ended(_ id: Int) -> Set<Int>? {
        guard let run, run.id == id else { return nil }
        epoch += 1
        self.run = nil
        return run.waiters
    }

    /// Whether this is the run that goes on.
    package func isRunning(_ id: Int) -> Bool { run?.id == id }

    private mutating func addWaiter() -> Int {
        lastWaiter += 1
        run?.waiters.insert(lastWaiter)
        return lastWaiter
    }
}

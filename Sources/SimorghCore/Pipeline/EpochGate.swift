// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Runs work once for all who need it, and keeps out who would need it next: the owner of an ``EpochMachine``.
///
/// The work runs in a task of the gate's own. A waiter that is cancelled leaves at once and takes nothing from the
/// others; the task is cancelled when nobody has waited for it for a while.
package final class EpochGate<Value: Sendable>: Sendable {
    /// What a run gave.
    package typealias Outcome = Result<Value, any Error>

    /// How a request got through the gate.
    package struct Passage: Sendable {
        /// The epoch it is sent in.
        package let epoch: Int
        /// What the run gave that it waited for; `nil` if it did not wait.
        package let outcome: Outcome?
    }

    /// A task that waits, and its number in the machine.
    private struct Wait {
        let id: Int
        let waiter = Waiter<Outcome, any Error>()
    }

    private enum Entry { case pass(epoch: Int), wait(Wait) }
    private enum Refusal { case start(run: Int, Wait), join(Wait), past(Outcome?) }

    private struct State {
        var machine = EpochMachine()
        var waiters: [Int: Waiter<Outcome, any Error>] = [:]
        var last: Outcome?
        var task: (run: Int, task: Task<Void, Never>)?
        /// Waits for somebody to wait again.
        var grace: Task<Void, Never>?
        /// The run whose time alone is over.
        var overdue: Int?

        mutating func addWait(_ id: Int) -> Wait {
            let wait = Wait(id: id)
            waiters[id] = wait.waiter
            return wait
        }
    }

    private let state = Mutex(State())
    /// How long work goes on that nobody waits for.
    private let grace: Duration

    /// - Parameter grace: How long work goes on that nobody waits for, so that what it gives is not lost; not at all by
    ///   default.
    package init(grace: Duration = .zero) { self.grace = grace }

    /// The epoch of now.
    package var epoch: Int { state.withLock { $0.machine.epoch } }

    /// Whether the current task belongs to the run that goes on, and so must not wait for its end.
    package var isInside: Bool {
        RunMark.current.contains { $0.gate == ObjectIdentifier(self) && $0.isRunning() }
    }

    /// Whether the current task belongs to a run of any gate that goes on: others may wait for its end, so that it must
    /// not wait for them.
    package static var isInsideAny: Bool { RunMark.current.contains { $0.isRunning() } }

    /// How many wait now.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Goes through the gate, after the end of the run if one goes on.
    ///
    /// - Parameters:
    ///   - limit: How long to wait at most; `nil` for as long as it takes.
    ///   - report: Told when a wait begins; its end is the caller's to tell.
    /// - Returns: The epoch to be sent in.
    /// - Throws: `CancellationError`, or a ``TransportError`` when the limit has passed.
    package func pass(within limit: WaitLimit?, telling report: WaitReport? = nil) async throws -> Passage {
        var outcome: Outcome?
        while true {
            let entry = state.withLock { state -> Entry in
                switch state.machine.entered() {
                case .pass(let epoch): .pass(epoch: epoch)
                case .wait(let id): .wait(state.addWait(id))
                }
            }
            switch entry {
            case .pass(let epoch): return Passage(epoch: epoch, outcome: outcome)
            case .wait(let wait):
                report?.begin()
                outcome = try await value(of: wait, within: limit)
            }
        }
    }

    /// Starts a run, joins the one that goes on, or takes what the last one gave.
    ///
    /// - Parameters:
    ///   - epoch: The epoch in which the refused request was sent.
    ///   - limit: How long to wait at most; `nil` for as long as it takes.
    ///   - report: Told when a wait begins; its end is the caller's to tell.
    ///   - work: The work, if it is to be started.
    /// - Returns: What the run gave.
    /// - Throws: `CancellationError`, or a ``TransportError`` when the limit has passed.
    package func outcome(
        refusedIn epoch: Int, within limit: WaitLimit?, telling report: WaitReport? = nil,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Outcome {
        let refusal = state.withLock { state -> Refusal in
            switch state.machine.refused(in: epoch) {
            case .start(let run, let id): .start(run: run, state.addWait(id))
            case .join(let id): .join(state.addWait(id))
            case .past: .past(state.last)
            }
        }
        switch refusal {
        case .start(let run, let wait):
            report?.begin()
            start(run, work)
            return try await value(of: wait, within: limit)
        case .join(let wait):
            report?.begin()
            return try await value(of: wait, within: limit)
        case .past(let last):
            guard let last else { preconditionFailure("an epoch ended without an outcome") }
            return last
        }
    }

    private func start(_ run: Int, _ work: @escaping @Sendable () async throws -> Value) {
        let mark = RunMark(gate: ObjectIdentifier(self)) { self.state.withLock { $0.machine.isRunning(run) } }
        // Those of runs that are over say nothing any more, and would pile up where each run starts the next.
        let task = RunMark.$current.withValue(RunMark.current.filter { $0.isRunning() } + [mark]) {
            Task {
                let outcome: Outcome
                do {
                    outcome = .success(try await work())
                } catch {
                    outcome = .failure(error)
                }
                end(run, outcome)
            }
        }
        let isOver = state.withLock { state in
            guard state.machine.isRunning(run) else { return true }
            state.task = (run, task)
            return false
        }
        if isOver { task.cancel() }
    }

    private func end(_ run: Int, _ outcome: Outcome) {
        let (waiting, grace) = state.withLock { state -> ([Waiter<Outcome, any Error>], Task<Void, Never>?) in
            guard let waiters = state.machine.ended(run) else { return ([], nil) }
            state.last = outcome
            state.task = nil
            state.overdue = nil
            let waiting = waiters.sorted().compactMap { state.waiters.removeValue(forKey: $0) }
            return (waiting, state.grace.take())
        }
        grace?.cancel()
        for waiter in waiting { waiter.settle(.success(outcome)) }
    }

    private func value(of wait: Wait, within limit: WaitLimit?) async throws -> Outcome {
        let timer = limit.map { limit in
            Task {
                guard (try? await limit.time.sleep(for: limit.deadline.remaining)) != nil else { return }
                // First, so that the caller does not go on while the work that it waited for still runs.
                leave(wait.id, limit.time)
                wait.waiter.settle(.failure(limit.error))
            }
        }
        defer { timer?.cancel() }
        return try await wait.waiter.value { leave(wait.id, limit?.time ?? .system) }
    }

    /// Takes out a waiter that was cancelled or has waited long enough; does nothing if the run has ended.
    private func leave(_ id: Int, _ time: TimeSource) {
        let isLast = state.withLock { state in
            state.waiters.removeValue(forKey: id) != nil && state.machine.left(id) == .alone
        }
        if isLast { leaveAlone(after: id, time) }
    }

    /// Stops the work whose last waiter has left: at once, or when its time alone is over.
    ///
    /// That time begins once for a run, with the first that leaves it alone: callers that come and go must not keep a work
    /// alive that never ends.
    private func leaveAlone(after waiter: Int, _ time: TimeSource) {
        let (run, isOverdue) = state.withLock { ($0.machine.current, $0.overdue) }
        guard let run else { return }
        guard grace > .zero, isOverdue != run else { return abandon(after: waiter) }
        let task = Task {
            guard (try? await time.sleep(for: grace)) != nil else { return }
            timePassed(run)
        }
        let isNeeded = state.withLock { state in
            guard state.grace == nil, state.machine.isRunning(run) else { return false }
            state.grace = task
            return true
        }
        if !isNeeded { task.cancel() }
    }

    /// A run was left alone once, so long ago that it is stopped the moment nobody waits for it.
    private func timePassed(_ run: Int) {
        let waiter = state.withLock { state -> Int? in
            guard state.machine.isRunning(run) else { return nil }
            state.grace = nil
            state.overdue = run
            return state.machine.lastLeaver
        }
        if let waiter { abandon(after: waiter) }
    }

    private func abandon(after waiter: Int) {
        let (task, grace): (Task<Void, Never>?, Task<Void, Never>?) = state.withLock { state in
            guard state.machine.abandoned(after: waiter) else { return (nil, nil) }
            state.overdue = nil
            return (state.task.take()?.task, state.grace.take())
        }
        task?.cancel()
        grace?.cancel()
    }
}

/// Says of a task, and of those it starts, for which run of which gate it works.
private struct RunMark: Sendable {
    @TaskLocal static var current: [RunMark] = []

    let gate: ObjectIdentifier
    let isRunning: @Sendable () -> Bool
}

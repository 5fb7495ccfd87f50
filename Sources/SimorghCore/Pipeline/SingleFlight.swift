// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Runs one operation for all requests that need it (single-flight), and holds new requests back until it has ended.
///
/// The owner of a ``SingleFlightStateMachine``. The operation runs in a task of its own. Cancelling a waiter ends only
/// its own wait. The operation is cancelled when it has had no waiter for the grace period.
package final class SingleFlight<Value: Sendable>: Sendable {
    /// The result of a run.
    package typealias Outcome = Result<Value, any Error>

    /// The admission of a request to the rest of the pipeline.
    package struct Admission: Sendable {
        /// The epoch in which the request is sent.
        package let epoch: Int
        /// The result of the run that the request waited for; `nil` if it did not wait.
        package let outcome: Outcome?
    }

    /// A waiting task, with its number in the state machine.
    private struct Wait {
        let id: Int
        let waiter = Waiter<Outcome, any Error>()
    }

    private enum Entry { case pass(epoch: Int), wait(Wait) }
    private enum Refusal { case start(run: Int, Wait), join(Wait), past(Outcome?) }

    private struct State {
        var machine = SingleFlightStateMachine()
        var waiters: [Int: Waiter<Outcome, any Error>] = [:]
        var last: Outcome?
        var task: (run: Int, task: Task<Void, Never>)?
        /// The timer of the grace period: cancels the run if it still has no waiter.
        var grace: Task<Void, Never>?
        /// The run whose grace period has passed.
        var overdue: Int?

        mutating func addWait(_ id: Int) -> Wait {
            let wait = Wait(id: id)
            waiters[id] = wait.waiter
            return wait
        }
    }

    private let state = Mutex(State())
    /// The time for which a run without waiters continues.
    private let grace: Duration

    /// Creates a gate.
    ///
    /// - Parameter grace: The time for which a run without waiters continues, so that its result is not lost. Default:
    ///   zero.
    package init(grace: Duration = .zero) { self.grace = grace }

    /// The current epoch.
    package var epoch: Int { state.withLock { $0.machine.epoch } }

    /// True if the current task belongs to the active run, so that waiting for the end of the run would deadlock.
    package var isInside: Bool {
        ActiveRun.current.contains { $0.gate == ObjectIdentifier(self) && $0.isRunning() }
    }

    /// True if the current task belongs to an active run of any gate.
    ///
    /// Other requests may wait for that run, so that waiting for one of them could deadlock.
    package static var isInsideAny: Bool { ActiveRun.current.contains { $0.isRunning() } }

    /// The number of waiters.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Admits a request, after the end of the active run if there is one.
    ///
    /// - Parameters:
    ///   - limit: The longest wait; `nil` for no limit.
    ///   - report: Notified when a wait begins. The caller reports its end.
    /// - Returns: The epoch in which to send the request.
    /// - Throws: `CancellationError`, or a ``TransportError`` if the limit has passed.
    package func pass(within limit: WaitLimit?, report: WaitReport? = nil) async throws -> Admission {
        var outcome: Outcome?
        while true {
            let entry = state.withLock { state -> Entry in
                switch state.machine.entered() {
                case .pass(let epoch): .pass(epoch: epoch)
                case .wait(let id): .wait(state.addWait(id))
                }
            }
            switch entry {
            case .pass(let epoch): return Admission(epoch: epoch, outcome: outcome)
            case .wait(let wait):
                report?.begin()
                outcome = try await value(of: wait, within: limit)
            }
        }
    }

    /// Starts a run, joins the active one, or returns the result of the last one.
    ///
    /// - Parameters:
    ///   - epoch: The epoch in which the rejected request was sent.
    ///   - limit: The longest wait; `nil` for no limit.
    ///   - report: Notified when a wait begins. The caller reports its end.
    ///   - work: The operation to run if a run is to be started.
    /// - Returns: The result of the run.
    /// - Throws: `CancellationError`, or a ``TransportError`` if the limit has passed.
    package func outcome(
        refusedIn epoch: Int, within limit: WaitLimit?, report: WaitReport? = nil,
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
            start(run, work: work)
            return try await value(of: wait, within: limit)
        case .join(let wait):
            report?.begin()
            return try await value(of: wait, within: limit)
        case .past(let last):
            guard let last else { preconditionFailure("an epoch ended without an outcome") }
            return last
        }
    }

    private func start(_ run: Int, work: @escaping @Sendable () async throws -> Value) {
        let mark = ActiveRun(gate: ObjectIdentifier(self)) { self.state.withLock { $0.machine.isRunning(run) } }
        // Marks of ended runs have no effect, and would accumulate if each run starts the next one.
        let task = ActiveRun.$current.withValue(ActiveRun.current.filter { $0.isRunning() } + [mark]) {
            Task {
                let outcome: Outcome
                do {
                    outcome = .success(try await work())
                } catch {
                    outcome = .failure(error)
                }
                end(run, with: outcome)
            }
        }
        let isOver = state.withLock { state in
            guard state.machine.isRunning(run) else { return true }
            state.task = (run, task)
            return false
        }
        if isOver { task.cancel() }
    }

    private func end(_ run: Int, with outcome: Outcome) {
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
                // Leaves first, so that the caller does not continue while the operation that it waited for still runs.
                leave(wait.id, time: limit.time)
                wait.waiter.settle(.failure(limit.error))
            }
        }
        defer { timer?.cancel() }
        return try await wait.waiter.value { leave(wait.id, time: limit?.time ?? .system) }
    }

    /// Removes a waiter that was cancelled or timed out; does nothing if the run has ended.
    private func leave(_ id: Int, time: TimeSource) {
        let isLast = state.withLock { state in
            state.waiters.removeValue(forKey: id) != nil && state.machine.left(id) == .alone
        }
        if isLast { lastWaiterLeft(after: id, time: time) }
    }

    /// Cancels a run that has lost its last waiter: at once, or after the grace period.
    ///
    /// A run has one grace period, which begins when it first has no waiter: callers that keep joining and leaving must
    /// not keep an operation alive that never ends.
    private func lastWaiterLeft(after waiter: Int, time: TimeSource) {
        let (run, isOverdue) = state.withLock { ($0.machine.current, $0.overdue) }
        guard let run else { return }
        guard grace > .zero, isOverdue != run else { return abandon(after: waiter) }
        let task = Task {
            guard (try? await time.sleep(for: grace)) != nil else { return }
            gracePeriodEnded(run)
        }
        let isNeeded = state.withLock { state in
            guard state.grace == nil, state.machine.isRunning(run) else { return false }
            state.grace = task
            return true
        }
        if !isNeeded { task.cancel() }
    }

    /// Ends the grace period: cancels the run if it has no waiter now, or else as soon as it has none.
    private func gracePeriodEnded(_ run: Int) {
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

/// A task-local mark: the runs, and their gates, on whose behalf the current task and its child tasks work.
private struct ActiveRun: Sendable {
    @TaskLocal static var current: [ActiveRun] = []

    let gate: ObjectIdentifier
    let isRunning: @Sendable () -> Bool
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// An object with work of its own that a drain ends: a WebSocket, a hub of subscriptions, a download queue.
package protocol DrainMember: AnyObject, Sendable {
    /// Begins to end the work, and returns at once.
    ///
    /// - Returns: The number of unfinished downloads that this parks; 0 for other kinds of work.
    func beginDrain() -> Int
    /// Waits until the work has ended, or the task is cancelled.
    func drained() async
    /// Ends the work immediately; returns true if it had not ended yet.
    func endImmediately() -> Bool
}

/// Admits the calls of a client and its views, and knows which ones run.
///
/// The owner of a ``DrainStateMachine``. It holds its members weakly.
package final class DrainGate: Sendable {
    /// The gates of the running operations that the current task and its child tasks are part of.
    @TaskLocal package static var runningGates: [ObjectIdentifier] = []

    /// The work that a drain has stopped.
    package struct Outcome: Sendable, Hashable {
        package var calls = 0
        package var streams = 0
        package var connections = 0
        package var downloads = 0
        package var eventSources = 0

        package init() {}
    }

    /// A running stream; it leaves its gate when it is released.
    package final class Pass: Sendable {
        private let gate: DrainGate
        private let kind: DrainStateMachine.Kind

        fileprivate init(_ gate: DrainGate, _ kind: DrainStateMachine.Kind) {
            self.gate = gate
            self.kind = kind
        }

        deinit { gate.leave(kind) }
    }

    private struct Member {
        weak var object: (any DrainMember)?
    }

    private struct State {
        var machine = DrainStateMachine()
        var members: [Member] = []
        /// The number of members at which those that were released are removed.
        var sweepCount = 16
        var outcome = Outcome()
        // The phase of the machine becomes `over` first. The outcome is complete only once both of these are true.
        /// True once the members have begun to end.
        var hasBegun = false
        /// True once everything that still ran at the end was cancelled and counted.
        var hasEnded = false
    }

    private let state = Mutex(State())
    /// Signals that the last operation has ended, or the drain itself.
    private let changes = AsyncSignal()

    package init() {}

    /// True from the beginning of the drain on.
    package var isDraining: Bool { state.withLock { $0.machine.phase != .open } }

    /// True from the end of the drain on.
    package var isOver: Bool { state.withLock { $0.machine.phase == .over } }

    /// The work that the drain has stopped so far.
    package var outcome: Outcome { state.withLock { $0.outcome } }

    // MARK: Operations

    /// Counts a call that begins; returns `false` if it is refused.
    package func enter(_ kind: DrainStateMachine.Kind) -> Bool {
        state.withLock { $0.machine.enter(kind, isNested: Self.runningGates.contains(ObjectIdentifier(self))) }
    }

    /// Counts a call that has ended.
    package func leave(_ kind: DrainStateMachine.Kind) {
        if state.withLock({ $0.machine.leave(kind) }) { changes.ring() }
    }

    /// Counts a stream until the returned object is released; returns `nil` if the stream is refused.
    package func pass(_ kind: DrainStateMachine.Kind) -> Pass? { enter(kind) ? Pass(self, kind) : nil }

    // MARK: Members

    /// Adds a member; returns `false` if the drain has begun, and the member was not added.
    @discardableResult
    package func add(_ member: any DrainMember) -> Bool {
        // Released outside of the lock: the last reference to a member may be one of these.
        let current = state.withLock { state -> [any DrainMember]? in
            guard state.machine.phase == .open else { return nil }
            var current: [any DrainMember] = []
            if state.members.count >= state.sweepCount {
                current = state.members.compactMap(\.object)
                state.members = current.map { Member(object: $0) }
                state.sweepCount = max(16, 2 * current.count)
            }
            state.members.append(Member(object: member))
            return current
        }
        return current != nil
    }

    // MARK: The drain

    /// Refuses new calls, and begins to end the members.
    ///
    /// - Returns: The members.
    package func begin() -> [any DrainMember] {
        let (isFirst, members) = state.withLock { state in
            let isFirst = state.machine.begin()
            if isFirst { state.outcome.eventSources = state.machine.eventSources }
            return (isFirst, state.members.compactMap(\.object))
        }
        guard isFirst else { return members }
        for member in members {
            let downloads = member.beginDrain()
            state.withLock { $0.outcome.downloads += downloads }
        }
        state.withLock { $0.hasBegun = true }
        changes.ring()
        return members
    }

    /// Waits until all calls, streams and members have ended, another drain was faster, or the task is cancelled.
    package func untilEnded(_ members: [any DrainMember]) async {
        while true {
            let count = changes.count
            let (isIdle, phase) = state.withLock { ($0.machine.isIdle, $0.machine.phase) }
            if phase == .over { return }
            if isIdle { break }
            guard (try? await changes.wait(after: count)) != nil else { return }
        }
        for member in members where !Task.isCancelled { await member.drained() }
    }

    /// Ends the drain and the members; only the first call has an effect.
    ///
    /// - Parameters:
    ///   - members: The members.
    ///   - cancel: Cancels the calls and streams; called if some still run.
    package func end(_ members: [any DrainMember], cancel: () -> Void) {
        let isRunning = state.withLock { state -> Bool? in
            guard state.machine.end() else { return nil }
            (state.outcome.calls, state.outcome.streams) = (state.machine.calls, state.machine.streams)
            return !state.machine.isIdle
        }
        guard let isRunning else { return }
        let connections = members.count { $0.endImmediately() }
        if isRunning { cancel() }
        state.withLock { state in
            state.outcome.connections = connections
            state.hasEnded = true
        }
        changes.ring()
    }

    /// Waits until the outcome of a drain that has ended is complete, even if the task is cancelled.
    ///
    /// Another drain may be ending the same members at this moment, which takes only an instant.
    package func untilReported() async { await Task { await untilComplete() }.value }

    private func untilComplete() async {
        while true {
            let count = changes.count
            if state.withLock({ $0.hasBegun && $0.hasEnded }) { return }
            guard (try? await changes.wait(after: count)) != nil else { return }
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

/// The time limits of a connection, with one timer that is rescheduled as rarely as possible.
///
/// Starting a phase only stores its deadline. The loop's ``EventLoopTimerWheel`` calls the connection at some earlier
/// time; then the connection checks the current deadline and schedules the next call. It reschedules at once only if a
/// deadline is before the scheduled call. So a connection that carries thousands of exchanges per second schedules
/// about one call per minute.
struct PhaseTimer {
    /// The phase that ends when the deadline passes.
    enum Phase: Equatable {
        case none
        case request
        /// The body waits for `100 Continue`.
        case consent
        case head
        case body
        case idle
    }

    var phase = Phase.none
    var limit = Duration.zero
    var deadline: NIODeadline?
    /// The deadline of the whole exchange.
    var total: NIODeadline?
    /// The time of the scheduled call.
    var wakesAt: NIODeadline?

    /// The earlier of the two deadlines.
    var next: NIODeadline? {
        guard let deadline else { return total }
        return total.map { min($0, deadline) } ?? deadline
    }

    mutating func stop() {
        wakesAt = nil
        (phase, deadline, total) = (.none, nil, nil)
    }
}

extension HTTP1ConnectionHandler: TimerTarget {
    func startPhase(_ phase: PhaseTimer.Phase, limit: Duration?, from now: NIODeadline) {
        phaseTimer.phase = phase
        phaseTimer.limit = limit ?? .zero
        phaseTimer.deadline = limit.map { now.after($0) }
        arm()
    }

    /// Stops the limit of the phase; only the limit of the whole exchange remains.
    func stopPhase() {
        phaseTimer.phase = .none
        phaseTimer.deadline = nil
    }

    func startIdling(_ connection: PooledConnection, from now: NIODeadline) {
        phaseTimer.phase = .idle
        idleSince = now
        phaseTimer.deadline = now + connection.pool.idleTime
        arm()
    }

    /// Schedules the call for the next deadline, unless an earlier call is scheduled.
    func arm() {
        guard !isDead, let next = phaseTimer.next else { return }
        if let at = phaseTimer.wakesAt, at <= next { return }
        phaseTimer.wakesAt = next
        timerHandle = timerWheel?.wake(self, at: next, insteadOf: timerHandle)
    }

    func timerFired() {
        phaseTimer.wakesAt = nil
        guard !isDead else { return }
        let now = NIODeadline.now()
        if let current, let total = phaseTimer.total, total <= now, let limit = current.exchange.timeouts.total {
            return fail(.timedOut(.total, after: limit, requestMayHaveBeenSent: true))
        }
        if let deadline = phaseTimer.deadline, deadline <= now {
            switch phaseTimer.phase {
            case .none: break
            case .idle:
                // The pool closes the connection, unless it was leased at this moment.
                phaseTimer.deadline = connection.map { now + $0.pool.idleTime }
                if let connection { connection.pool.idleTimePassed(connection, now: now) }
            case .consent: stopWaitingForContinue()
            case .request: return fail(.timedOut(.request, after: phaseTimer.limit, requestMayHaveBeenSent: true))
            case .head: return fail(.timedOut(.head, after: phaseTimer.limit, requestMayHaveBeenSent: true))
            case .body: return fail(.timedOut(.body, after: phaseTimer.limit, requestMayHaveBeenSent: true))
            }
        }
        arm()
    }
}

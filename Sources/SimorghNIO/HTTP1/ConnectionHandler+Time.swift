// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

/// The time limits of a connection: one timer, moved as seldom as can be.
///
/// A phase that begins only writes down when it has to be over. The loop's ``LoopClock`` wakes the connection at some
/// earlier time, when it looks what holds now and asks to be woken again; it asks for an earlier time only where a limit
/// lies before the one it asked for. So a connection that carries thousands of exchanges a second asks about once a
/// minute.
struct PhaseClock {
    /// What ends when the time is up.
    enum Phase: Equatable {
        case none
        case request
        /// The body waits for the server to ask for it.
        case consent
        case head
        case body
        case idle
    }

    var phase = Phase.none
    var limit = Duration.zero
    var deadline: NIODeadline?
    /// The end of the whole exchange.
    var total: NIODeadline?
    /// When the connection will be woken.
    var wakesAt: NIODeadline?

    /// The next time at which something is too late.
    var next: NIODeadline? {
        guard let deadline else { return total }
        return total.map { min($0, deadline) } ?? deadline
    }

    mutating func stop() {
        wakesAt = nil
        (phase, deadline, total) = (.none, nil, nil)
    }
}

extension ConnectionHandler: Sleeper {
    func startPhase(_ phase: PhaseClock.Phase, _ limit: Duration?, from now: NIODeadline) {
        clock.phase = phase
        clock.limit = limit ?? .zero
        clock.deadline = limit.map { now.after($0) }
        arm()
    }

    /// Nothing but the whole exchange has a limit now.
    func stopPhase() {
        clock.phase = .none
        clock.deadline = nil
    }

    func startIdling(_ connection: WireConnection, from now: NIODeadline) {
        clock.phase = .idle
        idleSince = now
        clock.deadline = now + connection.pool.idleTime
        arm()
    }

    /// Sees to it that the connection is woken no later than it has to be.
    func arm() {
        guard !isDead, let next = clock.next else { return }
        if let at = clock.wakesAt, at <= next { return }
        clock.wakesAt = next
        alarmPlace = alarm?.wake(self, at: next, insteadOf: alarmPlace)
    }

    func woken() {
        clock.wakesAt = nil
        guard !isDead else { return }
        let now = NIODeadline.now()
        if let current, let total = clock.total, total <= now, let limit = current.exchange.timeouts.total {
            return fail(.timedOut(.total, after: limit, requestMayHaveBeenSent: true))
        }
        if let deadline = clock.deadline, deadline <= now {
            switch clock.phase {
            case .none: break
            case .idle:
                // Closed by the pool, unless it was leased this very moment.
                clock.deadline = connection.map { now + $0.pool.idleTime }
                if let connection { connection.pool.idleTimePassed(connection, now: now) }
            case .consent: endHolding()
            case .request: return fail(.timedOut(.request, after: clock.limit, requestMayHaveBeenSent: true))
            case .head: return fail(.timedOut(.head, after: clock.limit, requestMayHaveBeenSent: true))
            case .body: return fail(.timedOut(.body, after: clock.limit, requestMayHaveBeenSent: true))
            }
        }
        arm()
    }
}

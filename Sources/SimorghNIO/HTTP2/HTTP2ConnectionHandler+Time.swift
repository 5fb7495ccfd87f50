// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

/// The keep-alive settings of a connection: they detect a dead peer while streams are open.
struct HTTP2KeepAlive: Sendable {
    /// The silence of the peer after which a PING is sent; `nil` never sends one.
    var silence: TimeAmount?
    /// The time that the peer has to answer a PING.
    var patience: TimeAmount
}

/// Enforces the time limits with one timer for all streams, which is rescheduled as rarely as possible; see
/// ``PhaseTimer``.
extension HTTP2ConnectionHandler: TimerTarget {
    func startPhase(_ phase: PhaseTimer.Phase, of stream: HTTP2Stream, limit: Duration?, from now: NIODeadline) {
        stream.phaseTimer.phase = phase
        stream.phaseTimer.limit = limit ?? .zero
        stream.phaseTimer.deadline = limit.map { now.after($0) }
        arm(stream.phaseTimer.next)
        armKeepAlive()
    }

    func armKeepAlive() { arm(keepAlive.silence.map { lastReceived + $0 }) }

    /// Starts the idle time, after which the pool closes the connection.
    func startIdling(from now: NIODeadline) {
        idleSince = now
        arm(connection.map { now + $0.pool.idleTime })
    }

    /// Makes sure that the timer fires no later than the given time.
    func arm(_ next: NIODeadline?) {
        guard !isDead, let next else { return }
        if let wakesAt, wakesAt <= next { return }
        wakesAt = next
        timerHandle = timerWheel?.wake(self, at: next, insteadOf: timerHandle)
    }

    func timerFired() {
        wakesAt = nil
        guard !isDead, let connection else { return }
        let now = NIODeadline.now()
        for stream in Array(session.payloads) { check(stream, at: now) }
        guard !isDead else { return }
        checkWindow(now)
        guard !isDead else { return }
        for stream in session.payloads { arm(stream.phaseTimer.next) }
        if session.count > 0 {
            checkPeer(now)
        } else if let since = idleSince {
            guard since + connection.pool.idleTime <= now else { return arm(since + connection.pool.idleTime) }
            idleSince = now
            // The pool closes the connection, unless it was leased at this very moment.
            connection.pool.idleTimePassed(connection, now: now)
            arm(now + connection.pool.idleTime)
        }
    }

    private func check(_ stream: HTTP2Stream, at now: NIODeadline) {
        let timer = stream.phaseTimer
        let timeouts = stream.exchange.timeouts
        if let total = timer.total, total <= now, let limit = timeouts.total {
            return giveUp(stream, phase: .total, after: limit, at: now)
        }
        guard let deadline = timer.deadline, deadline <= now else { return }
        let phase: TransportError.Phase
        switch timer.phase {
        case .none, .idle: return
        case .consent: return stopWaitingForContinue(of: stream, at: now)
        case .request: phase = .request
        case .head: phase = .head
        case .body: phase = .body
        }
        giveUp(stream, phase: phase, after: timer.limit, at: now)
    }

    /// Fails an exchange whose time limit has passed.
    ///
    /// If its body waited for the connection's window for that long, the window is considered stalled.
    private func giveUp(
        _ stream: HTTP2Stream, phase: TransportError.Phase, after limit: Duration, at now: NIODeadline
    ) {
        var error = TransportError.timedOut(phase, after: limit, requestMayHaveBeenSent: true)
        let isHeldUp = stream.hasBytesToSend && session.sendable(stream.id) == 0
        let isStalled = isHeldUp && session.isShut
        if isHeldUp {
            error.message += ": the server keeps the HTTP/2 window of the \(isStalled ? "connection" : "stream") closed"
        }
        fail(stream, with: error)
        // A total limit may be shorter than a healthy server needs to read the body; the idle limit applies to the body
        // alone.
        let hasWaited = phase == .request || session.stallsAt.map { $0 <= now } == true
        if isStalled, hasWaited { stall(now) }
    }

    private func checkWindow(_ now: NIODeadline) {
        guard let time = session.stallsAt else { return }
        if time <= now { stall(now) } else { arm(time) }
    }

    /// Sends new requests over another connection if the pool may open one.
    ///
    /// Open streams continue on this one.
    private func stall(_ now: NIODeadline) {
        guard !isDead, !session.isStalled, let connection else { return }
        // A new connection has a full window.
        guard session.count > 0 else { return retire() }
        guard connection.pool.stalled(connection) else {
            session.postponeStall(now: now)
            return arm(session.stallsAt)
        }
        session.stall()
        reportedCapacity = session.capacity
    }

    private func checkPeer(_ now: NIODeadline) {
        guard let silence = keepAlive.silence else { return }
        switch session.keepAlive(lastReceived: lastReceived, now: now, silence: silence, patience: keepAlive.patience) {
        case .wait(let until):
            flush()
            arm(until)
        case .dead: end { .failed(.silent($0.phase, keepAlive: self.keepAlive)) }
        }
    }
}

extension TransportError {
    /// Creates the error for a peer that did not answer a PING.
    fileprivate static func silent(_ phase: Phase, keepAlive: HTTP2KeepAlive) -> TransportError {
        TransportError(
            .networkConnectionLost, phase: phase, message: "the server did not answer a ping",
            requestMayHaveBeenSent: true,
            limit: .nanoseconds(keepAlive.patience.nanoseconds))
    }
}

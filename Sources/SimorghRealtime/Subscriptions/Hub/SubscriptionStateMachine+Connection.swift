// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension SubscriptionStateMachine {
    mutating func open() {
        generation += 1
        phase = .opening
        reset()
        reconnection.begin()
        stopTimers()
        actions.append(.state(.connecting(attempt: reconnection.attempt)))
        actions.append(.open(generation, attempt: reconnection.attempt))
        start(.ready, after: options.readyTimeout)
    }

    mutating func closeConnection() {
        let connection = generation
        apply(.invalidMessage) { $0.closing() }
        guard connection == generation else { return }
        switch phase {
        case .opening, .negotiating, .ready:
            actions.append(session == nil ? .drop(generation) : .close(generation, .normal))
        case .waiting: break
        case .idle: return
        }
        becomeIdle()
        // Subscriptions that were added during the close need a new connection.
        if isHeld || !entries.isEmpty { open() }
    }

    /// Becomes idle, without a connection.
    mutating func becomeIdle() {
        phase = .idle
        reset()
        reconnection.end()
        stopTimers()
        actions.append(.state(.disconnected))
    }

    /// Resets the state of the current connection.
    private mutating func reset() {
        session = nil
        maximumSilence = nil
        isLeaving = false
        isIdleClosePending = false
        isSuspended = false
        lastResumed = nil
        needsFlush = false
        awaitingMark = []
        hasReportedUnknownID = false
        cancelPreparations()
    }

    mutating func drop(_ code: SubscriptionError.Code, message: String) {
        actions.append(.drop(generation))
        leaveConnection(ConnectionLoss(SubscriptionError(code, message: message), decision: .reconnect))
    }

    mutating func leaveConnection(_ loss: ConnectionLoss) {
        if isLeaving {
            // Subscriptions that were added during the close are not affected by the end of the old connection.
            end(loss.error, exceptUnsent: true)
            becomeIdle()
            if isHeld || !entries.isEmpty { open() }
            return
        }
        let isWanted =
            isHeld || entries.values.contains { $0.isUnsent || !$0.isOneShot && $0.stage != .leaving }
        guard isWanted, let wait = reconnection.delay(after: loss, now: now) else {
            end(loss.error)
            isHeld = false
            becomeIdle()
            return
        }
        interrupt(loss.error, retryAfter: wait)
        phase = .waiting
        reset()
        stopTimers()
        actions.append(.state(.reconnecting(attempt: reconnection.failures, delay: wait)))
        start(.reconnect, after: wait)
    }

    /// Ends the subscriptions with an error.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - exceptUnsent: True to keep the subscriptions whose message was not sent on this connection.
    mutating func end(_ error: SubscriptionError, exceptUnsent: Bool = false) {
        cancelPreparations()
        for id in order where !exceptUnsent || entries[id]?.stage != .unsent { finish(id, error: error) }
    }

    /// Marks the subscriptions as not sent, so that they are sent again on the next connection.
    ///
    /// Subscriptions that are being ended, and one-shot requests that were sent, end with the error instead: sending
    /// them again could repeat their effect.
    ///
    /// - Parameters:
    ///   - error: The error of the connection.
    ///   - wait: The time until the next connection, for the subscribers.
    mutating func interrupt(_ error: SubscriptionError, retryAfter wait: Duration) {
        cancelPreparations()
        for id in order {
            guard let entry = entries[id] else { continue }
            if entry.stage == .leaving || entry.isOneShot && !entry.isUnsent {
                finish(id, error: error)
            } else {
                let wasSent = entry.stage != .unsent
                entries[id]?.stage = .unsent
                if wasSent || !entry.wasLive { actions.append(.notify(id, .interrupted(error, retryAfter: wait))) }
            }
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension SubscriptionStateMachine {
    /// Returns the pending actions, including the last ones of the session.
    mutating func takeActions() -> [SubscriptionMachineAction] {
        flush()
        closeIfUnused()
        fraction = nil
        defer { actions = [] }
        return actions
    }

    mutating func start(_ timer: SubscriptionMachineTimer, after length: Duration) {
        runs[timer] = Run(start: now, length: length)
        actions.append(.startTimer(timer, length))
    }

    /// Stops a timer if it is running.
    mutating func stop(_ timer: SubscriptionMachineTimer) {
        if runs.removeValue(forKey: timer) != nil { actions.append(.stopTimer(timer)) }
    }

    mutating func stopTimers() {
        runs = [:]
        actions.append(.stopTimers)
    }

    /// Returns the timeout for the server's answer to a subscription.
    func wait(for entry: SubscriptionRecord<Session.Operation>) -> Duration {
        entry.isOneShot ? options.answerTimeout : options.subscribeTimeout
    }

    // MARK: Subscriptions

    mutating func send(_ id: SubscriptionID) {
        // An earlier action of the session may have ended the connection.
        guard phase == .ready, let entry = entries[id], entry.stage == .unsent else { return }
        if preparesOperations { prepare(id) } else { send(id, operation: entry.operation) }
    }

    mutating func send(_ id: SubscriptionID, operation: Session.Operation) {
        guard phase == .ready, var session = session.take() else { return }
        entries[id]?.stage = .sent
        entries[id]?.prepared = nil
        let wanted: [SubscriptionAction]
        do {
            wanted = try session.subscribe(operation, id: id)
            self.session = session
        } catch {
            self.session = session
            finish(
                id,
                error: SubscriptionError(
                    .invalidRequest, causedBy: error, message: "the subscription message is invalid"))
            return
        }
        needsFlush = true
        awaitingMark.append(id)
        perform(wanted)
    }

    /// Flushes the session, and starts waiting for the server's answers to the messages sent.
    private mutating func flush() {
        guard needsFlush, phase == .ready else { return }
        needsFlush = false
        apply(.invalidMessage) { $0.flush() }
        for id in awaitingMark {
            guard phase == .ready, let entry = entries[id],
                entry.stage == .sent || entry.stage == .live && entry.isOneShot
            else { continue }
            actions.append(.mark(id))
        }
        awaitingMark = []
    }

    mutating func leave(_ id: SubscriptionID) {
        guard let entry = entries[id], entry.stage != .leaving else { return }
        guard phase == .ready, !entry.isUnsent else {
            finish(id, error: nil)
            return
        }
        stop(.subscribe(id))
        entries[id]?.stage = .leaving
        needsFlush = true
        apply(.invalidMessage) { $0.unsubscribe(id) }
        if entries[id]?.stage == .leaving { start(.release(id), after: options.unsubscribeTimeout) }
    }

    /// Handles that the server, or a preparation, did not answer in time.
    mutating func answerTimedOut(_ id: SubscriptionID) {
        guard let entry = entries[id] else { return }
        switch entry.stage {
        case .preparing:
            postpone(
                id,
                error: SubscriptionError(
                    .timedOut,
                    message: "preparing the subscription took longer than \(options.subscribeTimeout.shown)"))
        case .sent, .live:
            // Unsubscribes, in case the server has accepted it after all.
            needsFlush = true
            apply(.invalidMessage) { $0.unsubscribe(id) }
            finish(
                id,
                error: SubscriptionError(
                    .timedOut, message: "no answer from the server within \(wait(for: entry).shown)"))
        case .unsent, .postponed, .leaving: break
        }
    }

    /// Sends a subscription again after a wait, or ends it after the maximum number of attempts.
    mutating func postpone(_ id: SubscriptionID, error: SubscriptionError) {
        guard phase == .ready, let entry = entries[id] else { return }
        switch entry.stage {
        case .preparing, .sent, .live: break
        case .leaving: return finish(id, error: nil)
        case .unsent, .postponed: return
        }
        if entry.stage == .live, now - entry.liveSince >= reconnection.stableAfter { entries[id]?.postponements = 0 }
        let fraction = fraction ?? reconnection.fraction()
        self.fraction = fraction
        let attempt = (entries[id]?.postponements ?? 0) + 1
        // A request that may have side effects and has reached the server is not sent twice.
        let isRepeatable = !entry.isOneShot || entry.isUnsent
        guard isRepeatable, let wait = reconnection.wait(before: attempt, fraction: fraction) else {
            finish(id, error: error)
            return
        }
        stop(.subscribe(id))
        if entry.stage == .preparing, preparations.running.remove(id) != nil { actions.append(.cancelPreparation(id)) }
        entries[id]?.stage = .postponed
        entries[id]?.postponements = attempt
        actions.append(.notify(id, .interrupted(error, retryAfter: wait)))
        start(.again(id), after: wait)
        if entry.stage == .preparing { advancePreparations() }
    }

    /// Removes a subscription and reports its end.
    mutating func finish(_ id: SubscriptionID, error: SubscriptionError?) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        order.removeAll { $0 == id }
        stop(.subscribe(id))
        stop(.release(id))
        stop(.again(id))
        // A subscriber that has left receives no error.
        actions.append(.end(id, entry.stage == .leaving ? nil : error))
        guard entry.stage == .preparing else { return }
        if preparations.running.remove(id) != nil { actions.append(.cancelPreparation(id)) }
        advancePreparations()
    }

    /// Closes a connection that is no longer needed.
    mutating func closeIfUnused() {
        guard phase != .idle else { return }
        if isLeaving {
            // Subscriptions that were added in the meantime wait for the next connection.
            guard entries.values.allSatisfy({ $0.stage == .unsent }) else { return }
            closeConnection()
        } else if entries.isEmpty, !isHeld {
            guard options.linger > .zero else { return closeConnection() }
            guard !isIdleClosePending else { return }
            isIdleClosePending = true
            start(.linger, after: options.linger)
        }
    }

    /// Cancels the pending close of a connection without subscriptions.
    mutating func cancelIdleClose() {
        if isIdleClosePending { stop(.linger) }
        isIdleClosePending = false
    }

    /// Ignores a timer that fired while reading was paused, because arrived messages were not read.
    ///
    /// - Returns: True if the timer was handled completely.
    mutating func ignoreTimerWhilePaused(_ timer: SubscriptionMachineTimer, run: Run) -> Bool {
        switch timer {
        case .silence:
            guard isSuspended else { return false }
        case .ready:
            guard phase == .negotiating else { return false }
        case .subscribe(let id):
            guard let stage = entries[id]?.stage, stage != .preparing else { return false }
        case .session(let timer):
            apply(.invalidMessage) { $0.timerFiredWhilePaused(timer) }
            guard session != nil else { return true }
        case .release, .again, .preparation, .linger, .reconnect: return false
        }
        if runs[timer] == nil { start(timer, after: run.length) }
        return true
    }
}

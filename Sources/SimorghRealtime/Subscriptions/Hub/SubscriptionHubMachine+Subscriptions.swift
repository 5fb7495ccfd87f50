// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension SubscriptionHubMachine {
    /// What is to be done now, the last words of the session among it.
    mutating func take() -> [HubAction] {
        tell()
        settle()
        fraction = nil
        defer { actions = [] }
        return actions
    }

    mutating func start(_ timer: HubTimer, _ length: Duration) {
        runs[timer] = Run(start: now, length: length)
        actions.append(.startTimer(timer, length))
    }

    /// Stops a timer, where it runs.
    mutating func stop(_ timer: HubTimer) {
        if runs.removeValue(forKey: timer) != nil { actions.append(.stopTimer(timer)) }
    }

    mutating func stopTimers() {
        runs = [:]
        actions.append(.stopTimers)
    }

    /// How long the server's word on a subscription may take.
    func wait(for entry: HubEntry<Session.Operation>) -> Duration {
        entry.isOneShot ? options.answerTimeout : options.subscribeTimeout
    }

    // MARK: Subscriptions

    mutating func ask(_ id: SubscriptionID) {
        // What was said of another one may have been the end of the connection.
        guard phase == .ready, let entry = entries[id], entry.stage == .unasked else { return }
        if prepares { complete(id) } else { ask(id, entry.operation) }
    }

    mutating func ask(_ id: SubscriptionID, _ operation: Session.Operation) {
        guard phase == .ready, var session = session.take() else { return }
        entries[id]?.stage = .asked
        entries[id]?.completed = nil
        let wanted: [SubscriptionAction]
        do {
            wanted = try session.subscribe(operation, id: id)
            self.session = session
        } catch {
            self.session = session
            finish(id, SubscriptionError(.invalidRequest, causedBy: error, "the subscription cannot be sent"))
            return
        }
        isTelling = true
        told.append(id)
        perform(wanted)
    }

    /// Lets the session say what it says in one message, and waits for the server's word on what was said.
    private mutating func tell() {
        guard isTelling, phase == .ready else { return }
        isTelling = false
        apply(.invalidMessage) { $0.flush() }
        for id in told {
            guard phase == .ready, let entry = entries[id],
                entry.stage == .asked || entry.stage == .live && entry.isOneShot
            else { continue }
            actions.append(.mark(id))
        }
        told = []
    }

    mutating func leave(_ id: SubscriptionID) {
        guard let entry = entries[id], entry.stage != .leaving else { return }
        guard phase == .ready, !entry.isUnsent else {
            finish(id, nil)
            return
        }
        stop(.subscribe(id))
        entries[id]?.stage = .leaving
        isTelling = true
        apply(.invalidMessage) { $0.unsubscribe(id) }
        if entries[id]?.stage == .leaving { start(.release(id), options.unsubscribeTimeout) }
    }

    /// The server has not said in time what it was asked.
    mutating func unanswered(_ id: SubscriptionID) {
        guard let entry = entries[id] else { return }
        switch entry.stage {
        case .preparing:
            postpone(
                id,
                SubscriptionError(
                    .timedOut, "the subscription was not prepared after \(options.subscribeTimeout.shown)"))
        case .asked, .live:
            // Whatever the server thinks of it, it hears that nobody waits any more.
            isTelling = true
            apply(.invalidMessage) { $0.unsubscribe(id) }
            finish(id, SubscriptionError(.timedOut, "the server did not answer after \(wait(for: entry).shown)"))
        case .unasked, .postponed, .leaving: break
        }
    }

    /// Asks for a subscription again after a wait, unless that was done often enough.
    mutating func postpone(_ id: SubscriptionID, _ error: SubscriptionError) {
        guard phase == .ready, let entry = entries[id] else { return }
        switch entry.stage {
        case .preparing, .asked, .live: break
        case .leaving: return finish(id, nil)
        case .unasked, .postponed: return
        }
        if entry.stage == .live, now - entry.liveSince >= reconnection.stableAfter { entries[id]?.postponements = 0 }
        let fraction = fraction ?? reconnection.fraction()
        self.fraction = fraction
        let attempt = (entries[id]?.postponements ?? 0) + 1
        // What may change something on the server and has reached it is not sent twice.
        let isRepeatable = !entry.isOneShot || entry.isUnsent
        guard isRepeatable, let wait = reconnection.wait(before: attempt, fraction: fraction) else {
            finish(id, error)
            return
        }
        stop(.subscribe(id))
        if entry.stage == .preparing, completion.running.remove(id) != nil { actions.append(.cancelPreparation(id)) }
        entries[id]?.stage = .postponed
        entries[id]?.postponements = attempt
        actions.append(.tell(id, .interrupted(error, retryAfter: wait)))
        start(.again(id), wait)
        if entry.stage == .preparing { completeMore() }
    }

    /// Takes a subscription out, and says how it ended.
    mutating func finish(_ id: SubscriptionID, _ error: SubscriptionError?) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        order.removeAll { $0 == id }
        stop(.subscribe(id))
        stop(.release(id))
        stop(.again(id))
        // Who left hears of no error: it is no news any more.
        actions.append(.end(id, entry.stage == .leaving ? nil : error))
        guard entry.stage == .preparing else { return }
        if completion.running.remove(id) != nil { actions.append(.cancelPreparation(id)) }
        completeMore()
    }

    /// Closes a connection that nobody wants any more.
    mutating func settle() {
        guard phase != .idle else { return }
        if isLeaving {
            // Those that came meanwhile wait for the next connection.
            guard entries.values.allSatisfy({ $0.stage == .unasked }) else { return }
            goodbye()
        } else if entries.isEmpty, !isHeld {
            guard options.linger > .zero else { return goodbye() }
            guard !isLingering else { return }
            isLingering = true
            start(.linger, options.linger)
        }
    }

    /// Does not close for want of subscriptions.
    mutating func stay() {
        if isLingering { stop(.linger) }
        isLingering = false
    }

    /// Lets a timer go that ran out while nothing was read: nothing that came could be heard.
    ///
    /// - Returns: Whether that is all there is to it.
    mutating func excuse(_ timer: HubTimer, _ run: Run) -> Bool {
        switch timer {
        case .silence:
            guard isSuspended else { return false }
        case .ready:
            guard phase == .negotiating else { return false }
        case .subscribe(let id):
            guard let stage = entries[id]?.stage, stage != .preparing else { return false }
        case .session(let timer):
            apply(.invalidMessage) { $0.elapsedUnread(timer) }
            guard session != nil else { return true }
        case .release, .again, .completion, .linger, .reconnect: return false
        }
        if runs[timer] == nil { start(timer, run.length) }
        return true
    }
}

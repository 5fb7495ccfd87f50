// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Many subscriptions over one connection that comes and goes: who is subscribed, what is awaited, when to connect.
///
/// A value: events in, actions out. The connection has a number, and what comes late from an earlier one is ignored.
package struct SubscriptionHubMachine<Session: SubscriptionSession>: Sendable {
    package enum Phase: Sendable, Equatable {
        /// There is no connection, and none is wanted.
        case idle
        /// One is being opened.
        case opening
        /// It is open; the handshake goes on.
        case negotiating
        /// Subscriptions may go out.
        case ready
        /// It was lost; the next attempt waits.
        case waiting
    }

    package struct Entry: Sendable {
        package enum Stage: Sendable, Equatable {
            /// The server of this connection has not been asked.
            case unasked
            /// What it is asked is being completed.
            case preparing
            /// It was asked, and its word is awaited.
            case asked
            /// It has agreed.
            case live
            /// It was told of the end, and its word is awaited.
            case leaving
        }

        package let operation: Session.Operation
        /// Whether it is never asked for twice: it may change something.
        package let isOneShot: Bool
        package var stage = Stage.unasked
        package var wasLive = false

        /// Whether nothing of it has left this machine.
        var isUnsent: Bool { stage == .unasked || stage == .preparing }
    }

    let options: SubscriptionOptions
    let prepares: Bool
    package internal(set) var phase = Phase.idle
    package internal(set) var entries: [SubscriptionID: Entry] = [:]
    /// The subscriptions in the order in which they came.
    var order: [SubscriptionID] = []
    var session: Session?
    /// The number of the connection of now.
    package internal(set) var generation = 0
    /// Whether the connection is wanted without subscriptions, too.
    var isHeld = false
    /// Whether the connection is closed as soon as the subscriptions of now are gone.
    var isLeaving = false
    var reconnection: HubReconnection
    /// Whether it is only there for those who may come.
    var isLingering = false
    var silence: Duration?
    var lastHeard = Duration.zero
    var actions: [HubAction] = []

    package init(_ options: SubscriptionOptions, prepares: Bool = false, random: RandomSource) {
        self.options = options
        self.prepares = prepares
        reconnection = HubReconnection(options.webSocket.reconnectPolicy, random)
    }

    // MARK: From users

    /// A subscription is wanted: connects where there is no connection.
    package mutating func subscribe(
        _ operation: Session.Operation, id: SubscriptionID, isOneShot: Bool
    ) -> [HubAction] {
        guard entries.count < options.maximumSubscriptions, entries[id] == nil else {
            return [
                .end(
                    id,
                    SubscriptionError(
                        .tooManySubscriptions,
                        "the connection has \(entries.count) subscriptions, as many as it may have"))
            ]
        }
        entries[id] = Entry(operation: operation, isOneShot: isOneShot)
        order.append(id)
        switch phase {
        case .idle: open()
        case .ready:
            if !isLeaving { ask(id) }
        case .opening, .negotiating, .waiting: break
        }
        stay()
        return take()
    }

    /// A subscription is wanted no more; one that is over is ignored.
    package mutating func unsubscribe(_ id: SubscriptionID) -> [HubAction] {
        leave(id)
        settle()
        return take()
    }

    /// The connection is wanted, with or without subscriptions.
    package mutating func connect() -> [HubAction] {
        isHeld = true
        stay()
        if phase == .idle { open() }
        return take()
    }

    /// Nothing is wanted any more: ends the subscriptions, then closes.
    package mutating func disconnect() -> [HubAction] {
        isHeld = false
        guard phase != .idle else { return take() }
        isLeaving = true
        for id in order { leave(id) }
        settle()
        return take()
    }

    /// Leaves the connection of now, if there is one, and opens another at once.
    package mutating func reconnect() -> [HubAction] {
        isHeld = isHeld || entries.isEmpty
        reconnection.reset()
        if phase == .opening || phase == .negotiating || phase == .ready {
            interrupt(
                SubscriptionError(.connectionLost, "the connection was left for a new one"), retryAfter: .zero)
            actions.append(session == nil ? .drop(generation) : .close(generation, .goingAway))
        }
        open()
        return take()
    }

    // MARK: From the connection

    /// The connection is open, and the handshake may go on for as long as it may.
    package mutating func linked(_ generation: Int) -> [HubAction] {
        guard generation == self.generation, phase == .opening else { return [] }
        phase = .negotiating
        actions.append(.startTimer(.ready, options.readyTimeout))
        return take()
    }

    /// The connection is the session's.
    package mutating func opened(
        _ generation: Int, _ session: Session, subprotocol: String?, now: Duration
    ) -> [HubAction] {
        guard generation == self.generation, phase == .negotiating else { return [] }
        self.session = session
        lastHeard = now
        apply(.negotiationFailed) { try $0.opened(subprotocol: subprotocol) }
        settle()
        return take()
    }

    /// What a subscription asks for, and of whom, for its completion; `nil` where it is wanted no more.
    package func preparation(_ generation: Int, _ id: SubscriptionID) -> (Session.Operation, Session)? {
        guard generation == self.generation, let entry = entries[id], entry.stage == .preparing, let session else {
            return nil
        }
        return (entry.operation, session)
    }

    /// What a subscription asks for is complete, or cannot be completed.
    package mutating func prepared(
        _ generation: Int, _ id: SubscriptionID, _ outcome: Result<Session.Operation, any Error>
    ) -> [HubAction] {
        guard preparation(generation, id) != nil else { return [] }
        switch outcome {
        case .success(let operation): ask(id, operation)
        case .failure(let error):
            finish(id, SubscriptionError(.invalidRequest, causedBy: error, "the subscription could not be prepared"))
        }
        settle()
        return take()
    }

    /// A message has come.
    package mutating func received(_ generation: Int, _ message: WebSocketMessage, now: Duration) -> [HubAction] {
        guard generation == self.generation, session != nil else { return [] }
        lastHeard = now
        apply(.invalidMessage) { try $0.received(message) }
        // What the server ended may have been the last.
        settle()
        return take()
    }

    /// The connection has ended, or did not come about.
    package mutating func lost(
        _ generation: Int, _ loss: HubLoss, now: Duration
    ) -> [HubAction] {
        guard generation == self.generation, phase != .idle, phase != .waiting else { return [] }
        leaveConnection(loss, now: now)
        return take()
    }

    /// A timer has run down.
    package mutating func elapsed(_ timer: HubTimer, now: Duration) -> [HubAction] {
        switch timer {
        case .ready:
            // Negotiated meanwhile, or left: its stop was on the way.
            guard phase == .negotiating else { break }
            drop(
                SubscriptionError(.timedOut, "the handshake was not done after \(options.readyTimeout)"),
                now: now)
        case .subscribe(let id):
            guard entries[id]?.stage == .asked else { break }
            // Whatever the server thinks of it, it hears that nobody waits any more.
            apply(.invalidMessage) { $0.unsubscribe(id) }
            finish(
                id, SubscriptionError(.timedOut, "the server did not answer after \(options.subscribeTimeout)"))
        case .release(let id):
            guard entries[id]?.stage == .leaving else { break }
            finish(id, nil)
        case .linger:
            guard isLingering, entries.isEmpty, !isHeld else { break }
            goodbye()
            return take()
        case .silence:
            guard let silence, session != nil else { break }
            let left = silence - (now - lastHeard)
            if left > .zero {
                actions.append(.startTimer(.silence, left))
            } else {
                drop(
                    SubscriptionError(.timedOut, "no message came for \(silence), in which one was promised"),
                    now: now)
            }
        case .reconnect:
            guard phase == .waiting else { break }
            open()
        case .session(let timer):
            apply(.invalidMessage) { $0.elapsed(timer) }
        }
        settle()
        return take()
    }
}

extension SubscriptionHubMachine {
    // MARK: Subscriptions

    mutating func take() -> [HubAction] {
        defer { actions = [] }
        return actions
    }

    mutating func ask(_ id: SubscriptionID) {
        guard let entry = entries[id], entry.stage == .unasked else { return }
        guard !prepares else {
            entries[id]?.stage = .preparing
            actions.append(.prepare(generation, id))
            return
        }
        ask(id, entry.operation)
    }

    mutating func ask(_ id: SubscriptionID, _ operation: Session.Operation) {
        entries[id]?.stage = .asked
        guard var session else { return }
        let wanted: [SubscriptionAction]
        do {
            wanted = try session.subscribe(operation, id: id)
        } catch {
            finish(id, SubscriptionError(.invalidRequest, causedBy: error, "the subscription cannot be sent"))
            return
        }
        self.session = session
        perform(wanted)
        if entries[id]?.stage == .asked { actions.append(.startTimer(.subscribe(id), options.subscribeTimeout)) }
    }

    mutating func leave(_ id: SubscriptionID) {
        guard let entry = entries[id], entry.stage != .leaving else { return }
        guard phase == .ready, !entry.isUnsent else {
            finish(id, nil)
            return
        }
        if entry.stage == .asked { actions.append(.stopTimer(.subscribe(id))) }
        entries[id]?.stage = .leaving
        apply(.invalidMessage) { $0.unsubscribe(id) }
        if entries[id]?.stage == .leaving {
            actions.append(.startTimer(.release(id), options.unsubscribeTimeout))
        }
    }

    /// Takes a subscription out, and says how it ended.
    mutating func finish(_ id: SubscriptionID, _ error: SubscriptionError?) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        order.removeAll { $0 == id }
        if entry.stage == .asked { actions.append(.stopTimer(.subscribe(id))) }
        if entry.stage == .leaving { actions.append(.stopTimer(.release(id))) }
        // Who left hears of no error: it is no news any more.
        actions.append(.end(id, entry.stage == .leaving ? nil : error))
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
            actions.append(.startTimer(.linger, options.linger))
        }
    }

    /// Does not close for want of subscriptions.
    mutating func stay() {
        if isLingering { actions.append(.stopTimer(.linger)) }
        isLingering = false
    }

    // MARK: The connection

    mutating func open() {
        generation += 1
        phase = .opening
        isLeaving = false
        isLingering = false
        session = nil
        silence = nil
        reconnection.begin()
        actions.append(.stopTimers)
        actions.append(.state(.connecting(attempt: reconnection.attempt)))
        actions.append(.open(generation, attempt: reconnection.attempt))
    }

    mutating func goodbye() {
        apply(.invalidMessage) { $0.closing() }
        switch phase {
        case .opening, .negotiating, .ready:
            actions.append(session == nil ? .drop(generation) : .close(generation, .normal))
        case .idle, .waiting: break
        }
        rest()
        if !entries.isEmpty { open() }
    }

    /// Is without a connection, and wants none.
    mutating func rest() {
        phase = .idle
        session = nil
        isLeaving = false
        isLingering = false
        reconnection.reset()
        actions.append(.stopTimers)
        actions.append(.state(.disconnected))
    }

    mutating func drop(_ error: SubscriptionError, now: Duration) {
        actions.append(.drop(generation))
        leaveConnection(HubLoss(error, verdict: .reconnect), now: now)
    }

    mutating func leaveConnection(_ loss: HubLoss, now: Duration) {
        let isWanted =
            isHeld || entries.values.contains { $0.isUnsent || !$0.isOneShot && $0.stage != .leaving }
        let wait = isWanted && !isLeaving ? reconnection.delay(after: loss, now: now) : nil
        guard let wait else {
            for id in order { finish(id, loss.error) }
            isHeld = false
            rest()
            return
        }
        interrupt(loss.error, retryAfter: wait)
        phase = .waiting
        session = nil
        actions.append(.stopTimers)
        actions.append(.state(.reconnecting(attempt: reconnection.next, delay: wait)))
        actions.append(.startTimer(.reconnect, wait))
    }

    /// The server of this connection is asked for nothing any more.
    mutating func interrupt(_ error: SubscriptionError, retryAfter wait: Duration) {
        for id in order {
            guard let entry = entries[id] else { continue }
            if entry.stage == .leaving || entry.isOneShot && !entry.isUnsent {
                finish(id, error)
            } else {
                let wasAsked = entry.stage != .unasked
                entries[id]?.stage = .unasked
                if wasAsked || !entry.wasLive { actions.append(.tell(id, .interrupted(error, retryAfter: wait))) }
            }
        }
    }
}

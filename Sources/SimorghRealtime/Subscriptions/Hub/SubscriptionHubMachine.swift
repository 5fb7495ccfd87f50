// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

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

    /// A timer that runs: since when, and for how long.
    struct Run: Sendable {
        let start: Duration
        let length: Duration
    }

    let options: SubscriptionOptions
    let prepares: Bool
    package internal(set) var phase = Phase.idle
    package internal(set) var entries: [SubscriptionID: HubEntry<Session.Operation>] = [:]
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
    /// The time, as its owner and its events tell it.
    package var now = Duration.zero
    /// Whether nothing is read, because a listener is slow: what does not come then says nothing about the server.
    var isSuspended = false
    var lastResumed: Duration?
    /// The timers that run out where something does not come.
    var runs: [HubTimer: Run] = [:]
    /// Those who were told to the session and whose word is to be waited for from when that was sent.
    var told: [SubscriptionID] = []
    /// Whether the session was told of something that it may want to say together.
    var isTelling = false
    var completion = HubCompletion()
    /// Chance, the same for all that is postponed at once: what belongs together is asked for together.
    var fraction: Double?
    var actions: [HubAction] = []
    /// The highest number of a subscription so far: a message that names a later one is about none of ours.
    private(set) var newest = 0
    /// True if such a message was noted on the current connection.
    var hasNotedStray = false

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
        guard !isFull, entries[id] == nil else {
            return [
                .end(
                    id,
                    SubscriptionError(
                        .tooManySubscriptions,
                        "the connection has \(options.maximumSubscriptions) subscriptions, as many as it may have"))
            ]
        }
        entries[id] = HubEntry(operation: operation, isOneShot: isOneShot)
        newest = max(newest, id.number)
        order.append(id)
        stay()
        switch phase {
        case .idle: open()
        case .ready:
            if !isLeaving { ask(id) }
        case .opening, .negotiating, .waiting: break
        }
        return take()
    }

    /// Whether there are as many as there may be; those that nobody wants, and whose end is awaited, are none of them.
    private var isFull: Bool {
        let most = options.maximumSubscriptions
        return entries.count >= most && entries.values.count(where: { $0.stage != .leaving }) >= most
    }

    /// A subscription is wanted no more; one that is over is ignored.
    package mutating func unsubscribe(_ id: SubscriptionID) -> [HubAction] {
        leave(id)
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
        return take()
    }

    /// A subscription is wanted no more, nor is the connection where it was the only one.
    package mutating func disconnect(after id: SubscriptionID) -> [HubAction] {
        leave(id)
        // The end of another one may have been told before.
        if phase != .idle, entries.values.allSatisfy({ $0.stage == .leaving }) {
            isHeld = false
            isLeaving = true
        }
        return take()
    }

    /// Leaves the connection of now, if there is one, and opens another at once; one that is to be held is wanted without
    /// subscriptions, too.
    package mutating func reconnect(isHeld: Bool = true) -> [HubAction] {
        guard isHeld || self.isHeld || !entries.isEmpty else { return [] }
        reconnection.reset()
        if phase == .opening || phase == .negotiating || phase == .ready {
            interrupt(
                SubscriptionError(.connectionLost, "the connection was left for a new one"), retryAfter: .zero)
            actions.append(session == nil ? .drop(generation) : .close(generation, .goingAway))
        }
        // What was left, or asked once, is over with the connection, and wants no other.
        if isHeld, entries.isEmpty { self.isHeld = true }
        if self.isHeld || !entries.isEmpty { open() } else { rest() }
        return take()
    }

    // MARK: From the connection

    /// The request for the connection is known.
    package mutating func described(_ generation: Int) -> [HubAction] {
        guard generation == self.generation, phase == .opening else { return [] }
        stop(.ready)
        return take()
    }

    /// The connection is open, and the handshake may go on for as long as it may.
    package mutating func linked(_ generation: Int) -> [HubAction] {
        guard generation == self.generation, phase == .opening else { return [] }
        phase = .negotiating
        start(.ready, options.readyTimeout)
        return take()
    }

    /// The connection is the session's.
    package mutating func opened(
        _ generation: Int, _ session: Session, subprotocol: String?, now: Duration
    ) -> [HubAction] {
        guard generation == self.generation, phase == .negotiating else { return [] }
        self.session = session
        self.now = now
        lastHeard = now
        apply(.negotiationFailed) { try $0.opened(subprotocol: subprotocol) }
        return take()
    }

    /// What a subscription says has left this machine: from now on the server's word is waited for.
    package mutating func written(_ generation: Int, _ id: SubscriptionID) -> [HubAction] {
        guard generation == self.generation, let entry = entries[id], runs[.subscribe(id)] == nil,
            entry.stage == .asked || entry.stage == .live && entry.isOneShot
        else { return [] }
        start(.subscribe(id), wait(for: entry))
        return take()
    }

    /// A message has come.
    package mutating func received(_ generation: Int, _ message: WebSocketMessage, now: Duration) -> [HubAction] {
        guard generation == self.generation, session != nil else { return [] }
        self.now = now
        lastHeard = now
        apply(.invalidMessage) { try $0.received(message) }
        return take()
    }

    /// Nothing is read from now on.
    package mutating func suspended(_ generation: Int) -> [HubAction] {
        if generation == self.generation { isSuspended = true }
        return []
    }

    /// What comes is read again.
    package mutating func resumed(_ generation: Int, now: Duration) -> [HubAction] {
        guard generation == self.generation, isSuspended else { return [] }
        self.now = now
        isSuspended = false
        lastHeard = now
        lastResumed = now
        return []
    }

    /// The connection has ended, or did not come about.
    package mutating func lost(
        _ generation: Int, _ loss: HubLoss, now: Duration
    ) -> [HubAction] {
        guard generation == self.generation, phase != .idle, phase != .waiting else { return [] }
        self.now = now
        leaveConnection(loss)
        return take()
    }

    /// A timer has run down.
    package mutating func elapsed(_ timer: HubTimer, now: Duration) -> [HubAction] {
        self.now = now
        let run = runs.removeValue(forKey: timer)
        if let run, isSuspended || lastResumed.map({ run.start < $0 }) == true, excuse(timer, run) { return take() }
        switch timer {
        case .ready:
            // Negotiated meanwhile, or left: its stop was on the way.
            switch phase {
            case .opening: drop(.timedOut, "the connection was not described after \(options.readyTimeout.shown)")
            case .negotiating: drop(.timedOut, "the handshake was not done after \(options.readyTimeout.shown)")
            case .idle, .ready, .waiting: break
            }
        case .subscribe(let id): unanswered(id)
        case .release(let id):
            guard entries[id]?.stage == .leaving else { break }
            finish(id, nil)
        case .again(let id):
            guard phase == .ready, entries[id]?.stage == .postponed else { break }
            entries[id]?.stage = .unasked
            ask(id)
        case .completion: passBy()
        case .linger:
            guard isLingering, entries.isEmpty, !isHeld else { break }
            goodbye()
        case .silence:
            guard let silence, session != nil else { break }
            let left = silence - (now - lastHeard)
            if left > .zero {
                start(.silence, left)
            } else {
                drop(.timedOut, "no message came for \(silence.shown), in which one was promised")
            }
        case .reconnect:
            guard phase == .waiting else { break }
            open()
        case .session(let timer):
            apply(.invalidMessage) { $0.elapsed(timer) }
        }
        return take()
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// The state machine of many subscriptions over one reconnecting connection.
///
/// A value that takes events and returns actions. Each connection has a number, and late events of an earlier
/// connection are ignored.
package struct SubscriptionStateMachine<Session: SubscriptionSession>: Sendable {
    package enum Phase: Sendable, Equatable {
        /// There is no connection, and none is needed.
        case idle
        /// A connection is being opened.
        case opening
        /// The connection is open, and the handshake is in progress.
        case negotiating
        /// The handshake is complete, so subscriptions may be sent.
        case ready
        /// The connection was lost; the next attempt follows after a wait.
        case waiting
    }

    /// A running timer.
    struct Run: Sendable {
        let start: Duration
        let length: Duration
    }

    let options: SubscriptionOptions
    /// True if the protocol prepares each operation before it is sent, for example with a token.
    let preparesOperations: Bool
    package internal(set) var phase = Phase.idle
    package internal(set) var entries: [SubscriptionID: SubscriptionRecord<Session.Operation>] = [:]
    /// The identifiers of ``entries``, in the order in which they were subscribed.
    var order: [SubscriptionID] = []
    var session: Session?
    /// The number of the current connection.
    package internal(set) var generation = 0
    /// True if the connection stays open even without subscriptions.
    var isHeld = false
    /// True if the connection closes as soon as the current subscriptions have ended.
    var isLeaving = false
    var reconnection: SubscriptionReconnection
    /// True if the connection has no subscriptions and stays open for a while for new ones.
    var isIdleClosePending = false
    /// The time without any message after which the connection is dropped, as the session asked; `nil` for no limit.
    var maximumSilence: Duration?
    var lastReceived = Duration.zero
    /// The time, as set by the owner and by events.
    package var now = Duration.zero
    /// True if reading is paused because of a slow subscriber; a missing message then says nothing about the server.
    var isSuspended = false
    var lastResumed: Duration?
    /// The running timers.
    var runs: [SubscriptionMachineTimer: Run] = [:]
    /// The subscriptions passed to the session whose answer is awaited once their message has been sent.
    var awaitingMark: [SubscriptionID] = []
    /// True if the session must be flushed, because it may combine several messages.
    var needsFlush = false
    var preparations = PendingPreparations()
    /// The jitter shared by all subscriptions that are postponed together, so that they are also sent again together.
    var fraction: Double?
    var actions: [SubscriptionMachineAction] = []
    /// The highest subscription number so far; an ID in a message above it is unknown.
    private(set) var highestID = 0
    /// True if an unknown ID was reported on the current connection.
    var hasReportedUnknownID = false

    package init(_ options: SubscriptionOptions, preparesOperations: Bool = false, random: RandomSource) {
        self.options = options
        self.preparesOperations = preparesOperations
        reconnection = SubscriptionReconnection(options.webSocket.reconnectPolicy, random: random)
    }

    // MARK: Requests

    /// Adds a subscription, and connects if there is no connection.
    ///
    /// - Parameters:
    ///   - operation: The operation to send.
    ///   - id: Its identifier, which must be new. One that is in use is ignored: an action for it would reach the
    ///     subscription that has it already.
    ///   - isOneShot: True for a query or publication, which ends with its answer.
    /// - Returns: The actions; they end the subscription if the maximum number of subscriptions is reached.
    package mutating func subscribe(
        _ operation: Session.Operation, id: SubscriptionID, isOneShot: Bool
    ) -> [SubscriptionMachineAction] {
        guard entries[id] == nil else { return [] }
        guard !isFull else {
            let limit = options.maximumSubscriptions
            let error = SubscriptionError(
                .tooManySubscriptions,
                message: "the limit of \(limit) subscriptions (maximumSubscriptions) is reached")
            return [.end(id, error)]
        }
        entries[id] = SubscriptionRecord(operation: operation, isOneShot: isOneShot)
        highestID = max(highestID, id.number)
        order.append(id)
        cancelIdleClose()
        switch phase {
        case .idle: open()
        case .ready:
            if !isLeaving { send(id) }
        case .opening, .negotiating, .waiting: break
        }
        return takeActions()
    }

    /// True if the maximum number of subscriptions is reached; those whose end awaits confirmation do not count.
    private var isFull: Bool {
        let maximum = options.maximumSubscriptions
        return entries.count >= maximum && entries.values.count(where: { $0.stage != .leaving }) >= maximum
    }

    /// Ends a subscription; ignored if it has already ended.
    package mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionMachineAction] {
        leave(id)
        return takeActions()
    }

    /// Connects, even without subscriptions.
    package mutating func connect() -> [SubscriptionMachineAction] {
        isHeld = true
        cancelIdleClose()
        if phase == .idle { open() }
        return takeActions()
    }

    /// Ends all subscriptions, then closes the connection.
    package mutating func disconnect() -> [SubscriptionMachineAction] {
        isHeld = false
        guard phase != .idle else { return takeActions() }
        isLeaving = true
        for id in order { leave(id) }
        return takeActions()
    }

    /// Ends the pending one-shot requests with errors, then everything else as ``disconnect()`` does.
    ///
    /// - Parameters:
    ///   - unsent: The error of requests that were not sent.
    ///   - sent: The error of requests that the server may have handled.
    /// - Returns: The actions.
    package mutating func end(unsent: SubscriptionError, sent: SubscriptionError) -> [SubscriptionMachineAction] {
        for id in order {
            guard let entry = entries[id], entry.isOneShot else { continue }
            finish(id, error: entry.isUnsent ? unsent : sent)
        }
        return disconnect()
    }

    /// Ends the one-shot requests that wait for the next attempt to connect, which a drain refuses.
    ///
    /// - Parameter error: The error of the requests, which were not sent.
    /// - Returns: The actions; empty if a connection is open or being opened.
    package mutating func endWaiting(_ error: SubscriptionError) -> [SubscriptionMachineAction] {
        guard phase == .waiting else { return [] }
        for id in order where entries[id]?.isOneShot == true { finish(id, error: error) }
        return takeActions()
    }

    /// Ends a subscription, and closes the connection if it was the only one.
    package mutating func disconnect(after id: SubscriptionID) -> [SubscriptionMachineAction] {
        leave(id)
        // The end of this subscription may have been handled before.
        if phase != .idle, entries.values.allSatisfy({ $0.stage == .leaving }) {
            isHeld = false
            isLeaving = true
        }
        return takeActions()
    }

    /// Replaces the current connection, if any, with a new one immediately.
    ///
    /// - Parameter holdsIfEmpty: True to open the new connection even if there are no subscriptions, and to keep it
    ///   open without them. If there are some, the new connection closes after the last one, unless it was held before.
    /// - Returns: The actions.
    package mutating func reconnect(holdsIfEmpty: Bool = true) -> [SubscriptionMachineAction] {
        guard holdsIfEmpty || isHeld || !entries.isEmpty else { return [] }
        reconnection.reset()
        if phase == .opening || phase == .negotiating || phase == .ready {
            interrupt(
                SubscriptionError(.connectionLost, message: "the connection was replaced by reconnect()"),
                retryAfter: .zero)
            actions.append(session == nil ? .drop(generation) : .close(generation, .goingAway))
        }
        // Ended subscriptions and sent one-shot requests end with the connection, and need no new one.
        if holdsIfEmpty, entries.isEmpty { isHeld = true }
        if isHeld || !entries.isEmpty { open() } else { becomeIdle() }
        return takeActions()
    }

    // MARK: Events of the connection

    /// Stops the timeout for creating the request: the protocol has returned it.
    package mutating func requestCreated(_ generation: Int) -> [SubscriptionMachineAction] {
        guard generation == self.generation, phase == .opening else { return [] }
        stop(.ready)
        return takeActions()
    }

    /// Begins the handshake of the protocol on the open WebSocket connection, and starts the timeout for the handshake.
    package mutating func connectionOpened(_ generation: Int) -> [SubscriptionMachineAction] {
        guard generation == self.generation, phase == .opening else { return [] }
        phase = .negotiating
        start(.ready, after: options.readyTimeout)
        return takeActions()
    }

    /// Starts the session on the connection, with its first messages.
    package mutating func sessionStarted(
        _ generation: Int, session: Session, subprotocol: String?, now: Duration
    ) -> [SubscriptionMachineAction] {
        guard generation == self.generation, phase == .negotiating else { return [] }
        self.session = session
        self.now = now
        lastReceived = now
        apply(.negotiationFailed) { try $0.opened(subprotocol: subprotocol) }
        return takeActions()
    }

    /// Starts the timeout for the server's answer to a subscription whose message was sent.
    package mutating func written(_ generation: Int, id: SubscriptionID) -> [SubscriptionMachineAction] {
        guard generation == self.generation, let entry = entries[id], runs[.subscribe(id)] == nil,
            entry.stage == .sent || entry.stage == .live && entry.isOneShot
        else { return [] }
        start(.subscribe(id), after: wait(for: entry))
        return takeActions()
    }

    /// Passes a message to the session.
    package mutating func received(
        _ generation: Int, message: WebSocketMessage, now: Duration
    ) -> [SubscriptionMachineAction] {
        guard generation == self.generation, session != nil else { return [] }
        self.now = now
        lastReceived = now
        apply(.invalidMessage) { try $0.received(message) }
        return takeActions()
    }

    /// Suspends the timeouts for messages of the server, because reading was paused.
    package mutating func suspended(_ generation: Int) -> [SubscriptionMachineAction] {
        if generation == self.generation { isSuspended = true }
        return []
    }

    /// Restarts the timeouts for messages of the server, because reading was resumed.
    package mutating func resumed(_ generation: Int, now: Duration) -> [SubscriptionMachineAction] {
        guard generation == self.generation, isSuspended else { return [] }
        self.now = now
        isSuspended = false
        lastReceived = now
        lastResumed = now
        return []
    }

    /// Reconnects or ends the subscriptions, because the connection has ended or could not be opened.
    package mutating func lost(
        _ generation: Int, loss: ConnectionLoss, now: Duration
    ) -> [SubscriptionMachineAction] {
        guard generation == self.generation, phase != .idle, phase != .waiting else { return [] }
        self.now = now
        leaveConnection(loss)
        return takeActions()
    }

    /// Performs the actions of a timer that has fired.
    package mutating func elapsed(_ timer: SubscriptionMachineTimer, now: Duration) -> [SubscriptionMachineAction] {
        self.now = now
        let run = runs.removeValue(forKey: timer)
        if let run, isSuspended || lastResumed.map({ run.start < $0 }) == true,
            ignoreTimerWhilePaused(timer, run: run)
        {
            return takeActions()
        }
        switch timer {
        case .ready:
            // The handshake was completed or abandoned in the meantime, so the timer is obsolete.
            switch phase {
            case .opening:
                drop(
                    .timedOut,
                    message: "SubscriptionProtocol.opening(attempt:) took longer than \(options.readyTimeout.shown)")
            case .negotiating:
                drop(.timedOut, message: "the handshake was not complete within \(options.readyTimeout.shown)")
            case .idle, .ready, .waiting: break
            }
        case .subscribe(let id): answerTimedOut(id)
        case .release(let id):
            guard entries[id]?.stage == .leaving else { break }
            finish(id, error: nil)
        case .again(let id):
            guard phase == .ready, entries[id]?.stage == .postponed else { break }
            entries[id]?.stage = .unsent
            send(id)
        case .preparation: overtakePending()
        case .linger:
            guard isIdleClosePending, entries.isEmpty, !isHeld else { break }
            closeConnection()
        case .silence:
            guard let maximumSilence, session != nil else { break }
            let left = maximumSilence - (now - lastReceived)
            if left > .zero {
                start(.silence, after: left)
            } else {
                drop(.timedOut, message: "no message from the server within \(maximumSilence.shown)")
            }
        case .reconnect:
            guard phase == .waiting else { break }
            if let run { reconnection.waited(now - run.start) }
            open()
        case .session(let timer):
            apply(.invalidMessage) { $0.elapsed(timer) }
        }
        return takeActions()
    }
}

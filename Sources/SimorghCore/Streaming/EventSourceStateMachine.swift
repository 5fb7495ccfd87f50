// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The state machine of an event source: when it reconnects, how long it waits, and which event id it resumes after.
package struct EventSourceStateMachine: Sendable {
    /// The next step after a connection ended.
    package enum Decision: Sendable {
        /// Reconnects after a delay, or already after `earliest` if the network comes back.
        case reconnect(after: Duration, earliest: Duration)
        case end
        case fail(NetworkError)
    }

    /// The end of a connection, or of an attempt to open one.
    package struct Ending: Sendable {
        /// The error that ended the connection or the attempt; `nil` if the body was complete.
        package var error: NetworkError?
        /// True if the error is transient.
        package var isTransient: Bool
        /// True if the request is idempotent, so that sending it again is safe.
        package var isIdempotent: Bool
        /// True if the attempt failed because there is no network.
        package var isOffline: Bool
        /// The shortest wait, as required by `Retry-After` or by a circuit breaker.
        package var minimumWait: Duration
        /// The time that the connection stayed open after its head.
        package var lasted: Duration

        package init(
            _ error: NetworkError? = nil, isTransient: Bool = true, isIdempotent: Bool = true,
            isOffline: Bool = false, minimumWait: Duration = .zero, lasted: Duration = .zero
        ) {
            self.error = error
            self.isTransient = isTransient
            self.isOffline = isOffline
            self.isIdempotent = isIdempotent
            self.minimumWait = minimumWait
            self.lasted = lasted
        }
    }

    private static let maximumWait = Duration.seconds(3600)

    /// The shortest wait after doubling.
    ///
    /// Without it, doubling `retry: 0` would stay zero.
    private static let minimumBackoff = Duration.seconds(1)

    /// The shortest wait before any reconnect, even after `retry: 0`.
    ///
    /// It limits the load on a server that sends one event per connection to two requests per second, as Firefox does.
    /// Multiplied by the number of attempts in a row, it is also the shortest wait if the network comes back, because
    /// that does not mean that the server is up again.
    private static let minimumWait = Duration.milliseconds(500)

    private let options: EventSourceOptions
    /// The event id that the next connection resumes after.
    package private(set) var lastEventID: String
    /// The number of connections that were started.
    package private(set) var attempts = 0
    private var reconnectionTime: Duration?
    /// The number of attempts in a row that did not open a stream.
    private var failedAttempts = 0
    /// The number of attempts in a row without an event and without a connection longer than the wait before it.
    private var unproductiveAttempts = 0
    /// The number of attempts in a row without an event.
    private var attemptsWithoutEvent = 0
    /// The waits for a network since the last attempt that had one.
    private var offlineWait = Duration.zero
    /// The length of the current wait for a network; zero during other waits.
    private var plannedOfflineWait = Duration.zero
    /// True after a stream was open: before that, attempts without a network count.
    private var hasOpened = false
    private var isOpen = false
    private var hasDeliveredEvent = false

    package init(_ options: EventSourceOptions) {
        self.options = options
        lastEventID = options.lastEventID
    }

    /// A connection attempt starts.
    ///
    /// - Parameter wait: The time that passed since the decision. Only the planned wait counts: the process may have been
    ///   suspended.
    package mutating func willConnect(after wait: Duration) {
        offlineWait += min(max(.zero, wait), plannedOfflineWait)
        plannedOfflineWait = .zero
        attempts += 1
        isOpen = false
        hasDeliveredEvent = false
    }

    /// The server responded with a stream.
    package mutating func didOpen() { (isOpen, hasOpened) = (true, true) }

    /// An event was delivered.
    package mutating func didDeliverEvent() { hasDeliveredEvent = true }

    /// Stores the event id and the reconnection time that the parser has read.
    package mutating func didReceive(lastEventID: String, reconnectionTime: Duration?) {
        self.lastEventID = lastEventID
        if let reconnectionTime { self.reconnectionTime = reconnectionTime }
    }

    /// Returns the next step after a connection ended.
    ///
    /// - Parameters:
    ///   - ending: The end of the connection.
    ///   - fraction: The random fraction for the jitter, from 0 up to 1.
    /// - Returns: The next step.
    package mutating func didEnd(_ ending: Ending, fraction: Double) -> Decision {
        if let error = ending.error, !ending.isTransient { return .fail(error) }
        guard options.maximumReconnects > 0, options.repeatsUnsafeRequests || ending.isIdempotent else {
            return ending.error.map(Decision.fail) ?? .end
        }
        if !ending.isOffline { offlineWait = .zero }
        if ending.isOffline, let decision = waitForNetwork() { return decision }
        failedAttempts = isOpen ? 0 : failedAttempts + 1
        if let error = ending.error, failedAttempts > options.maximumReconnects { return .fail(error) }
        unproductiveAttempts = hasDeliveredEvent ? 0 : unproductiveAttempts + 1
        attemptsWithoutEvent = hasDeliveredEvent ? 0 : min(attemptsWithoutEvent + 1, 1000)
        // A feed can be idle: a connection that lasted longer than the wait for it was worth the attempt.
        if isOpen, ending.lasted >= max(Self.minimumWait, backoff()) { unproductiveAttempts = 0 }
        let delay = min(Self.maximumWait, max(Self.minimumWait, wait(ending.minimumWait)))
        let whole = min(Self.maximumWait, delay + delay * (0.5 * min(1, max(0, fraction))))
        let floor = max(Self.minimumWait * max(1, attemptsWithoutEvent), min(Self.maximumWait, ending.minimumWait))
        return .reconnect(after: whole, earliest: min(whole, floor))
    }

    /// Returns the wait for a network, which does not count as an attempt; `nil` if such attempts count.
    ///
    /// The sum of the waits is limited, and not the time since the first one, in which the process may be suspended.
    private mutating func waitForNetwork() -> Decision? {
        let left = options.maximumOfflineWait - offlineWait
        guard hasOpened, left > .zero else { return nil }
        // The return of the network usually ends the wait. The attempt at its end detects a wrong status.
        let delay = max(min(options.maximumReconnectDelay, left), Self.minimumBackoff)
        plannedOfflineWait = delay
        return .reconnect(after: delay, earliest: min(delay, Self.minimumWait))
    }

    /// Returns the wait before the next connection.
    ///
    /// - Parameter requested: The wait from `Retry-After`, or zero. It replaces the reconnection time; if it comes
    ///   twice in a row, the backoff doubles from one second instead.
    /// - Returns: The wait without jitter.
    private func wait(_ requested: Duration) -> Duration {
        guard requested > .zero else { return backoff() }
        return max(requested, doubled(Self.minimumBackoff, times: unproductiveAttempts - 1))
    }

    /// Returns the reconnection time, doubled from the second attempt in a row that was not worth its wait.
    private func backoff() -> Duration {
        doubled(max(.zero, reconnectionTime ?? options.reconnectDelay), times: unproductiveAttempts - 1)
    }

    private func doubled(_ base: Duration, times: Int) -> Duration {
        let maximum = max(base, options.maximumReconnectDelay)
        var delay = base
        for _ in 0..<max(0, min(times, 32)) where delay < maximum {
            delay = min(maximum, max(delay * 2, Self.minimumBackoff))
        }
        return delay
    }
}

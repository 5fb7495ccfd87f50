// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// When an event source reconnects, how long it waits before, and what it asks to go on after: a value without a clock.
package struct EventSourceMachine: Sendable {
    /// What to do after a connection.
    package enum Verdict: Sendable {
        /// After so long, and where a path returns before, not earlier than that.
        case reconnect(after: Duration, earliest: Duration)
        case end
        case fail(NetworkError)
    }

    /// How a connection ended, or failed to be opened.
    package struct Ending: Sendable {
        /// Why it could not be opened, or broke off; `nil` where the body ended whole.
        package var error: NetworkError?
        /// Whether what it ended in may be gone at the next attempt.
        package var mayPass: Bool
        /// Whether the request does no more when it is sent twice.
        package var isIdempotent: Bool
        /// How long to wait at least: what the server said with `Retry-After`, or what a circuit breaker did.
        package var shortestWait: Duration
        /// How long the connection was there after its head.
        package var lasted: Duration

        package init(
            _ error: NetworkError? = nil, mayPass: Bool = true, isIdempotent: Bool = true,
            shortestWait: Duration = .zero, lasted: Duration = .zero
        ) {
            self.error = error
            self.mayPass = mayPass
            self.isIdempotent = isIdempotent
            self.shortestWait = shortestWait
            self.lasted = lasted
        }
    }

    private static let longestWait = Duration.seconds(3600)

    /// The shortest wait that is doubled: twice a `retry: 0` would be nothing for ever.
    private static let shortestBackoff = Duration.seconds(1)

    /// The shortest wait before any reconnection, also after a `retry: 0`, so that a server that sends one event on each
    /// connection is asked twice in a second at most, as Firefox does.
    ///
    /// Times the number of the attempts in a row, it is waited for however early a path returns: a way to the network is
    /// none to a server that is down.
    private static let shortestWait = Duration.milliseconds(500)

    private let options: EventSourceOptions
    /// What the next connection asks to go on after.
    package private(set) var lastEventID: String
    /// How many connections were begun.
    package private(set) var attempts = 0
    private var reconnectionTime: Duration?
    /// Attempts in a row to which no stream was opened.
    private var unopened = 0
    /// Attempts in a row that were not worth their wait.
    private var fruitless = 0
    /// Attempts in a row that brought no event.
    private var eventless = 0
    private var isOpen = false
    private var broughtEvent = false

    package init(_ options: EventSourceOptions) {
        self.options = options
        lastEventID = options.lastEventID
    }

    /// A connection begins.
    package mutating func connect() {
        attempts += 1
        isOpen = false
        broughtEvent = false
    }

    /// The server has answered with a stream.
    package mutating func open() { isOpen = true }

    /// An event is handed over.
    package mutating func deliver() { broughtEvent = true }

    /// What the connection's parser knows of ids and times when it ends.
    package mutating func note(lastEventID: String, reconnectionTime: Duration?) {
        self.lastEventID = lastEventID
        if let reconnectionTime { self.reconnectionTime = reconnectionTime }
    }

    /// What to do after a connection.
    ///
    /// - Parameters:
    ///   - ending: How it ended.
    ///   - fraction: Chance, from 0 up to 1.
    /// - Returns: The verdict.
    package mutating func after(_ ending: Ending, fraction: Double) -> Verdict {
        if let error = ending.error, !ending.mayPass { return .fail(error) }
        guard options.maximumReconnects > 0, options.repeatsUnsafeRequests || ending.isIdempotent else {
            return ending.error.map(Verdict.fail) ?? .end
        }
        unopened = isOpen ? 0 : unopened + 1
        if let error = ending.error, unopened > options.maximumReconnects { return .fail(error) }
        fruitless = broughtEvent ? 0 : fruitless + 1
        eventless = broughtEvent ? 0 : min(eventless + 1, 1000)
        // A feed may be quiet: a connection that held for longer than the wait it would cost is no fruitless one.
        if isOpen, ending.lasted >= max(Self.shortestWait, backoff()) { fruitless = 0 }
        let delay = min(Self.longestWait, max(Self.shortestWait, wait(ending.shortestWait)))
        let whole = min(Self.longestWait, delay + delay * (0.5 * min(1, max(0, fraction))))
        let floor = max(Self.shortestWait * max(1, eventless), min(Self.longestWait, ending.shortestWait))
        return .reconnect(after: whole, earliest: min(whole, floor))
    }

    /// Returns the wait before the next connection.
    ///
    /// - Parameter asked: What the server asked for with `Retry-After`; zero where it asked for nothing. It takes the
    ///   place of the reconnection time, and the second answer in a row of that kind doubles a second and not it.
    /// - Returns: The wait, without chance in it.
    private func wait(_ asked: Duration) -> Duration {
        guard asked > .zero else { return backoff() }
        return max(asked, doubled(Self.shortestBackoff, times: fruitless - 1))
    }

    /// Returns the wait by the reconnection time, which the second attempt in a row that is not worth it doubles.
    private func backoff() -> Duration {
        doubled(max(.zero, reconnectionTime ?? options.reconnectDelay), times: fruitless - 1)
    }

    private func doubled(_ base: Duration, times: Int) -> Duration {
        let most = max(base, options.maximumReconnectDelay)
        var delay = base
        for _ in 0..<max(0, min(times, 32)) where delay < most {
            delay = min(most, max(delay * 2, Self.shortestBackoff))
        }
        return delay
    }
}

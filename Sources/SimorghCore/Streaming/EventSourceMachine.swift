// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// When an event source reconnects, how long it waits before, and what it asks to go on after: a value without a clock.
package struct EventSourceMachine: Sendable {
    /// What to do after a connection.
    package enum Verdict: Sendable {
        case reconnect(after: Duration)
        case end
        case fail(NetworkError)
    }

    /// How a connection ended.
    package struct Ending: Sendable {
        /// Why it could not be opened, or broke off; `nil` where the body ended whole.
        package var error: NetworkError?
        /// The request's method.
        package var method: String
        /// The request's URL.
        package var url: String
        /// What the server said with `Retry-After`.
        package var retryAfter: Duration?

        package init(_ error: NetworkError? = nil, method: String, url: String, retryAfter: Duration? = nil) {
            self.error = error
            self.method = method
            self.url = url
            self.retryAfter = retryAfter
        }
    }

    private static let longestWait = Duration.seconds(3600)

    private let options: EventSourceOptions
    /// What the next connection asks to go on after.
    package private(set) var lastEventID: String
    /// How many connections were begun.
    package private(set) var attempts = 0
    private var reconnectionTime: Duration?
    /// Connections in a row that brought no event.
    private var fruitless = 0
    private var broughtEvent = false

    package init(_ options: EventSourceOptions) {
        self.options = options
        lastEventID = options.lastEventID
    }

    /// A connection begins.
    package mutating func connect() {
        attempts += 1
        broughtEvent = false
    }

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
        if let error = ending.error, !error.isRetryable { return .fail(error) }
        guard options.repeatsUnsafeRequests || RequestMethod(rawValue: ending.method).isIdempotent else {
            return ending.error.map(Verdict.fail) ?? .end
        }
        fruitless = broughtEvent ? 0 : fruitless + 1
        guard fruitless <= options.maximumReconnects, fruitless == 0 || options.maximumReconnects > 0 else {
            return .fail(ending.error ?? exhausted(ending))
        }
        let base = max(.zero, reconnectionTime ?? options.reconnectDelay)
        let most = max(base, options.maximumReconnectDelay)
        var delay = base
        for _ in 0..<min(fruitless, 32) where delay < most { delay = min(most, delay * 2) }
        delay = min(Self.longestWait, max(delay, ending.retryAfter ?? .zero))
        return .reconnect(after: delay + delay * (0.5 * min(1, max(0, fraction))))
    }

    private func exhausted(_ ending: Ending) -> NetworkError {
        .responseError(
            ResponseFailure(
                StreamingError.noMoreReconnects(attempts: fruitless),
                context: FailureContext(method: ending.method, url: ending.url, attempts: attempts)))
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The schedule of the requests for a device's token (RFC 8628, section 3.5), as a state machine without time of its own.
package struct DevicePolling: Sendable, Equatable {
    /// The outcome of a request.
    package enum Event: Sendable, Equatable {
        /// The user has not decided yet.
        case pending
        /// The requests are too frequent.
        case slowDown
        /// The server could not be reached, or is overloaded.
        case unreachable
    }

    /// The next action.
    package enum Action: Sendable, Equatable {
        /// Waits, and sends the next request.
        case wait(Duration)
        /// The code has expired.
        case expire
    }

    /// The longest interval: with it a code of a day is requested 288 times.
    private static let longestInterval = Duration.seconds(300)

    private var interval: Duration
    /// The number of requests in a row to which the server did not answer.
    private var failures = 0

    package init(interval: Duration) { self.interval = interval }

    /// Returns the action after an event.
    ///
    /// - Parameters:
    ///   - event: The outcome of the last request; `nil` before the first one.
    ///   - remaining: The time until the code expires.
    /// - Returns: The action.
    package mutating func action(after event: Event?, remaining: Duration) -> Action {
        switch event {
        case nil, .pending: failures = 0
        case .slowDown:
            failures = 0
            interval = min(interval + .seconds(5), Self.longestInterval)
        case .unreachable: failures += 1
        }
        guard remaining > .zero else { return .expire }
        // The exponential backoff that the standard recommends; an answer ends it.
        let pause = min(interval * (1 << min(failures, 10)), Self.longestInterval)
        // The server is asked a last time when the code expires: the user may have decided meanwhile.
        return .wait(min(pause, remaining))
    }
}

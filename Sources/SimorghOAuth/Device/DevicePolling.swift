// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The schedule of the requests for a device's token (RFC 8628, section 3.5), as a state machine without time of its own.
struct DevicePolling: Sendable, Equatable {
    /// The outcome of a request.
    enum Event: Sendable, Equatable {
        /// The user has not decided yet.
        case pending
        /// The requests are too frequent.
        case slowDown
        /// The server could not be reached, or is overloaded.
        case unreachable
    }

    /// The next action.
    enum Action: Sendable, Equatable {
        /// Waits, and sends the next request.
        case wait(Duration)
        /// The code has expired.
        case expire
    }

    /// The longest interval: with it a code of a day is requested 288 times.
    private static let longestInterval = Duration.seconds(300)

    private(set) var interval: Duration

    /// Returns the action after an event.
    ///
    /// - Parameters:
    ///   - event: The outcome of the last request; `nil` before the first one.
    ///   - remaining: The time until the code expires.
    /// - Returns: The action.
    mutating func action(after event: Event?, remaining: Duration) -> Action {
        switch event {
        case nil, .pending: break
        case .slowDown: interval = min(interval + .seconds(5), Self.longestInterval)
        // The exponential backoff that the standard recommends.
        case .unreachable: interval = min(interval * 2, Self.longestInterval)
        }
        return remaining > interval ? .wait(interval) : .expire
    }
}

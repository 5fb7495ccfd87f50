// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A debouncer: decides when to query the network after a burst of changes.
///
/// It has no clock: each event passes the time since an arbitrary start.
package struct ChangeDebouncer: Sendable {
    /// The time without a change after which a burst has ended; 10 ms.
    package static let quiet = Duration.milliseconds(10)
    /// The longest time that a burst may delay a query; 50 ms.
    package static let maximumDelay = Duration.milliseconds(50)

    /// The pause after a query, as a multiple of its duration; 10, so that queries take at most a tenth of the time.
    package static let pauseFactor = 10
    /// The longest pause after a query; half a second.
    package static let maximumPause = Duration.milliseconds(500)

    private var began: Duration?
    private var last = Duration.zero
    private var pauseEnd = Duration.zero
    /// The end of the pause after a check for a loss; `isLossDue` is true if a check is scheduled.
    private var lossPauseEnd = Duration.zero
    private var isLossDue = false

    package init() {}

    /// True during a burst of changes.
    package var isUnsettled: Bool { began != nil }

    /// Handles a change.
    ///
    /// - Parameter now: The current time.
    /// - Returns: The delay until the next check; `nil` if a check is scheduled already.
    package mutating func changed(at now: Duration) -> Duration? {
        last = now
        guard began == nil else { return nil }
        began = now
        return Self.quiet
    }

    /// Checks if the burst has ended.
    ///
    /// - Parameter now: The current time.
    /// - Returns: The delay until the next check; `nil` to query the network now.
    package mutating func timerFired(at now: Duration) -> Duration? {
        guard let began else { return nil }
        let end = max(pauseEnd, min(last + Self.quiet, began + Self.maximumDelay))
        guard now >= end else { return end - now }
        self.began = nil
        return nil
    }

    /// Handles a change that may be the loss of all routes, which is checked without waiting for the end of the burst.
    ///
    /// - Parameter now: The current time.
    /// - Returns: The delay until the check; `nil` if a check is scheduled already.
    package mutating func lossSuspected(at now: Duration) -> Duration? {
        guard !isLossDue else { return nil }
        isLossDue = true
        return max(.zero, lossPauseEnd - now)
    }

    /// Records the end of a check for a loss, so that a long burst does not use up the processor with checks.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - time: The duration of the check.
    package mutating func didCheckForLoss(at now: Duration, taking time: Duration) {
        isLossDue = false
        lossPauseEnd = now + min(Self.maximumDelay, time * Self.pauseFactor)
    }

    /// Records the end of a query.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - time: The duration of the query.
    package mutating func didQuery(at now: Duration, taking time: Duration) {
        pauseEnd = now + min(Self.maximumPause, time * Self.pauseFactor)
    }
}

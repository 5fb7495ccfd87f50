// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch

/// Asks the system not to suspend the program until the activity ends, or until the system lets it expire.
package final class ExpiringActivity: Sendable {
    /// The longest time that an activity holds a thread.
    private static let limit = DispatchTimeInterval.milliseconds(30_000)

    private let isOver = DispatchSemaphore(value: 0)

    /// Begins an activity.
    ///
    /// - Parameter reason: The reason, for the logs of the system.
    package init(_ reason: String) {
        SystemActivity.begin(reason) { [isOver] isExpired in
            // Called on a thread of its own; it returns when the activity has ended. When the time is up it is called
            // again.
            if isExpired { isOver.signal() } else { _ = isOver.wait(timeout: .now() + Self.limit) }
        }
    }

    /// Ends the activity.
    package func end() { isOver.signal() }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Backoff after a failed early refresh of a credential that is still valid.
///
/// The pause is 1 second, and doubles after each further failure, up to 30 seconds.
package final class RefreshBackoff: Sendable {
    private struct State {
        var until = Date.distantPast
        var failures = 0
    }

    private static let maximumPause = 30.0

    private let state = Mutex(State())

    package init() {}

    /// Returns true if the refresh may be tried again.
    package func isOver(at now: Date) -> Bool {
        let remaining = state.withLock { $0.until.timeIntervalSince(now) }
        // More than the longest pause remains only if the system clock was set back.
        return remaining <= 0 || remaining > Self.maximumPause
    }

    /// Begins a pause after a failed refresh.
    package func begin(at now: Date) {
        state.withLock { state in
            state.until = now.addingTimeInterval(min(Self.maximumPause, Double(1 << min(state.failures, 5))))
            state.failures += 1
        }
    }

    /// Ends the pause after a successful refresh, and resets its length.
    package func end() { state.withLock { $0 = State() } }
}

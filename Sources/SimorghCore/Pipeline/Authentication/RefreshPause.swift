// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// How long a credential that is still good is left alone after it could not be replaced ahead of its end: one second, and
/// twice as long after each further failure, up to thirty.
package final class RefreshPause: Sendable {
    private struct State {
        var until = Date.distantPast
        var failures = 0
    }

    private static let longest = 30.0

    private let state = Mutex(State())

    package init() {}

    /// Whether it may be tried again.
    package func isOver(at now: Date) -> Bool {
        let left = state.withLock { $0.until.timeIntervalSince(now) }
        // More than the longest pause is left where somebody has set the calendar back.
        return left <= 0 || left > Self.longest
    }

    /// It has failed.
    package func begin(at now: Date) {
        state.withLock { state in
            state.until = now.addingTimeInterval(min(Self.longest, Double(1 << min(state.failures, 5))))
            state.failures += 1
        }
    }

    /// It has succeeded.
    package func end() { state.withLock { $0 = State() } }
}

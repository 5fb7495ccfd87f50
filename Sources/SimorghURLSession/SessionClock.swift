// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// When an exchange began, and how long it may take.
struct SessionClock: Sendable {
    let start = ContinuousClock.now
    let timeouts: Timeouts

    init(_ timeouts: Timeouts) { self.timeouts = timeouts }

    /// How long ago the exchange began.
    var elapsed: Duration { start.duration(to: .now) }

    /// Throws when the whole exchange has taken too long, or its task is cancelled.
    ///
    /// - Parameter phase: Where it stands.
    /// - Throws: Which of the two it is.
    func check(_ phase: TransportError.Phase) throws(TransportError) {
        if Task.isCancelled { throw .cancelled(phase: phase) }
        if let total = timeouts.total, elapsed >= total {
            throw .timedOut(.total, after: total, requestMayHaveBeenSent: false)
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The start of an exchange, and its timeouts.
package struct SessionClock: Sendable {
    let start = ContinuousClock.now
    let timeouts: Timeouts

    package init(_ timeouts: Timeouts) { self.timeouts = timeouts }

    /// The time since the exchange began.
    var elapsed: Duration { start.duration(to: .now) }

    /// Throws an error if the total timeout has passed or the task is cancelled.
    ///
    /// - Parameter phase: The current phase, for the error.
    /// - Throws: A timeout or a cancellation.
    func check(_ phase: TransportError.Phase) throws(TransportError) {
        if Task.isCancelled { throw .cancelled(phase: phase) }
        if let total = timeouts.total, elapsed >= total {
            throw .timedOut(.total, after: total, requestMayHaveBeenSent: false)
        }
    }
}

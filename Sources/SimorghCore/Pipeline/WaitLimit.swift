// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// The longest time for which a step may wait for another call's work: the rest of its own call's time.
package struct WaitLimit: Sendable {
    package let deadline: Deadline
    package let time: TimeSource
    /// True if the waiting request had been sent before.
    package var isSent = false

    /// Creates the limit of a request's call; `nil` if the call has no deadline.
    package init?(_ request: TransportRequest) {
        guard let call = request.options.call, let deadline = call.deadline else { return nil }
        self.deadline = deadline
        time = call.time
    }

    /// Creates a limit that begins now, for a wait without a deadline.
    package init(_ limit: Duration, time: TimeSource) {
        deadline = time.deadline(after: limit)
        self.time = time
    }

    /// The error of a waiter that has timed out.
    package var error: TransportError {
        .timedOut(.total, after: deadline.limit, requestMayHaveBeenSent: isSent)
    }
}

extension TransportRequest {
    /// The current date by the clock of the request's call.
    package var now: Date { (options.call?.time ?? .system).now }
}

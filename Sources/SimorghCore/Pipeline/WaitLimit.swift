// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// How long a step may wait for another call's work: what is left of its own call's time.
package struct WaitLimit: Sendable {
    package let deadline: Deadline
    package let time: TimeSource
    /// Whether the request that waits had been sent before.
    package var isSent = false

    /// The limit of a request's call; `nil` where it has none.
    package init?(_ request: TransportRequest) {
        guard let call = request.options.call, let deadline = call.deadline else { return nil }
        self.deadline = deadline
        time = call.time
    }

    /// What a waiter throws whose time is up.
    package var error: TransportError {
        .timedOut(.total, after: deadline.limit, requestMayHaveBeenSent: isSent)
    }
}

extension TransportRequest {
    /// The date, by the clock of the request's call.
    package var now: Date { (options.call?.time ?? .system).now }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Tells of one wait of a call: that it begins, where it does, and how long it took.
package final class WaitReport: Sendable {
    private let call: CallContext
    private let cause: WaitEvent.Cause
    private let begun = Mutex<Stopwatch?>(nil)

    /// A report for a request's call; `nil` where nobody observes it, or there is none.
    package init?(_ request: TransportRequest, _ cause: WaitEvent.Cause) {
        guard let call = request.options.call, call.isObserved else { return nil }
        self.call = call
        self.cause = cause
    }

    /// The wait begins, unless it had.
    package func begin() {
        let isFirst = begun.withLock { watch in
            defer { watch = watch ?? call.time.stopwatch() }
            return watch == nil
        }
        if isFirst { call.report(.wait(WaitEvent(cause, .began, callID: call.id))) }
    }

    /// The wait is over, if there was one.
    package func end() {
        guard let watch = begun.withLock({ $0.take() }) else { return }
        call.report(.wait(WaitEvent(cause, .ended(after: watch.elapsed), callID: call.id)))
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Reports one wait of a call to its observers: the beginning, and the end with the elapsed time.
package final class WaitReport: Sendable {
    private let call: CallContext
    private let cause: WaitEvent.Cause
    private let stopwatch = Mutex<Stopwatch?>(nil)

    /// Creates a report for a request's call; `nil` if there is no call or it has no observer.
    package init?(_ request: TransportRequest, cause: WaitEvent.Cause) {
        guard let call = request.options.call, call.isObserved else { return nil }
        self.call = call
        self.cause = cause
    }

    /// Reports the beginning of the wait, once.
    package func begin() {
        let isFirst = stopwatch.withLock { watch in
            defer { watch = watch ?? call.time.stopwatch() }
            return watch == nil
        }
        if isFirst { call.report(.wait(WaitEvent(cause, stage: .began, callID: call.id))) }
    }

    /// Reports the end of the wait, if one had begun.
    package func end() {
        guard let watch = stopwatch.withLock({ $0.take() }) else { return }
        call.report(.wait(WaitEvent(cause, stage: .ended(after: watch.elapsed), callID: call.id)))
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A counter of the body bytes that a call has sent, over all its attempts, which reports to one observer.
///
/// The observer is called by the thread that calls ``sent(_:of:)`` or ``finish()``, one call at a time and in order,
/// never under the lock. While it is busy only the newest progress is kept for it. Only ``finish()`` waits for an
/// observer call on another thread, so that no progress is reported after a call has returned a value. A call that
/// failed does not wait: one more progress may be reported after it.
package final class UploadProgressReporter: Sendable {
    private struct State {
        var highest: Int64 = 0
        var fraction = 0.0
        var total: Int64?
        var pending: UploadProgress?
        var isNotifying = false
        var isFinished = false
        /// The continuations of callers that wait in ``finish()``.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let observe: @Sendable (UploadProgress) -> Void

    package init(_ observe: @escaping @Sendable (UploadProgress) -> Void) { self.observe = observe }

    /// Records the number of bytes taken in one attempt, counted from its first byte.
    ///
    /// A number below that of another attempt is not reported. Neither is the whole body: it is reported when the
    /// server has responded.
    package func sent(_ count: Int64, of total: Int64?) {
        let isNotifying = state.withLock { state in
            state.total = total
            guard !state.isFinished, count > state.highest else { return true }
            state.highest = count
            let progress = UploadProgress(sent: count, total: total)
            guard progress.fraction < 1, progress.fraction >= state.fraction else { return true }
            state.fraction = progress.fraction
            state.pending = progress
            defer { state.isNotifying = true }
            return state.isNotifying
        }
        if !isNotifying { notify() }
    }

    /// Reports that the upload has succeeded; no progress is reported after that.
    ///
    /// Returns when the observer has been called, even if another thread is calling it. Cancelling the task does not
    /// end the wait: an observer that never returns keeps the call from returning.
    package func finish() async {
        let isNotifying = state.withLock { state in
            guard !state.isFinished else { return true }
            state.isFinished = true
            state.pending = UploadProgress(
                sent: state.total ?? state.highest, total: state.total ?? state.highest, isFinished: true)
            defer { state.isNotifying = true }
            return state.isNotifying
        }
        guard isNotifying else { return notify() }
        await withCheckedContinuation { continuation in
            let isNotified = state.withLock { state in
                if state.isNotifying { state.waiters.append(continuation) }
                return !state.isNotifying
            }
            if isNotified { continuation.resume() }
        }
    }

    private func notify() {
        while let progress = next() { observe(progress) }
    }

    private func next() -> UploadProgress? {
        let (progress, waiters) = state.withLock { state -> (UploadProgress?, [CheckedContinuation<Void, Never>]) in
            if let progress = state.pending.take() { return (progress, []) }
            state.isNotifying = false
            defer { state.waiters = [] }
            return (nil, state.waiters)
        }
        for waiter in waiters { waiter.resume() }
        return progress
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

/// The calls that wait until the events of a background session are handled, and the clock of their state machine.
package final class BackgroundCompletion: Sendable {
    private struct State {
        var machine = BackgroundCompletionStateMachine()
        var continuations: [Int: CheckedContinuation<Void, Never>] = [:]
        var calls = 0
        /// The numbers of calls that were cancelled before they began to wait.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())
    private let clock: Stopwatch

    package init(time: TimeSource) { clock = time.stopwatch() }

    /// Records that all events are handled, and resumes the waiting calls.
    ///
    /// - Returns: True if the handler is to be called.
    package func eventsHandled() -> Bool { perform { $0.eventsHandled(at: $1) } }

    /// Records that the handler was set or removed.
    ///
    /// - Returns: True if the handler is to be called now.
    package func handlerChanged(isSet: Bool) -> Bool { perform { $0.handlerChanged(isSet: isSet, at: $1) } }

    /// True if a handler waits for a delivery.
    package var hasHandler: Bool { state.withLock { $0.machine.hasHandler } }

    /// Waits until all events are handled; returns early if the task is cancelled.
    package func wait() async {
        let number = state.withLock { state in
            state.calls += 1
            return state.calls
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    state.continuations[number] = continuation
                    return false
                }
                if isCancelled { return continuation.resume() }
                _ = perform { $0.wait(number, at: $1) }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard let continuation = state.continuations.removeValue(forKey: number) else {
                    state.cancelled.insert(number)
                    return nil
                }
                _ = state.machine.cancel(number)
                return continuation
            }
            continuation?.resume()
        }
        state.withLock { _ = $0.cancelled.remove(number) }
    }

    private func perform(
        _ event: (inout BackgroundCompletionStateMachine, Duration) -> BackgroundCompletionStateMachine.Completion
    ) -> Bool {
        let now = clock.elapsed
        let (callsHandler, continuations) = state.withLock { state in
            let completion = event(&state.machine, now)
            return (
                completion.callsHandler, completion.waiters.compactMap { state.continuations.removeValue(forKey: $0) }
            )
        }
        for continuation in continuations { continuation.resume() }
        return callsHandler
    }
}

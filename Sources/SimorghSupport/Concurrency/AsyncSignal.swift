// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A signal that wakes all tasks that wait for a change.
///
/// A waiting task reads ``count``, checks the state, and then waits for the next signal after that count, so that it
/// cannot miss a change in between.
package final class AsyncSignal: Sendable {
    private struct State {
        var count = 0
        var nextID = 0
        var waiting: [Int: Waiter<Void, any Error>] = [:]
    }

    private let state = Mutex(State())
    private let onWait: (@Sendable () -> Void)?

    /// Creates a signal.
    ///
    /// - Parameter onWait: Called whenever a task is about to wait.
    package init(onWait: (@Sendable () -> Void)? = nil) { self.onWait = onWait }

    /// The number of signals so far.
    package var count: Int { state.withLock { $0.count } }

    /// The number of waiting tasks.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Wakes all waiting tasks.
    package func ring() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [:] }
            return state.waiting
        }
        for waiter in waiting.values { waiter.settle(.success(())) }
    }

    /// Waits until the number of signals exceeds a count.
    ///
    /// - Parameter count: The value of ``count`` when the caller checked the state.
    /// - Throws: `CancellationError` at once if the task is cancelled.
    package func wait(after count: Int) async throws {
        try Task.checkCancellation()
        let arrival = state.withLock { state -> (id: Int, waiter: Waiter<Void, any Error>)? in
            guard state.count <= count else { return nil }
            state.nextID += 1
            let waiter = Waiter<Void, any Error>()
            state.waiting[state.nextID] = waiter
            return (state.nextID, waiter)
        }
        guard let arrival else { return }
        onWait?()
        try await arrival.waiter.value { state.withLock { _ = $0.waiting.removeValue(forKey: arrival.id) } }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Wakes whoever waits for something to change.
///
/// Whoever waits first reads ``count``, then looks, and then waits for the next stroke after that count: so that nothing
/// that changes in between is missed.
package final class Bell: Sendable {
    private struct State {
        var count = 0
        var nextID = 0
        var waiting: [Int: Waiter<Void, any Error>] = [:]
    }

    private let state = Mutex(State())
    private let onWait: (@Sendable () -> Void)?

    /// Creates a bell.
    ///
    /// - Parameter onWait: Called whenever a task is about to wait.
    package init(onWait: (@Sendable () -> Void)? = nil) { self.onWait = onWait }

    /// How often it was rung.
    package var count: Int { state.withLock { $0.count } }

    /// How many wait now.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Wakes all who wait.
    package func ring() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [:] }
            return state.waiting
        }
        for waiter in waiting.values { waiter.settle(.success(())) }
    }

    /// Waits until it was rung more often than so many times.
    ///
    /// - Parameter count: How often it had been rung when the caller looked.
    /// - Throws: `CancellationError` at once when the task is cancelled.
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

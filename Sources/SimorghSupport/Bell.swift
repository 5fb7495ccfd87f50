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
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// Waits that were cancelled before they had begun.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())
    private let onWait: (@Sendable () -> Void)?

    /// Creates a bell.
    ///
    /// - Parameter onWait: Called whenever somebody has begun to wait.
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
        for continuation in waiting.values { continuation.resume() }
    }

    /// Waits until it was rung more often than so many times.
    ///
    /// - Parameter count: How often it had been rung when the caller looked.
    /// - Throws: `CancellationError` at once when the task is cancelled.
    package func wait(after count: Int) async throws {
        try Task.checkCancellation()
        let id: Int? = state.withLock { state in
            guard state.count <= count else { return nil }
            state.nextID += 1
            return state.nextID
        }
        guard let id else { return }
        // A cancellation that came after the stroke leaves nothing behind.
        defer { state.withLock { _ = $0.cancelled.remove(id) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if state.count > count { return .success(()) }
                    state.waiting[id] = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) } else { onWait?() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.waiting.removeValue(forKey: id)
                if continuation == nil { state.cancelled.insert(id) }
                return continuation
            }
            continuation?.resume(throwing: CancellationError())
        }
    }
}

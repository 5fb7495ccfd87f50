// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

/// A fair asynchronous mutex with a bounded queue: admits one task at a time, in order; cancelled waiters leave the
/// queue.
package final class AsyncMutex: Sendable {
    private struct State {
        var isTaken = false
        var queue = NumberedQueue<Waiter<Void, any Error>>()
        var lastNumber: UInt64 = 0
    }

    private enum Arrival { case acquired, full, wait(Waiter<Void, any Error>, UInt64) }

    private let state = Mutex(State())
    private let capacity: Int

    /// Creates a mutex.
    ///
    /// - Parameter capacity: The maximum number of waiters.
    package init(capacity: Int) { self.capacity = max(0, capacity) }

    /// The number of queue slots in memory, including those of tasks that left; for tests.
    package var queueSlots: Int { state.withLock { $0.queue.slots } }

    /// True if the mutex is not held.
    package var isFree: Bool { state.withLock { !$0.isTaken } }

    /// The number of waiters.
    package var waiting: Int { state.withLock { $0.queue.count } }

    /// Acquires the mutex if it is free.
    ///
    /// - Returns: True if the caller holds the mutex and must call ``leave()``.
    package func tryLock() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    /// Waits for the mutex, which the caller releases with ``leave()``.
    ///
    /// - Returns: `false` at once if the queue is full.
    /// - Throws: `CancellationError` at once if the task is cancelled; the mutex is not held then.
    package func enter() async throws -> Bool {
        try Task.checkCancellation()
        let arrival: Arrival = state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return .acquired
            }
            guard state.queue.count < capacity else { return .full }
            let waiter = Waiter<Void, any Error>()
            state.lastNumber += 1
            state.queue.append(waiter, number: state.lastNumber)
            return .wait(waiter, state.lastNumber)
        }
        switch arrival {
        case .acquired: return true
        case .full: return false
        case .wait(let waiter, let number):
            try await waiter.value { state.withLock { _ = $0.queue.remove(number) } }
            return true
        }
    }

    /// The result of a wait with a time limit.
    package enum Entry: Sendable { case acquired, full, timedOut }

    /// Waits for the mutex, at most for a time.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; the mutex is not held then.
    package func enter(within limit: Duration, time: TimeSource) async throws -> Entry {
        try Task.checkCancellation()
        if tryLock() { return .acquired }
        return try await withThrowingTaskGroup(of: Entry.self) { group in
            group.addTask { try await self.enter() ? .acquired : .full }
            group.addTask {
                try await time.sleep(for: limit)
                return .timedOut
            }
            var first: Result<Entry, any Error>?
            var isAcquired = false
            while let result = await group.nextResult() {
                group.cancelAll()
                first = first ?? result
                if case .success(.acquired) = result { isAcquired = true }
            }
            // The mutex may have become free at the same time as the end of the wait, or a cancellation.
            guard isAcquired else { return try first?.get() ?? .timedOut }
            guard !Task.isCancelled else {
                self.leave()
                throw CancellationError()
            }
            return .acquired
        }
    }

    /// Releases the mutex and passes it to the next waiter.
    package func leave() {
        while true {
            let next = state.withLock { state in
                let next = state.queue.popFirst()
                state.isTaken = next != nil
                return next
            }
            // A waiter that was cancelled at this moment does not take the mutex.
            guard let next, !next.settle(.success(())) else { return }
        }
    }
}

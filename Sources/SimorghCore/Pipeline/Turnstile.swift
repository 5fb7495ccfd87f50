// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Lets one through at a time, in the order in which they came; who is cancelled while waiting leaves the line.
package final class Turnstile: Sendable {
    private struct State {
        var isTaken = false
        var line = NumberedQueue<Waiter<Void, any Error>>()
        var lastNumber: UInt64 = 0
    }

    private enum Arrival { case through, full, wait(Waiter<Void, any Error>, UInt64) }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: How many may wait.
    package init(capacity: Int) { self.capacity = max(0, capacity) }

    /// The number of slots in memory, including those of tasks that left; for tests.
    package var lineLength: Int { state.withLock { $0.line.slots } }

    /// Whether nobody has the turn.
    package var isFree: Bool { state.withLock { !$0.isTaken } }

    /// How many wait now.
    package var waiting: Int { state.withLock { $0.line.count } }

    /// Takes the turn if nobody has it.
    ///
    /// - Returns: Whether it is the caller's now, and is to be left.
    package func enterIfFree() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    /// Waits for the turn, which ends with ``leave()``.
    ///
    /// - Returns: `false` at once where too many wait already.
    /// - Throws: `CancellationError` at once when the task is cancelled; the turn is not to be left then.
    package func enter() async throws -> Bool {
        try Task.checkCancellation()
        let arrival: Arrival = state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return .through
            }
            guard state.line.count < capacity else { return .full }
            let waiter = Waiter<Void, any Error>()
            state.lastNumber += 1
            state.line.append(waiter, number: state.lastNumber)
            return .wait(waiter, state.lastNumber)
        }
        switch arrival {
        case .through: return true
        case .full: return false
        case .wait(let waiter, let number):
            try await waiter.value { state.withLock { _ = $0.line.remove(number) } }
            return true
        }
    }

    /// Ends the turn and gives it to the next.
    package func leave() {
        while true {
            let next = state.withLock { state in
                let next = state.line.popFirst()
                state.isTaken = next != nil
                return next
            }
            // A task that was cancelled at this moment does not take the turn.
            guard let next, !next.settle(.success(())) else { return }
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The events that one listener has not taken yet: bounded, the oldest dropped and counted.
package final class EventQueue<Event: Sendable>: Sendable {
    private typealias Taker = CheckedContinuation<Event?, Never>

    private struct State {
        var events = ItemQueue<Event>()
        var dropped = 0
        var isOver = false
        var lastWait = 0
        /// Who waits, and which wait it is: a cancellation that comes late finds its own or none.
        var taker: (id: Int, continuation: Taker)?
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: How many events are kept at most; at least one.
    package init(capacity: Int) { self.capacity = max(1, capacity) }

    /// How many events were dropped.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// Brings an event; nobody waits for who takes it.
    package func put(_ event: Event) {
        let taker = state.withLock { state -> Taker? in
            guard !state.isOver else { return nil }
            if let taker = state.taker.take() { return taker.continuation }
            if state.events.count >= capacity {
                state.events.popFirst()
                state.dropped += 1
            }
            state.events.append(event)
            return nil
        }
        taker?.resume(returning: event)
    }

    /// Nothing comes any more; what is kept can still be taken.
    package func finish() {
        let taker = state.withLock { state in
            state.isOver = true
            return state.taker.take()?.continuation
        }
        taker?.resume(returning: nil)
    }

    /// Takes the oldest event, or waits for one.
    ///
    /// - Returns: The event; `nil` at the end, for a cancelled task, and for a second one that waits at once.
    package func next() async -> Event? {
        let id = state.withLock { state in
            state.lastWait += 1
            return state.lastWait
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Taker) in
                let ready: Event?? = state.withLock { state in
                    if let event = state.events.popFirst() { return .some(event) }
                    guard !state.isOver, state.taker == nil, !Task.isCancelled else { return .some(nil) }
                    state.taker = (id, continuation)
                    return nil
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            let taker = state.withLock { state -> Taker? in
                guard state.taker?.id == id else { return nil }
                return state.taker.take()?.continuation
            }
            taker?.resume(returning: nil)
        }
    }
}

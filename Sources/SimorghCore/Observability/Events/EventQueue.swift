// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The bounded event queue of one listener.
///
/// If it is full, the oldest event is dropped and counted.
package final class EventQueue: Sendable {
    private struct Item: BoundedItem {
        let event: NetworkEvent
    }

    private typealias Source = BoundedSource<Item, Never>

    private struct State {
        var source: Source
        var dropped = 0
    }

    private let state: Mutex<State>

    /// Creates a queue.
    ///
    /// - Parameter capacity: The largest number of events in the queue; at least one.
    package init(capacity: Int) { state = Mutex(State(source: Source(BoundedQueue(maximumCount: max(1, capacity))))) }

    /// The number of dropped events.
    package var dropped: Int { state.withLock { $0.dropped } }

    /// Adds an event without waiting for the listener.
    package func put(_ event: NetworkEvent) {
        let reader = state.withLock { state -> Source.Reader? in
            guard !state.source.isOver else { return nil }
            if let reader = state.source.takeReader() { return reader }
            state.dropped += state.source.queue.removeOldest(toFit: 0)
            state.source.queue.append(Item(event: event))
            return nil
        }
        reader?.resume(returning: .success(Item(event: event)))
    }

    /// Ends the queue.
    ///
    /// Events in it can still be read.
    package func finish() { state.withLock { $0.source.finish() }?.resume() }

    /// Returns the oldest event, or waits for one.
    ///
    /// - Returns: The event; `nil` at the end, for a cancelled task, and immediately if another task is already
    ///   waiting.
    package func next() async -> NetworkEvent? {
        let wait = state.withLock { $0.source.nextWait() }
        let taken = await Source.suspend { reader in
            state.withLock { $0.source.read(reader, wait: wait, busy: .success(nil), cancelled: .success(nil)) }
        } onCancel: {
            state.withLock { $0.source.cancel(wait: wait) }.map { Source.Wake(reader: $0, taken: .success(nil)) }
        }
        return taken.get()?.event
    }
}

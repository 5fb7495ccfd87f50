// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Hands the events of a client and its views to all who listen, each at its own speed.
package final class EventHub: Sendable {
    private struct Listener {
        let queue: EventQueue
        let rules: RedactionRules
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())
    private let count = Atomic(0)

    package init() {}

    deinit { for listener in state.withLock({ $0.listeners }).values { listener.queue.finish() } }

    /// Whether anybody listens: one load, as each call asks it.
    package var isActive: Bool { count.load(ordering: .relaxed) > 0 }

    /// Adds a listener.
    ///
    /// - Parameters:
    ///   - queue: What it takes events from.
    ///   - rules: How much it may see.
    /// - Returns: Its number.
    package func add(_ queue: EventQueue, showing rules: RedactionRules) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.listeners[state.lastID] = Listener(queue: queue, rules: rules)
            count.store(state.listeners.count, ordering: .relaxed)
            return state.lastID
        }
    }

    /// Takes a listener out.
    package func remove(_ id: Int) {
        let listener = state.withLock { state in
            defer { count.store(state.listeners.count, ordering: .relaxed) }
            return state.listeners.removeValue(forKey: id)
        }
        listener?.queue.finish()
    }

    /// Hands an event to all listeners; those with the same rules share one.
    ///
    /// - Parameter make: Makes the event, as far as rules let it be seen.
    /// - Returns: The event as one of the listeners got it; `nil` if there is no listener.
    @discardableResult
    package func publish(_ make: (RedactionRules) -> NetworkEvent) -> NetworkEvent? {
        guard isActive else { return nil }
        var made: [(rules: RedactionRules, event: NetworkEvent)] = []
        for listener in state.withLock({ Array($0.listeners.values) }) {
            let event = made.first { $0.rules == listener.rules }?.event ?? make(listener.rules)
            made.append((listener.rules, event))
            listener.queue.put(event)
        }
        return made.first?.event
    }
}

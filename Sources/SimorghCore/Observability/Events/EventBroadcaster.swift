// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Delivers the events of a client and its views to all listeners, each with its own queue.
package final class EventBroadcaster: Sendable {
    private struct Listener {
        let queue: EventQueue
        let rules: RedactionRules
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var observers: [Int: any CallObserver] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())
    private let count = Atomic(0)

    package init() {}

    deinit { for listener in state.withLock({ $0.listeners }).values { listener.queue.finish() } }

    /// True if there is a listener or an observer.
    ///
    /// Performance: a single atomic load, since each call reads it.
    package var isActive: Bool { count.load(ordering: .relaxed) > 0 }

    /// Adds a listener.
    ///
    /// - Parameters:
    ///   - queue: The queue of the listener.
    ///   - rules: The redaction rules of the listener.
    /// - Returns: The id of the listener.
    package func add(_ queue: EventQueue, showing rules: RedactionRules) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.listeners[state.lastID] = Listener(queue: queue, rules: rules)
            count.add(1, ordering: .relaxed)
            return state.lastID
        }
    }

    /// Adds an observer, and returns its id.
    package func add(_ observer: any CallObserver) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = observer
            count.add(1, ordering: .relaxed)
            return state.lastID
        }
    }

    /// The observers of calls.
    package var observers: [any CallObserver] { isActive ? state.withLock { Array($0.observers.values) } : [] }

    /// Removes a listener or an observer.
    package func remove(_ id: Int) {
        let (listener, observer) = state.withLock { state in
            (state.listeners.removeValue(forKey: id), state.observers.removeValue(forKey: id))
        }
        if listener != nil || observer != nil { count.subtract(1, ordering: .relaxed) }
        listener?.queue.finish()
    }

    /// Delivers an event to all listeners and observers.
    ///
    /// Listeners with the same rules share one event.
    ///
    /// - Parameter make: Makes the event for given redaction rules.
    /// - Returns: The event as one of the listeners got it; `nil` if there is no listener.
    @discardableResult
    package func publish(_ make: (RedactionRules) -> NetworkEvent) -> NetworkEvent? {
        guard isActive else { return nil }
        var created: [(rules: RedactionRules, event: NetworkEvent)] = []
        for listener in state.withLock({ Array($0.listeners.values) }) {
            let event = created.first { $0.rules == listener.rules }?.event ?? make(listener.rules)
            created.append((listener.rules, event))
            listener.queue.put(event)
        }
        for observer in observers {
            let event = created.first { $0.rules == observer.rules }?.event ?? make(observer.rules)
            created.append((observer.rules, event))
            observer.didReport(event)
        }
        return created.first?.event
    }
}

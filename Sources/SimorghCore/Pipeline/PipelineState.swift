// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

/// State that the steps of a client share between calls: retry budgets, refresh gates, circuit breakers.
///
/// A client and its views share one instance. Each step looks up its state by a key of its type and settings: two views
/// with equal settings share the state, two with different settings do not.
package final class PipelineState: Sendable {
    /// The maximum number of entries; beyond it the least recently used entry is removed.
    ///
    /// The limit bounds the memory of an app that makes views in a loop.
    package static let capacity = 256

    private let state = Mutex(LRUCache<AnySendableKey, any AnyObject & Sendable>())
    /// Admits the calls of the client and its views.
    package let gate = DrainGate()

    package init() {}

    /// Returns the state for a key, and creates it at the first call.
    ///
    /// - Parameters:
    ///   - key: The settings that the state belongs to. Keys of different types never match.
    ///   - make: Creates the state.
    /// - Returns: The same object at each call with an equal key.
    package func value<Key: Hashable & Sendable, Value: AnyObject & Sendable>(
        for key: Key, _ make: () -> Value
    ) -> Value {
        // Some settings do not equal themselves, such as those with NaN: a stored entry could never be found again.
        guard key == key else { return make() }
        let key = AnySendableKey(key, of: Value.self)
        if let known = state.withLock({ $0.touch(key) as? Value }) { return known }
        // Outside the lock: `make` may be slow, or call this method. If two tasks race, the first one's object is used.
        let created = make()
        let (value, forgotten) = state.withLock { state in
            if let known = state.touch(key) as? Value { return (known, nil as (any AnyObject & Sendable)?) }
            state.insert(key, value: created)
            return (created, state.count > Self.capacity ? state.removeOldest()?.value : nil)
        }
        // Released outside the lock: a deinitializer may end tasks or connections.
        withExtendedLifetime((created, forgotten)) {}
        return value
    }
}

/// A type-erased key; keys are equal only if their own types and the types of their values are equal.
private struct AnySendableKey: Hashable, Sendable {
    private let key: any Hashable & Sendable
    private let value: ObjectIdentifier

    init(_ key: some Hashable & Sendable, of value: Any.Type) {
        self.key = key
        self.value = ObjectIdentifier(value)
    }

    static func == (left: AnySendableKey, right: AnySendableKey) -> Bool {
        left.value == right.value && AnyHashable(left.key) == AnyHashable(right.key)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(value)
        hasher.combine(AnyHashable(key))
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// What the steps of a client remember from call to call: budgets, gates, breakers.
///
/// A client and its views share one. Each step finds its own by a key, which is its type and settings; two views with
/// the same settings share what is remembered, two with other settings do not.
package final class ChainState: Sendable {
    /// How many things are kept; past that the one not asked for longest is forgotten.
    ///
    /// So views made in a loop do not pile up.
    package static let capacity = 256

    private let state = Mutex(LeastRecent<AnySendableKey, any AnyObject & Sendable>())

    package init() {}

    /// What is remembered under a key, made at the first time.
    ///
    /// - Parameters:
    ///   - key: The settings it belongs to; keys of two types never meet.
    ///   - make: Makes it.
    /// - Returns: The same object at each call with an equal key.
    package func value<Key: Hashable & Sendable, Value: AnyObject & Sendable>(
        for key: Key, _ make: () -> Value
    ) -> Value {
        // Some settings equal nothing, as those with a number that is none: nobody would find them again.
        guard key == key else { return make() }
        let key = AnySendableKey(key, of: Value.self)
        if let known = state.withLock({ $0.touch(key) as? Value }) { return known }
        // Not under the lock: it may be slow, or ask for something here. Of two who make it at once the first one's is kept.
        let made = make()
        let (value, forgotten) = state.withLock { state in
            if let known = state.touch(key) as? Value { return (known, nil as (any AnyObject & Sendable)?) }
            state.insert(key, made)
            return (made, state.count > Self.capacity ? state.removeOldest()?.value : nil)
        }
        // What goes may end things, too.
        withExtendedLifetime((made, forgotten)) {}
        return value
    }
}

/// A key of any type, told apart by its type and that of its value.
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

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The state machine of the sessions of a transport: a session per key, shared by its users.
///
/// A task must not be created on an invalidated session, which traps. So users are counted, and a session is ended only
/// after its last user has left. At most ``capacity`` sessions are kept for later users, the most recently used ones; an
/// idle one is ended after ``idleTime``. Times count from any fixed point.
package struct SessionPoolStateMachine<Key: Hashable & Sendable, Session: Sendable>: Sendable {
    package enum Action: Sendable {
        /// Invalidate the session, which has no users and gets none.
        case end(Session)
        /// Call ``timeAdvanced(to:)`` after a duration.
        case wake(after: Duration)
    }

    /// One use of a session.
    package struct Use: Sendable {
        /// The number of the session, to release it.
        package let number: UInt64
        package let session: Session
    }

    /// The maximum number of sessions that are kept.
    package static var capacity: Int { 32 }
    /// The time after which a session without users is ended.
    package static var idleTime: Duration { .seconds(300) }

    private struct Entry: Sendable {
        let number: UInt64
        let session: Session
        var users = 1
        /// The time at which the last user left.
        var idleSince = Duration.zero
    }

    private var kept = LRUCache<Key, Entry>()
    private var keys: [UInt64: Key] = [:]
    /// The sessions that are used, but get no further users.
    private var retired: [UInt64: Entry] = [:]
    private var lastNumber: UInt64 = 0
    private var isWaking = false

    package init() {}

    /// All sessions.
    package var sessions: [Session] {
        kept.keys.compactMap { kept.peek($0)?.session } + retired.values.map(\.session)
    }

    /// The number of sessions that are kept.
    package var keptCount: Int { kept.count }

    /// Begins a use of the session of a key; `nil` if there is no such session.
    package mutating func use(_ key: Key) -> Use? {
        guard var entry = kept.touch(key) else { return nil }
        entry.users += 1
        kept.insert(key, value: entry)
        return Use(number: entry.number, session: entry.session)
    }

    /// Adds a new session, and begins a use of it.
    ///
    /// - Parameters:
    ///   - session: The new session; it is ended if another one was added for the key meanwhile.
    ///   - key: The key.
    /// - Returns: The use, and the actions.
    package mutating func add(_ session: Session, for key: Key) -> (use: Use, actions: [Action]) {
        if let use = use(key) { return (use, [.end(session)]) }
        lastNumber += 1
        kept.insert(key, value: Entry(number: lastNumber, session: session))
        keys[lastNumber] = key
        let use = Use(number: lastNumber, session: session)
        guard kept.count > Self.capacity, let (_, oldest) = kept.removeOldest() else { return (use, []) }
        return (use, retire(oldest))
    }

    /// Ends a use of a session.
    ///
    /// - Parameters:
    ///   - number: The number of the session.
    ///   - time: The current time.
    /// - Returns: The actions.
    package mutating func release(_ number: UInt64, at time: Duration) -> [Action] {
        if var entry = retired[number] {
            entry.users -= 1
            retired[number] = entry.users == 0 ? nil : entry
            return entry.users == 0 ? [.end(entry.session)] : []
        }
        guard let key = keys[number], var entry = kept.peek(key) else { return [] }
        entry.users -= 1
        entry.idleSince = time
        kept.insert(key, value: entry)
        guard entry.users == 0, !isWaking else { return [] }
        isWaking = true
        return [.wake(after: Self.idleTime)]
    }

    /// Ends the sessions that were idle for too long.
    package mutating func timeAdvanced(to time: Duration) -> [Action] {
        isWaking = false
        var actions: [Action] = []
        var wait: Duration?
        for key in Array(kept.keys) {
            guard let entry = kept.peek(key), entry.users == 0 else { continue }
            let left = entry.idleSince + Self.idleTime - time
            if left <= .zero {
                kept.remove(key)
                keys[entry.number] = nil
                actions.append(.end(entry.session))
            } else {
                wait = min(wait ?? left, left)
            }
        }
        guard let wait else { return actions }
        isWaking = true
        return actions + [.wake(after: wait)]
    }

    /// Gives no further users to any session, because later ones need another configuration.
    package mutating func retireAll() -> [Action] {
        var actions: [Action] = []
        while let (_, entry) = kept.removeOldest() { actions += retire(entry) }
        return actions
    }

    private mutating func retire(_ entry: Entry) -> [Action] {
        keys[entry.number] = nil
        guard entry.users > 0 else { return [.end(entry.session)] }
        retired[entry.number] = entry
        return []
    }
}

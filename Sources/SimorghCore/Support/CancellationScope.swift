// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Many running things that can be cancelled at once: the calls of one client.
///
/// Whoever waits adds itself and takes itself out again. Cancelling is final for what was inside; the owner makes a
/// fresh scope for what comes after.
package final class CancellationScope: Sendable {
    /// Something that can be told to stop, from any thread, any number of times.
    package protocol Member: AnyObject, Sendable {
        /// Stops the work; returns at once.
        func cancel()
    }

    private struct State {
        var isCancelled = false
        var members: [ObjectIdentifier: any Member] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether ``cancelAll()`` was called.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Adds a member that is cancelled with all others.
    ///
    /// - Returns: `false` if the scope was cancelled already; the member is not added then.
    package func add(_ member: any Member) -> Bool {
        state.withLock { state in
            guard !state.isCancelled else { return false }
            state.members[ObjectIdentifier(member)] = member
            return true
        }
    }

    /// Takes a member out; one that is not inside is ignored.
    package func remove(_ member: any Member) {
        _ = state.withLock { $0.members.removeValue(forKey: ObjectIdentifier(member)) }
    }

    /// Cancels every member, and refuses those that come later.
    package func cancelAll() {
        let members = state.withLock { state in
            state.isCancelled = true
            defer { state.members = [:] }
            return state.members
        }
        for member in members.values { member.cancel() }
    }

    /// How many members are inside now.
    package var count: Int { state.withLock { $0.members.count } }
}

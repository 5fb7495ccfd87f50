// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A set of operations that can be cancelled at once: the calls of one client.
///
/// Each operation adds and removes itself. Cancellation is final for a scope; the owner creates a new scope for later
/// operations.
package final class CancellationScope: Sendable {
    /// An operation that can be cancelled from any thread, any number of times.
    package protocol Member: AnyObject, Sendable {
        /// Cancels the operation without waiting.
        func cancel()
    }

    private struct State {
        var isCancelled = false
        /// The members by index, so that adding and removing needs neither hashing nor searching.
        var members: [(any Member)?] = []
        var free: [Int] = []
    }

    /// The maximum number of slots that are kept when all members have left.
    private static let retainedSlots = 64

    private let state = Mutex(State())

    package init() {}

    /// True if ``cancelAll()`` was called.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Adds a member, which is cancelled with all others.
    ///
    /// - Returns: The index with which to remove it; `nil` if the scope was cancelled, and the member was not added.
    package func add(_ member: any Member) -> Int? {
        state.withLock { state in
            guard !state.isCancelled else { return nil }
            if let index = state.free.popLast() {
                state.members[index] = member
                return index
            }
            state.members.append(member)
            return state.members.count - 1
        }
    }

    /// Removes a member; does nothing if it is not in the scope.
    ///
    /// - Parameters:
    ///   - member: The member.
    ///   - index: The index that ``add(_:)`` returned.
    package func remove(_ member: any Member, from index: Int?) {
        guard let index else { return }
        state.withLock { state in
            guard state.members.indices.contains(index), let known = state.members[index], known === member else {
                return
            }
            state.members[index] = nil
            state.free.append(index)
            guard state.free.count == state.members.count, state.members.count > Self.retainedSlots else { return }
            (state.members, state.free) = ([], [])
        }
    }

    /// Cancels every member, and rejects later ones.
    package func cancelAll() {
        let members = state.withLock { state in
            state.isCancelled = true
            defer { (state.members, state.free) = ([], []) }
            return state.members
        }
        for member in members { member?.cancel() }
    }

    /// The current members, in no particular order.
    package var members: [any Member] { state.withLock { $0.members.compactMap { $0 } } }

    /// The current number of members.
    package var count: Int { state.withLock { $0.members.count - $0.free.count } }
}

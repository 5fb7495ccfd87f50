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
        /// Each in the place that it was given, so that to come and to go costs neither a hash nor a search.
        var members: [(any Member)?] = []
        var free: [Int] = []
    }

    /// So many places are kept for those who come later, when all have left.
    private static let keptPlaces = 64

    private let state = Mutex(State())

    package init() {}

    /// Whether ``cancelAll()`` was called.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Adds a member that is cancelled with all others.
    ///
    /// - Returns: Its place, from which it is taken out; `nil` where the scope was cancelled: it is not added then.
    package func add(_ member: any Member) -> Int? {
        state.withLock { state in
            guard !state.isCancelled else { return nil }
            if let place = state.free.popLast() {
                state.members[place] = member
                return place
            }
            state.members.append(member)
            return state.members.count - 1
        }
    }

    /// Takes a member out; one that is not inside is ignored.
    ///
    /// - Parameters:
    ///   - member: The member.
    ///   - place: The place that it was given; `nil` for none.
    package func remove(_ member: any Member, from place: Int?) {
        guard let place else { return }
        state.withLock { state in
            guard state.members.indices.contains(place), let known = state.members[place], known === member else {
                return
            }
            state.members[place] = nil
            state.free.append(place)
            guard state.free.count == state.members.count, state.members.count > Self.keptPlaces else { return }
            (state.members, state.free) = ([], [])
        }
    }

    /// Cancels every member, and refuses those that come later.
    package func cancelAll() {
        let members = state.withLock { state in
            state.isCancelled = true
            defer { (state.members, state.free) = ([], []) }
            return state.members
        }
        for member in members { member?.cancel() }
    }

    /// The members inside now, in no order.
    package var members: [any Member] { state.withLock { $0.members.compactMap { $0 } } }

    /// How many members are inside now.
    package var count: Int { state.withLock { $0.members.count - $0.free.count } }
}

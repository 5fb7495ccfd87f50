// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// What is being removed and changed on a disk: a value that says who waits for whom.
///
/// However many wait for a disk that does not answer, each of a family waits for one other alone.
package struct BlobChanges: Sendable {
    /// What is being done on the disk.
    package struct Change: Sendable {
        /// Of what; `nil` for everything.
        package let family: UInt64?
        package let isRemoval: Bool
        /// Rung when it is over.
        package let done: Bell
    }

    /// By their numbers, which grow.
    private var pending: [UInt64: Change] = [:]
    /// The last one of each family.
    private var latest: [UInt64: UInt64] = [:]
    /// The last one of everything, be it over; 0 for none.
    private var latestOfAll: UInt64 = 0
    private var last: UInt64 = 0

    package init() {}

    /// How many are not over.
    package var count: Int { pending.count }

    /// Notes a change that was asked for after all others.
    ///
    /// - Parameters:
    ///   - family: Of what; `nil` for everything.
    ///   - isRemoval: Whether something is to be gone.
    /// - Returns: Its number, the change, and those after which it may begin: not those for which one of these waits.
    package mutating func begin(
        of family: UInt64?, isRemoval: Bool
    ) -> (number: UInt64, change: Change, earlier: [Change]) {
        let before: [UInt64]
        if let family {
            before = [max(latest[family] ?? 0, latestOfAll)]
        } else {
            before = pending.keys.filter { $0 >= latestOfAll }
        }
        let earlier = before.compactMap { pending[$0] }
        last += 1
        if let family { latest[family] = last } else { latestOfAll = last }
        let change = Change(family: family, isRemoval: isRemoval, done: Bell())
        pending[last] = change
        return (last, change, earlier)
    }

    /// Notes that one is over.
    package mutating func end(_ number: UInt64) {
        guard let family = pending.removeValue(forKey: number)?.family else { return }
        if latest[family] == number { latest[family] = nil }
    }

    /// Something of a family that is being removed.
    package func removal(of family: UInt64) -> Change? {
        pending.isEmpty ? nil : pending.values.first { $0.isRemoval && ($0.family == nil || $0.family == family) }
    }

    /// All that is being removed.
    package var removals: [Change] { pending.values.filter(\.isRemoval) }
}

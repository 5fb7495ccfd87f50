// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The pending removals and changes on a disk, and the order in which they run.
///
/// Each change of a family waits for one other change only, so that a disk that does not respond causes no pile-up.
package struct BlobChanges: Sendable {
    /// A pending change.
    package struct Change: Sendable {
        /// The family of the blobs; `nil` for all blobs.
        package let family: UInt64?
        package let isRemoval: Bool
        /// Signaled when the change has ended.
        package let done: AsyncSignal
    }

    /// The pending changes by their numbers, which increase.
    private var pending: [UInt64: Change] = [:]
    /// The last change of each family.
    private var latest: [UInt64: UInt64] = [:]
    /// The last change of all blobs, even if it has ended; 0 if there was no such change.
    private var latestOfAll: UInt64 = 0
    private var last: UInt64 = 0

    package init() {}

    /// The number of pending changes.
    package var count: Int { pending.count }

    /// Adds a change after all others.
    ///
    /// - Parameters:
    ///   - family: The family of the blobs; `nil` for all blobs.
    ///   - isRemoval: True if the change removes blobs.
    /// - Returns: The number, the change, and the changes to wait for, without those that one of them already waits
    ///   for.
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
        let change = Change(family: family, isRemoval: isRemoval, done: AsyncSignal())
        pending[last] = change
        return (last, change, earlier)
    }

    /// Removes a change that has ended.
    package mutating func end(_ number: UInt64) {
        guard let family = pending.removeValue(forKey: number)?.family else { return }
        if latest[family] == number { latest[family] = nil }
    }

    /// Returns a pending removal that affects a family.
    package func removal(of family: UInt64) -> Change? {
        pending.isEmpty ? nil : pending.values.first { $0.isRemoval && ($0.family == nil || $0.family == family) }
    }

    /// All pending removals.
    package var removals: [Change] { pending.values.filter(\.isRemoval) }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// The outcome of offering an item to a ``BoundedQueue``.
package enum OfferOutcome: Sendable, Hashable {
    /// The item was added, and this many older items were dropped.
    case added(dropping: Int)
    /// The item was dropped.
    case dropped
    /// The queue is full, and the policy says to fail.
    case overflow
}

extension BoundedQueue {
    /// Appends an item if the overflow policy allows it.
    ///
    /// With `.suspend`, a full queue still accepts items within its slack, because their producer could not be
    /// suspended in time.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - overflow: The overflow policy.
    ///   - isLast: True for the final item, which `.suspend` never drops.
    /// - Returns: The outcome.
    package mutating func offer(
        _ item: Item, overflow: WebSocketBuffer.Overflow, isLast: Bool = false
    ) -> OfferOutcome {
        var dropped = 0
        switch overflow {
        case .fail where isFull(for: item.cost): return .overflow
        case .suspend where !isLast && isFull && !hasSlack(for: item.cost): return .dropped
        case .dropOldest: dropped = removeOldest(toFit: item.cost)
        case .fail, .suspend: break
        }
        append(item)
        return .added(dropping: dropped)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// What became of an item that was offered to a ``BoundedQueue``.
package enum BoundedOffer: Sendable, Hashable {
    /// It is kept, in the place of that many older ones.
    case kept(dropping: Int)
    /// It is not kept.
    case dropped
    /// There is no room, and that ends it.
    case overflow
}

extension BoundedQueue {
    /// Keeps an item, if the policy allows it; that of suspension only counts what its producer was too late to hold back.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - overflow: The policy.
    ///   - isLast: True for the item that ends it, which suspension never drops.
    /// - Returns: What became of it.
    package mutating func offer(
        _ item: Item, _ overflow: WebSocketBuffer.Overflow, isLast: Bool = false
    ) -> BoundedOffer {
        var dropped = 0
        switch overflow {
        case .fail where isFull(for: item.cost): return .overflow
        case .suspend where !isLast && isFull && !hasSlack(for: item.cost): return .dropped
        case .dropOldest: dropped = makeRoom(for: item.cost)
        case .fail, .suspend: break
        }
        append(item)
        return .kept(dropping: dropped)
    }
}

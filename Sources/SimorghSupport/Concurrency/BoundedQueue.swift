// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An item of a ``BoundedQueue``.
public protocol BoundedItem: Sendable {
    /// The cost that counts toward the limit, usually the size in bytes. Default: 0.
    var cost: Int { get }
}

extension BoundedItem {
    /// The cost of the item.
    ///
    /// Default: 0.
    public var cost: Int { 0 }
}

// Performance: public, since the compiler does not specialize `package` generics of another target. Users do not see
// this target.

/// A first-in, first-out queue with limits for the number and the total cost of its items: a value without a lock or
/// task.
///
/// A single item is accepted at any cost. The queue itself rejects nothing: its owner checks the capacity, and drops,
/// suspends or fails.
public struct BoundedQueue<Item: BoundedItem>: Sendable {
    /// The number of items that are accepted beyond the maximum from a producer that can no longer be suspended.
    @inlinable public static var slack: Int { 32_768 }
    /// The total cost that is accepted beyond the maximum from such a producer.
    @inlinable public static var slackCost: Int { 2 * 1024 * 1024 }

    /// The maximum number of items.
    public let maximumCount: Int
    /// The maximum total cost.
    public let maximumCost: Int
    @usableFromInline var items = Deque<Item>()
    /// The largest number of items since the queue was last empty; decides if its memory is released.
    @usableFromInline var peak = 0
    /// The total cost.
    public var cost = 0

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - maximumCount: The maximum number of items.
    ///   - maximumCost: The maximum total cost.
    public init(maximumCount: Int = .max, maximumCost: Int = .max) {
        self.maximumCount = maximumCount
        self.maximumCost = maximumCost
    }

    /// The number of items.
    @inlinable public var count: Int { items.count }
    /// True if the queue has no items.
    @inlinable public var isEmpty: Bool { items.isEmpty }
    /// The next item; `nil` if the queue is empty.
    @inlinable public var first: Item? { items.first }
    /// The last item; `nil` if the queue is empty.
    @inlinable public var last: Item? { items.last }

    /// True if a maximum is reached, so that a producer that can be suspended must be suspended.
    @inlinable public var isFull: Bool { count >= maximumCount || !isEmpty && cost >= maximumCost }

    /// The maximum cost of an item that fits; less than 1 if no item with a cost fits.
    @inlinable public var spareCost: Int { count < maximumCount ? maximumCost - cost : 0 }

    /// Returns true if an item of this cost would exceed a maximum.
    ///
    /// False for an empty queue, which accepts any item.
    @inlinable
    public func isFull(for cost: Int) -> Bool {
        !isEmpty && (count >= maximumCount || cost > maximumCost - self.cost)
    }

    /// Returns true if an item of this cost is accepted beyond the maxima, from a producer that cannot be suspended.
    @inlinable
    public func hasSlack(for cost: Int) -> Bool {
        count - maximumCount < Self.slack && (cost == 0 || self.cost + cost - maximumCost <= Self.slackCost)
    }

    /// Adds an item at the end.
    @inlinable
    public mutating func append(_ item: Item) {
        items.append(item)
        peak = max(peak, items.count)
        cost += item.cost
    }

    /// Removes and returns the first item; `nil` if the queue is empty.
    @inlinable
    @discardableResult
    public mutating func popFirst() -> Item? {
        guard let item = items.popFirst() else { return nil }
        cost -= item.cost
        if items.isEmpty { releaseStorage() }
        return item
    }

    /// Removes and returns the last item; `nil` if the queue is empty.
    @inlinable
    @discardableResult
    public mutating func popLast() -> Item? {
        guard let item = items.popLast() else { return nil }
        cost -= item.cost
        if items.isEmpty { releaseStorage() }
        return item
    }

    /// Releases the memory that a burst allocated.
    @inlinable
    mutating func releaseStorage() {
        if peak > 4096 { items = Deque() }
        peak = 0
    }

    /// Removes all items.
    public mutating func removeAll() {
        items = Deque()
        (cost, peak) = (0, 0)
    }

    /// Removes the oldest items until one of this cost fits.
    ///
    /// - Returns: The number of removed items.
    @inlinable
    public mutating func removeOldest(toFit cost: Int) -> Int {
        let count = count
        while isFull(for: cost) { popFirst() }
        return count - self.count
    }
}

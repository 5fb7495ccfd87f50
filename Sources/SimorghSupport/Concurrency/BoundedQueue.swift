// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An item of a ``BoundedQueue``.
public protocol BoundedItem: Sendable {
    /// How much the item counts against the bound in cost, mostly its bytes; 0 by default.
    var cost: Int { get }
}

extension BoundedItem {
    /// The cost of the item; 0 by default.
    public var cost: Int { 0 }
}

// Performance: public, because the compiler specializes no generic of another target that is `package`. No user sees this target.

/// A first-in, first-out queue with a bound on the number and on the total cost of its items: a value without a lock or task.
///
/// One item is kept whatever it costs. The queue refuses nothing by itself: its owner asks for room, and drops, suspends or
/// fails.
public struct BoundedQueue<Item: BoundedItem>: Sendable {
    /// How many items are kept beyond the bound if their producer cannot be suspended any more.
    @inlinable public static var slack: Int { 32_768 }
    /// How much more they may cost together.
    @inlinable public static var slackCost: Int { 2 * 1024 * 1024 }

    /// The most items.
    public let maximumCount: Int
    /// The most that the items may cost together.
    public let maximumCost: Int
    @usableFromInline var items = Deque<Item>()
    /// The most items that there were since the queue was empty.
    @usableFromInline var peak = 0
    /// The total cost.
    public var cost = 0

    /// Creates an empty queue.
    ///
    /// - Parameters:
    ///   - maximumCount: The most items.
    ///   - maximumCost: The most that the items may cost together.
    public init(maximumCount: Int = .max, maximumCost: Int = .max) {
        self.maximumCount = maximumCount
        self.maximumCost = maximumCost
    }

    /// How many items are kept.
    @inlinable public var count: Int { items.count }
    /// True if no item is kept.
    @inlinable public var isEmpty: Bool { items.isEmpty }
    /// The item that is taken next; `nil` if there is none.
    @inlinable public var first: Item? { items.first }
    /// The item that came last; `nil` if there is none.
    @inlinable public var last: Item? { items.last }

    /// True if a producer that can be suspended has to wait.
    @inlinable public var isFull: Bool { count >= maximumCount || !isEmpty && cost >= maximumCost }

    /// The most that an item may cost to be kept without dropping, suspending or failing; less than 1 if none is.
    @inlinable public var spareCost: Int { count < maximumCount ? maximumCost - cost : 0 }

    /// Returns true if an item of that cost would pass the bound.
    @inlinable
    public func isFull(for cost: Int) -> Bool {
        !isEmpty && (count >= maximumCount || cost > maximumCost - self.cost)
    }

    /// Returns true if an item of that cost is kept although its producer should have been suspended.
    @inlinable
    public func hasSlack(for cost: Int) -> Bool {
        count - maximumCount < Self.slack && (cost == 0 || self.cost + cost - maximumCost <= Self.slackCost)
    }

    /// Adds an item behind all others.
    @inlinable
    public mutating func append(_ item: Item) {
        items.append(item)
        peak = max(peak, items.count)
        cost += item.cost
    }

    /// Takes out the item that came first; `nil` if there is none.
    @inlinable
    @discardableResult
    public mutating func popFirst() -> Item? {
        guard let item = items.popFirst() else { return nil }
        cost -= item.cost
        if items.isEmpty { giveBack() }
        return item
    }

    /// Takes out the item that came last; `nil` if there is none.
    @inlinable
    @discardableResult
    public mutating func popLast() -> Item? {
        guard let item = items.popLast() else { return nil }
        cost -= item.cost
        if items.isEmpty { giveBack() }
        return item
    }

    /// Gives the memory back that a burst took.
    @inlinable
    mutating func giveBack() {
        if peak > 4096 { items = Deque() }
        peak = 0
    }

    /// Drops all items.
    public mutating func removeAll() {
        items = Deque()
        (cost, peak) = (0, 0)
    }

    /// Drops the oldest items until one of that cost fits.
    ///
    /// - Returns: How many were dropped.
    @inlinable
    public mutating func makeRoom(for cost: Int) -> Int {
        let count = count
        while isFull(for: cost) { popFirst() }
        return count - self.count
    }
}

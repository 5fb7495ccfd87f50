// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// Performance: public, because the compiler specializes no generic of another target that is `package`. No user sees this target.

/// What comes first goes first, both ends in constant time.
public struct ItemQueue<Item>: Sendable where Item: Sendable {
    @usableFromInline var items: [Item?] = []
    @usableFromInline var head = 0

    /// Creates an empty queue.
    @inlinable public init() {}

    /// How many items are kept.
    @inlinable public var count: Int { items.count - head }
    /// True if no item is kept.
    @inlinable public var isEmpty: Bool { count == 0 }
    /// The item that is taken next; `nil` if there is none.
    @inlinable public var first: Item? { isEmpty ? nil : items[head] }
    /// The item that came last; `nil` if there is none.
    @inlinable public var last: Item? { isEmpty ? nil : items[items.count - 1] }

    /// Adds an item behind all others.
    @inlinable public mutating func append(_ item: Item) { items.append(item) }

    /// Takes out the item that came first; `nil` if there is none.
    @inlinable
    @discardableResult
    public mutating func popFirst() -> Item? {
        guard !isEmpty else { return nil }
        let item = items[head].take()
        head += 1
        if head == items.count {
            // What a burst took is given back.
            items.removeAll(keepingCapacity: items.capacity <= 4096)
            head = 0
        } else if head >= 64, head * 2 >= items.count {
            items.removeFirst(head)
            head = 0
        }
        return item
    }

    /// Takes out the item that came last; `nil` if there is none.
    @inlinable
    @discardableResult
    public mutating func popLast() -> Item? {
        guard !isEmpty else { return nil }
        return items.removeLast()
    }
}

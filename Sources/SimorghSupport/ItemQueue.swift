// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What comes first goes first, both ends in constant time.
package struct ItemQueue<Item>: Sendable where Item: Sendable {
    @usableFromInline var items: [Item?] = []
    @usableFromInline var head = 0

    @inlinable package init() {}

    @inlinable package var count: Int { items.count - head }
    @inlinable package var isEmpty: Bool { count == 0 }
    @inlinable package var first: Item? { isEmpty ? nil : items[head] }
    @inlinable package var last: Item? { isEmpty ? nil : items[items.count - 1] }

    @inlinable package mutating func append(_ item: Item) { items.append(item) }

    @inlinable
    @discardableResult
    package mutating func popFirst() -> Item? {
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

    @inlinable
    @discardableResult
    package mutating func popLast() -> Item? {
        guard !isEmpty else { return nil }
        return items.removeLast()
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// Performance: emitted into its clients, so that it is specialized there; see `ByteSet.contains`.

/// What comes first goes first, both ends in constant time.
package struct ItemQueue<Item>: Sendable where Item: Sendable {
    @usableFromInline var items: [Item?] = []
    @usableFromInline var head = 0

    @_alwaysEmitIntoClient package init() {}

    @_alwaysEmitIntoClient package var count: Int { items.count - head }
    @_alwaysEmitIntoClient package var isEmpty: Bool { count == 0 }
    @_alwaysEmitIntoClient package var first: Item? { isEmpty ? nil : items[head] }
    @_alwaysEmitIntoClient package var last: Item? { isEmpty ? nil : items[items.count - 1] }

    @_alwaysEmitIntoClient package mutating func append(_ item: Item) { items.append(item) }

    @_alwaysEmitIntoClient
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

    @_alwaysEmitIntoClient
    @discardableResult
    package mutating func popLast() -> Item? {
        guard !isEmpty else { return nil }
        return items.removeLast()
    }
}

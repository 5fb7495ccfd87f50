// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The smallest comes first; adding what is larger than all others costs nothing.
package struct PriorityHeap<Element: Comparable & Sendable>: Sendable {
    private var items: [Element] = []

    package init() {}

    package var isEmpty: Bool { items.isEmpty }
    package var count: Int { items.count }
    package var first: Element? { items.first }

    package mutating func push(_ item: Element) {
        items.append(item)
        var child = items.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard items[child] < items[parent] else { return }
            items.swapAt(child, parent)
            child = parent
        }
    }

    package mutating func pop() -> Element? {
        guard let last = items.popLast() else { return nil }
        guard let first = items.first else { return last }
        items[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            var smallest = parent
            if left < items.count, items[left] < items[smallest] { smallest = left }
            if left + 1 < items.count, items[left + 1] < items[smallest] { smallest = left + 1 }
            guard smallest != parent else { return first }
            items.swapAt(parent, smallest)
            parent = smallest
        }
    }

    /// Drops all that does not belong any more.
    package mutating func filter(_ isKept: (Element) -> Bool) {
        let kept = items.filter(isKept)
        items = []
        for item in kept { push(item) }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// A FIFO queue in which each element has a number, by which it can be removed from any position.
///
/// Numbers only grow, so the entries are sorted by number and found by binary search. A removed element leaves a hole
/// until the hole reaches the front or holes outnumber the elements. So a queue does not grow if its first element
/// waits long while others come and go.
package struct TicketQueue<Element: Sendable>: Sendable {
    private struct Entry: Sendable {
        let number: UInt64
        var element: Element?
        var isMarked = false
    }

    private var entries = CircularBuffer<Entry>()
    /// The number of elements.
    package private(set) var count = 0
    /// All elements with smaller numbers are marked.
    private var unmarkedFrom: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// The number of entries in memory, including holes; for tests.
    package var entryCount: Int { entries.count }

    /// The number of the first element.
    package var firstNumber: UInt64? { entries.first?.number }

    /// Appends an element; its number is larger than all earlier ones.
    package mutating func append(_ element: Element, number: UInt64) {
        entries.append(Entry(number: number, element: element))
        count += 1
    }

    /// Removes and returns the first element.
    package mutating func popFirst() -> (number: UInt64, element: Element)? {
        guard let entry = entries.popFirst(), let element = entry.element else { return nil }
        count -= 1
        trim()
        return (entry.number, element)
    }

    /// Removes the element with a number; `nil` if it is not in the queue.
    package mutating func remove(_ number: UInt64) -> Element? {
        guard let index = index(of: number), let element = entries[index].element else { return nil }
        entries[index].element = nil
        count -= 1
        trim()
        return element
    }

    /// Marks the element with a number, if it is in the queue, so that ``firstUnmarked(visits:)`` skips it.
    package mutating func mark(_ number: UInt64) {
        if let index = index(of: number) { entries[index].isMarked = true }
    }

    /// Unmarks the element with a number.
    package mutating func unmark(_ number: UInt64) {
        guard let index = index(of: number) else { return }
        entries[index].isMarked = false
        unmarkedFrom = min(unmarkedFrom, number)
    }

    /// Returns true if the element with a number is in the queue and marked.
    package func isMarked(_ number: UInt64) -> Bool {
        index(of: number).map { entries[$0].isMarked && entries[$0].element != nil } ?? false
    }

    /// The element with a number; `nil` if it is not in the queue.
    package subscript(number: UInt64) -> Element? {
        guard let index = index(of: number) else { return nil }
        return entries[index].element
    }

    /// The first element.
    package var first: (number: UInt64, element: Element)? {
        guard let entry = entries.first, let element = entry.element else { return nil }
        return (entry.number, element)
    }

    /// Returns the first unmarked element.
    ///
    /// The search resumes at the last result, so each mark is skipped only once, however many there are.
    ///
    /// - Parameter visits: Counts the visited entries.
    /// - Returns: The element and its number; `nil` if all are marked.
    package mutating func firstUnmarked(visits: inout Int) -> (number: UInt64, element: Element)? {
        var offset = self.offset(of: unmarkedFrom)
        while offset < entries.count {
            visits += 1
            let entry = entries[offset: offset]
            if let element = entry.element, !entry.isMarked {
                unmarkedFrom = entry.number
                return (entry.number, element)
            }
            offset += 1
        }
        if let last = entries.last { unmarkedFrom = last.number + 1 }
        return nil
    }

    /// Removes the elements that satisfy a predicate.
    package mutating func removeAll(where isOut: (Element) -> Bool) -> [Element] {
        var removed: [Element] = []
        for offset in 0..<entries.count {
            guard let element = entries[offset: offset].element, isOut(element) else { continue }
            entries[offset: offset].element = nil
            removed.append(element)
        }
        count -= removed.count
        trim()
        return removed
    }

    /// Removes all elements.
    package mutating func removeAll() -> [Element] {
        defer {
            entries.removeAll()
            count = 0
        }
        return entries.compactMap(\.element)
    }

    private func index(of number: UInt64) -> CircularBuffer<Entry>.Index? {
        let offset = offset(of: number)
        guard offset < entries.count, entries[offset: offset].number == number else { return nil }
        return entries.index(entries.startIndex, offsetBy: offset)
    }

    /// Returns the number of elements and holes with smaller numbers.
    private func offset(of number: UInt64) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[offset: middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Removes holes at the front, so that the first entry is an element, and compacts the queue if holes outnumber
    /// elements.
    private mutating func trim() {
        if count == 0 {
            entries.removeAll(keepingCapacity: entries.count <= 64)
        } else {
            while let first = entries.first, first.element == nil { entries.removeFirst() }
            if entries.count > 2 * count + 64 { entries = CircularBuffer(entries.filter { $0.element != nil }) }
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// A queue in which each element has a number, by which it can be taken out from anywhere.
///
/// Numbers only grow, so the elements are sorted by them and one is found by halving. One that was taken out leaves a
/// hole until it reaches the front or until holes outnumber elements, so a queue whose first waits long and whose
/// others come and go does not grow.
package struct TicketQueue<Element: Sendable>: Sendable {
    private struct Entry: Sendable {
        let number: UInt64
        var element: Element?
        var isMarked = false
    }

    private var entries = CircularBuffer<Entry>()
    /// How many elements there are.
    package private(set) var count = 0
    /// No element with a smaller number is without a mark.
    private var unmarkedFrom: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// How many places the queue takes in memory, holes with them; for tests.
    package var places: Int { entries.count }

    /// The number of the first element.
    package var firstNumber: UInt64? { entries.first?.number }

    /// Adds an element at the end; its number is larger than all before.
    package mutating func append(_ element: Element, number: UInt64) {
        entries.append(Entry(number: number, element: element))
        count += 1
    }

    /// Takes out the first element.
    package mutating func popFirst() -> (number: UInt64, element: Element)? {
        guard let entry = entries.popFirst(), let element = entry.element else { return nil }
        count -= 1
        trim()
        return (entry.number, element)
    }

    /// Takes out the element with a number; `nil` when it is not here any more.
    package mutating func remove(_ number: UInt64) -> Element? {
        guard let index = index(of: number), let element = entries[index].element else { return nil }
        entries[index].element = nil
        count -= 1
        trim()
        return element
    }

    /// Marks the element with a number, where it is still here, so that ``firstUnmarked(looks:)`` passes it over.
    package mutating func mark(_ number: UInt64) {
        if let index = index(of: number) { entries[index].isMarked = true }
    }

    /// Takes the mark of the element with a number away.
    package mutating func unmark(_ number: UInt64) {
        guard let index = index(of: number) else { return }
        entries[index].isMarked = false
        unmarkedFrom = min(unmarkedFrom, number)
    }

    /// Whether the element with a number is here and has a mark.
    package func isMarked(_ number: UInt64) -> Bool {
        index(of: number).map { entries[$0].isMarked && entries[$0].element != nil } ?? false
    }

    /// The element with a number.
    package subscript(number: UInt64) -> Element? {
        guard let index = index(of: number) else { return nil }
        return entries[index].element
    }

    /// The first element.
    package var first: (number: UInt64, element: Element)? {
        guard let entry = entries.first, let element = entry.element else { return nil }
        return (entry.number, element)
    }

    /// The first element without a mark.
    ///
    /// It remembers how far it came, so each mark is passed over once, however many there are.
    ///
    /// - Parameter looks: Counts the elements that were looked at.
    /// - Returns: The element and its number; `nil` where each has a mark.
    package mutating func firstUnmarked(looks: inout Int) -> (number: UInt64, element: Element)? {
        var offset = self.offset(of: unmarkedFrom)
        while offset < entries.count {
            looks += 1
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

    /// Takes out the elements of which something holds.
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

    /// Takes out everything.
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

    /// How many elements and holes have smaller numbers.
    private func offset(of number: UInt64) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[offset: middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Keeps the first entry an element, so that its number is the first one's, and holes fewer than elements.
    private mutating func trim() {
        if count == 0 {
            entries.removeAll(keepingCapacity: entries.count <= 64)
        } else {
            while let first = entries.first, first.element == nil { entries.removeFirst() }
            if entries.count > 2 * count + 64 { entries = CircularBuffer(entries.filter { $0.element != nil }) }
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PriorityHeapTests {
    /// A number that counts how often it is compared.
    private struct Counted: Comparable, Sendable {
        let number: Int
        let comparisons: Counter

        static func == (left: Counted, right: Counted) -> Bool { left.number == right.number }

        static func < (left: Counted, right: Counted) -> Bool {
            left.comparisons.next()
            return left.number < right.number
        }
    }

    @Test("Whoever comes last is compared with one other, however many wait", arguments: [2000, 20_000])
    func inOrder(count: Int) {
        let comparisons = Counter()
        var heap = PriorityHeap<Counted>()
        for number in 0..<count { heap.push(Counted(number: number, comparisons: comparisons)) }
        #expect(comparisons.count == count - 1)
    }

    @Test("In any order, coming and going cost the logarithm of how many wait", arguments: [2000, 20_000])
    func inAnyOrder(count: Int) {
        var random = SeededNumbers(8)
        let (comparisons, depth) = (Counter(), Int.bitWidth - count.leadingZeroBitCount)
        var heap = PriorityHeap<Counted>()
        for number in (0..<count).shuffled(using: &random) {
            heap.push(Counted(number: number, comparisons: comparisons))
        }
        #expect(comparisons.count <= count * depth)
        var order: [Int] = []
        while let next = heap.pop() { order.append(next.number) }
        #expect(order == Array(0..<count))
        #expect(comparisons.count <= 3 * count * depth)
    }
}

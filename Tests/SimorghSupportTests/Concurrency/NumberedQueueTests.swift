// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import TestSupport
import Testing

@Suite("NumberedQueue", .timeLimit(.minutes(5)))
struct NumberedQueueTests {
    @Test("NumberedQueue behaves like an array, in any order of changes", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) async {
        var random = SeededNumbers(seed)
        var queue = NumberedQueue<UInt64>()
        var model: [UInt64] = []
        var drawn: Set<UInt64> = []
        for step in 0..<2_000 {
            if step % 256 == 0 { await Task.yield() }
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                let number = UInt64.random(in: 1...100_000, using: &random)
                guard drawn.insert(number).inserted else { continue }
                queue.append(number * 10, number: number)
                model.append(number)
            case 4..<6:
                let first = queue.popFirst()
                #expect(first == model.first.map { $0 * 10 })
                if !model.isEmpty { model.removeFirst() }
            case 6:
                guard let number = model.randomElement(using: &random) else { continue }
                let removed = queue.remove(number)
                #expect(removed == number * 10)
                model.removeAll { $0 == number }
                let again = queue.remove(number)
                #expect(again == nil)
            default:
                guard step % 100 == 0 else { continue }
                let all = queue.removeAll()
                #expect(all.sorted() == model.map { $0 * 10 }.sorted())
                model = []
            }
            #expect(queue.count == model.count)
            if step % 50 == 0 { #expect(queue.inOrder == model.map { $0 * 10 }) }
        }
    }

    @Test("Elements removed behind remaining ones leave no unbounded storage", arguments: [0, 1, 100] as [UInt64])
    func holes(waiting: UInt64) {
        var queue = NumberedQueue<UInt64>()
        for number in 0..<waiting { queue.append(number, number: number) }
        for number in waiting..<20_000 {
            queue.append(number, number: number)
            let removed = queue.remove(number)
            #expect(removed == number)
        }
        #expect(queue.slots <= 2 * Int(waiting) + 64)
        for number in 0..<waiting {
            let first = queue.popFirst()
            #expect(first == number)
        }
        #expect(queue.isEmpty)
        #expect(queue.slots == 0)
    }
}

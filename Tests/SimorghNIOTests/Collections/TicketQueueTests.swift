// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import TestSupport
import Testing

@Suite("TicketQueue", .timeLimit(.minutes(5)))
struct TicketQueueTests {
    @Test("Random appends, removals and marks: the queue matches an array", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) async {
        var random = SeededNumbers(seed)
        var queue = TicketQueue<UInt64>()
        var model: [UInt64] = []
        var next: UInt64 = 0
        var marked: Set<UInt64> = []
        var visits = 0
        for step in 0..<2_000 {
            if step % 256 == 0 { await Task.yield() }
            switch Int.random(in: 0..<14, using: &random) {
            case 0..<5:
                next += UInt64.random(in: 1...3, using: &random)
                queue.append(next * 10, number: next)
                model.append(next)
            case 5..<7:
                let first = queue.popFirst()
                #expect(first?.number == model.first)
                #expect(first?.element == model.first.map { $0 * 10 })
                if !model.isEmpty { model.removeFirst() }
            case 10..<12:
                if let number = queue.firstUnmarked(visits: &visits)?.number {
                    queue.mark(number)
                    marked.insert(number)
                }
            case 12:
                let number = UInt64.random(in: 0...(next + 1), using: &random)
                queue.mark(number)
                marked.insert(number)
                #expect(queue.isMarked(number) == model.contains(number))
            case 13:
                guard let number = marked.randomElement(using: &random) else { continue }
                queue.unmark(number)
                marked.remove(number)
                #expect(!queue.isMarked(number))
            default:
                let number = UInt64.random(in: 0...(next + 1), using: &random)
                let removed = queue.remove(number)
                #expect(removed == (model.contains(number) ? number * 10 : nil))
                model.removeAll { $0 == number }
            }
            #expect(queue.count == model.count)
            marked.formIntersection(model)
            #expect(queue.firstNumber == model.first)
            #expect(queue.first?.element == model.first.map { $0 * 10 })
            #expect(queue.firstUnmarked(visits: &visits)?.number == model.first { !marked.contains($0) })
        }
    }

    @Test("Finding the first unmarked entry visits each marked entry once, however many there are")
    func marks() {
        var queue = TicketQueue<Int>()
        var visits = 0
        for number in 1...10_000 as ClosedRange<UInt64> {
            queue.append(Int(number), number: number)
            #expect(queue.firstUnmarked(visits: &visits)?.number == number)
            queue.mark(number)
        }
        #expect(visits <= 20_000)
        queue.unmark(5)
        #expect(queue.firstUnmarked(visits: &visits)?.number == 5)
    }

    @Test("Entries appended and removed behind one that stays do not grow the storage")
    func holes() {
        var queue = TicketQueue<Int>()
        queue.append(0, number: 1)
        for number in 2..<20_000 as Range<UInt64> {
            queue.append(Int(number), number: number)
            let removed = queue.remove(number)
            #expect(removed == Int(number))
        }
        #expect(queue.count == 1)
        #expect(queue.entryCount < 200)
    }
}

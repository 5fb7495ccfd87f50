// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import Testing

@Suite("A queue by numbers")
struct TicketQueueTests {
    @Test("It behaves as an array does, whatever is added and taken out", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) async {
        var random = Seeded(seed)
        var queue = TicketQueue<UInt64>()
        var model: [UInt64] = []
        var next: UInt64 = 0
        for step in 0..<2_000 {
            if step % 256 == 0 { await Task.yield() }
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                next += UInt64.random(in: 1...3, using: &random)
                queue.append(next * 10, number: next)
                model.append(next)
            case 5..<7:
                let first = queue.popFirst()
                #expect(first?.number == model.first)
                #expect(first?.element == model.first.map { $0 * 10 })
                if !model.isEmpty { model.removeFirst() }
            default:
                let number = UInt64.random(in: 0...(next + 1), using: &random)
                let removed = queue.remove(number)
                #expect(removed == (model.contains(number) ? number * 10 : nil))
                model.removeAll { $0 == number }
            }
            #expect(queue.count == model.count)
            #expect(queue.firstNumber == model.first)
        }
    }

    @Test("Those who come and go behind one that stays leave nothing behind")
    func holes() {
        var queue = TicketQueue<Int>()
        queue.append(0, number: 1)
        for number in 2..<20_000 as Range<UInt64> {
            queue.append(Int(number), number: number)
            let removed = queue.remove(number)
            #expect(removed == Int(number))
        }
        #expect(queue.count == 1)
        #expect(queue.places < 200)
    }
}

/// A generator whose numbers follow from a seed, so that a failure can be seen again.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import TestSupport
import Testing

@Suite("A line of those who wait for a turn")
struct TurnLineTests {
    @Test("It behaves as an array does, whoever comes, leaves and has a turn", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) async {
        var random = SeededNumbers(seed)
        var line = TurnLine<UInt64>()
        var model: [UInt64] = []
        var drawn: Set<UInt64> = []
        for step in 0..<2_000 {
            if step % 256 == 0 { await Task.yield() }
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                let number = UInt64.random(in: 1...100_000, using: &random)
                guard drawn.insert(number).inserted else { continue }
                line.append(number * 10, number: number)
                model.append(number)
            case 4..<6:
                let first = line.popFirst()
                #expect(first == model.first.map { $0 * 10 })
                if !model.isEmpty { model.removeFirst() }
            case 6:
                guard let number = model.randomElement(using: &random) else { continue }
                let removed = line.remove(number)
                #expect(removed == number * 10)
                model.removeAll { $0 == number }
                let again = line.remove(number)
                #expect(again == nil)
            default:
                guard step % 100 == 0 else { continue }
                let all = line.removeAll()
                #expect(all.sorted() == model.map { $0 * 10 }.sorted())
                model = []
            }
            #expect(line.isEmpty == model.isEmpty)
        }
    }

    @Test("Those who come and go behind some who stay leave nothing behind", arguments: [0, 1, 100] as [UInt64])
    func holes(waiting: UInt64) {
        var line = TurnLine<UInt64>()
        for number in 0..<waiting { line.append(number, number: number) }
        for number in waiting..<20_000 {
            line.append(number, number: number)
            let removed = line.remove(number)
            #expect(removed == number)
        }
        #expect(line.places <= 2 * Int(waiting) + 64)
        for number in 0..<waiting {
            let first = line.popFirst()
            #expect(first == number)
        }
        #expect(line.isEmpty)
        #expect(line.places == 0)
    }
}

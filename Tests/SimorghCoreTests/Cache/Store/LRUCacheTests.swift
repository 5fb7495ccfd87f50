// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import TestSupport
import Testing

@Suite("LRUCache", .timeLimit(.minutes(5)))
struct LRUCacheTests {
    @Test("LRUCache behaves like a plain array", arguments: 0..<20)
    func model(seed: Int) {
        var random = SeededNumbers(UInt64(seed))
        var tested = LRUCache<Int, Int64>()
        var plain: [(key: Int, cost: Int64)] = []
        for _ in 0..<500 {
            let key = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0, 1:
                let cost = Int64.random(in: 0..<100, using: &random)
                tested.insert(key, value: -cost, cost: cost)
                plain.removeAll { $0.key == key }
                plain.append((key, cost))
            case 2:
                #expect(tested.touch(key) == plain.first { $0.key == key }.map { -$0.cost })
                if let index = plain.firstIndex(where: { $0.key == key }) { plain.append(plain.remove(at: index)) }
            case 3:
                #expect(tested.remove(key) == plain.first { $0.key == key }.map { -$0.cost })
                plain.removeAll { $0.key == key }
            case 4:
                let oldest = tested.removeOldest()
                #expect(oldest?.key == plain.first?.key && oldest?.value == plain.first.map { -$0.cost })
                plain = Array(plain.dropFirst())
            case 5:
                let cost = plain.first { $0.key == key }?.cost
                let value = tested.update(key, default: { -1 }) { $0 }
                #expect(value == -(cost ?? 1))
                plain.removeAll { $0.key == key }
                plain.append((key, cost ?? 1))
            default: #expect(tested.cost(of: key) == plain.first { $0.key == key }?.cost)
            }
            #expect(tested.count == plain.count && tested.cost == plain.reduce(0) { $0 + $1.cost })
        }
        while let oldest = tested.removeOldest() { #expect(oldest.key == plain.removeFirst().key) }
        #expect(plain.isEmpty)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import TestSupport
import Testing

@Suite("Keys in the order of their use", .timeLimit(.minutes(5)))
struct LeastRecentTests {
    @Test("It does what a plain array does", arguments: 0..<20)
    func model(seed: Int) {
        var random = SeededNumbers(UInt64(seed))
        var tested = LeastRecent<Int>()
        var plain: [(key: Int, cost: Int64)] = []
        for _ in 0..<500 {
            let key = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let cost = Int64.random(in: 0..<100, using: &random)
                tested.insert(key, cost: cost)
                plain.removeAll { $0.key == key }
                plain.append((key, cost))
            case 2:
                tested.touch(key)
                if let index = plain.firstIndex(where: { $0.key == key }) { plain.append(plain.remove(at: index)) }
            case 3:
                #expect(tested.remove(key) == plain.first { $0.key == key }?.cost)
                plain.removeAll { $0.key == key }
            case 4:
                let oldest = plain.first?.key
                #expect(tested.removeOldest() == oldest)
                plain = Array(plain.dropFirst())
            default: #expect(tested.cost(of: key) == plain.first { $0.key == key }?.cost)
            }
            #expect(tested.count == plain.count && tested.cost == plain.reduce(0) { $0 + $1.cost })
        }
        while let key = tested.removeOldest() { #expect(key == plain.removeFirst().key) }
        #expect(plain.isEmpty)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ByteRangesTests {
    @Test("Random operations: equal to a set of numbers")
    func model() {
        var random = SeededNumbers(8)
        for _ in 0..<300 {
            var ranges = ByteRanges()
            var model = Set<Int64>()
            for _ in 0..<12 {
                let start = Int64.random(in: 0..<40, using: &random)
                let range = start..<start + Int64.random(in: 0..<10, using: &random)
                ranges.insert(range)
                model.formUnion(range)
                if Int.random(in: 0..<10, using: &random) == 0 {
                    let end = Int64.random(in: 0..<50, using: &random)
                    ranges.cut(at: end)
                    model = model.filter { $0 < end }
                }
                #expect(Set(ranges.ranges.flatMap { Array($0) }) == model)
                #expect(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
                #expect(ranges.count == Int64(model.count))
                #expect(ranges.prefix == (0...60).first { !model.contains($0) })
                #expect(Set(ranges.missing(of: 45).flatMap { Array($0) }) == Set(0..<45).subtracting(model))
                #expect(ranges.covers(45) == (model == Set(0..<45)))
                #expect(ByteRanges(ends: ranges.ends) == ranges)
            }
        }
    }

    @Test("Empty ranges cover an empty file")
    func empty() {
        #expect(ByteRanges().covers(0))
        #expect(!ByteRanges().covers(1))
        #expect(ByteRanges().missing(of: 0).isEmpty)
    }

    @Test("Invalid ends are refused", arguments: [[1], [2, 1], [-1, 3], [0, 1, 2]] as [[Int64]])
    func nonsense(ends: [Int64]) { #expect(ByteRanges(ends: ends) == nil) }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import TestSupport
import Testing

@Suite("IntrusiveLists", .timeLimit(.minutes(10)))
struct IntrusiveListsTests {
    @Test("Random appends and removals: each list matches an array", arguments: 1...20 as ClosedRange<UInt64>)
    func model(seed: UInt64) {
        var random = SeededNumbers(seed)
        var lists = IntrusiveLists()
        var ends = [IntrusiveLists.Ends(), IntrusiveLists.Ends(), IntrusiveLists.Ends()]
        var model: [[Int]] = [[], [], []]
        for step in 0..<2_000 {
            let element = Int.random(in: 0..<30, using: &random)
            if let list = model.firstIndex(where: { $0.contains(element) }) {
                lists.remove(element, from: &ends[list])
                model[list].removeAll { $0 == element }
            } else {
                let list = Int.random(in: 0..<3, using: &random)
                lists.append(element, to: &ends[list])
                model[list].append(element)
            }
            for list in 0..<3 {
                guard lists.elements(of: ends[list]) == model[list], ends[list].first == model[list].first,
                    ends[list].last == model[list].last, ends[list].isEmpty == model[list].isEmpty
                else {
                    Issue.record("seed \(seed), step \(step): \(lists.elements(of: ends[list])), not \(model[list])")
                    return
                }
                if let last = model[list].last {
                    #expect(lists.older(than: last) == model[list].dropLast().last)
                    #expect(lists.newer(than: last) == nil)
                }
            }
        }
    }
}

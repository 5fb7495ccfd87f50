// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadOrderTests {
    @Test(
        "Whoever comes and goes in whatever order, those that are left stand as they came",
        arguments: [1, 2, 3, 4, 5] as [UInt64])
    func model(seed: UInt64) {
        var random = SeededNumbers(seed)
        var order = DownloadOrder()
        var model: [(number: Int, id: UUID)] = []
        for number in 0..<500 {
            if Int.random(in: 0..<5, using: &random) < 3 {
                let id = UUID()
                order.append(id, number)
                model.append((number, id))
            } else if let index = model.indices.randomElement(using: &random) {
                // Of one that is gone nothing is left to remove.
                for _ in 0..<2 { order.remove(model[index].number) }
                model.remove(at: index)
            }
            order.remove(number + 1)
            #expect(order.ids == model.map(\.id))
        }
        for (number, _) in model { order.remove(number) }
        #expect(order.ids.isEmpty)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Blocks of fields that have yet to be added to a table, the oldest first; those that the later ones would push out of it
/// again are forgotten, so that no more lies here than the table has room for, and one block more.
struct HTTP2TableDebts {
    private struct Debt {
        let block: ByteBuffer
        /// The least number of bytes that it takes of the table.
        let size: Int
        var times = 1
    }

    private var debts: [Debt] = []
    /// What all of them take.
    private var total = 0

    /// Adds a block.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - size: The least number of bytes that it takes of the table.
    ///   - room: How large the table may be.
    mutating func append(_ block: ByteBuffer, size: Int, room: Int) {
        debts.append(Debt(block: block, size: size))
        total += size
        while let first = debts.first, total - first.size * first.times >= room, debts.count > 1 {
            total -= first.size * first.times
            debts.removeFirst()
        }
    }

    /// Adds the last block once more.
    mutating func repeatLast(room: Int) {
        guard let last = debts.last, last.size * last.times < room + last.size else { return }
        debts[debts.count - 1].times += 1
        total += last.size
    }

    /// Takes out the blocks, in order, each as often as it is owed.
    mutating func removeAll() -> [ByteBuffer] {
        defer { (debts, total) = ([], 0) }
        return debts.flatMap { repeatElement($0.block, count: $0.times) }
    }
}

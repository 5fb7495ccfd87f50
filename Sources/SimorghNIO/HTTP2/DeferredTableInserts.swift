// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Field blocks whose inserts into the dynamic table are deferred, oldest first.
///
/// Blocks that later ones would evict are dropped, so at most the table's size plus one block is kept.
struct DeferredTableInserts {
    private struct Debt {
        let block: ByteBuffer
        /// A lower bound of the bytes that it takes of the table.
        let size: Int
        var times = 1
    }

    private var debts: [Debt] = []
    /// The sum of the sizes.
    private var total = 0

    /// Adds a block.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - size: A lower bound of the bytes that it takes of the table.
    ///   - room: The maximum size of the table.
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

    /// Removes and returns the blocks in order, each as often as it was added.
    mutating func removeAll() -> [ByteBuffer] {
        defer { (debts, total) = ([], 0) }
        return debts.flatMap { repeatElement($0.block, count: $0.times) }
    }
}

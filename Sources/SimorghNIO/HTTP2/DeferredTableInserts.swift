// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Field blocks whose inserts into the dynamic table are deferred, oldest first.
///
/// Blocks that later ones would evict are dropped, so at most the table's size plus one block is kept.
struct DeferredTableInserts {
    private struct Entry {
        let block: ByteBuffer
        /// A lower bound of the bytes that it takes of the table.
        let size: Int
        var times = 1
    }

    private var entries: [Entry] = []
    /// The sum of the sizes.
    private var total = 0

    /// Adds a block.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - size: A lower bound of the bytes that it takes of the table.
    ///   - room: The maximum size of the table.
    mutating func append(_ block: ByteBuffer, size: Int, room: Int) {
        entries.append(Entry(block: block, size: size))
        total += size
        while let first = entries.first, total - first.size * first.times >= room, entries.count > 1 {
            total -= first.size * first.times
            entries.removeFirst()
        }
    }

    /// Adds the last block once more.
    mutating func repeatLast(room: Int) {
        guard let last = entries.last, last.size * last.times < room + last.size else { return }
        entries[entries.count - 1].times += 1
        total += last.size
    }

    /// Removes and returns the blocks in order, each as often as it was added.
    mutating func removeAll() -> [ByteBuffer] {
        defer { (entries, total) = ([], 0) }
        return entries.flatMap { repeatElement($0.block, count: $0.times) }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Pseudo-random bytes that depend only on a seed.
///
/// Any part of them can be generated independently.
package struct SeededBytes: Sendable {
    private static let blockSize = 64 * 1024
    private let block: [UInt8]

    /// Generates the required part of the first block, from which all others are derived.
    package init(seed: UInt64, count: Int = .max) {
        var state = seed
        var block: [UInt8] = []
        let size = min(Self.blockSize, max(0, count))
        block.reserveCapacity(size + 8)
        while block.count < size {
            // SplitMix64: cheap, and random enough that no two positions look alike.
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            word ^= word >> 31
            withUnsafeBytes(of: word.littleEndian) { block.append(contentsOf: $0) }
        }
        self.block = block
    }

    /// Returns the bytes from an offset to the end of its block, or to the given end.
    package func chunk(at offset: Int, upTo end: Int) -> [UInt8] {
        let number = offset / Self.blockSize
        let start = offset % Self.blockSize
        let count = min(min(Self.blockSize, block.count) - start, end - offset)
        guard count > 0 else { return [] }
        var bytes = Array(block[start..<start + count])
        // The first bytes of a block contain its number, so that a lost or repeated block is noticed.
        for index in start..<max(start, min(8, start + count)) {
            bytes[index - start] ^= UInt8(truncatingIfNeeded: number >> (8 * index))
        }
        return bytes
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Writes numbers of any width to bytes, the highest bit first.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var free = 0

    mutating func put(_ value: Int, _ width: Int) {
        for shift in stride(from: width - 1, through: 0, by: -1) {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            free -= 1
            let bit = UInt8((value >> shift) & 1)
            bytes[bytes.count - 1] |= bit << UInt8(free)
        }
    }

    /// Writes a number in the Exponential-Golomb code that H.264 calls `ue(v)`, which is short for small numbers.
    mutating func code(_ value: Int) {
        let next = value + 1
        let width = Int.bitWidth - next.leadingZeroBitCount
        put(next, 2 * width - 1)
    }

    /// Fills the last byte with zeros.
    mutating func align() { free = 0 }

    /// Writes the stop bit of a unit, and fills its last byte.
    mutating func end() {
        put(1, 1)
        align()
    }
}

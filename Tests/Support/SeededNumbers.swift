// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A random number generator that repeats its numbers for a seed, so that a failure can be reproduced.
package struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    /// - Parameter seed: The seed.
    package init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    package mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }

    /// Returns random bytes, eight per number, which is fast without optimization as well.
    ///
    /// - Parameter count: The number of bytes.
    /// - Returns: The bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            var offset = 0
            while offset + 8 <= count {
                buffer.storeBytes(of: next(), toByteOffset: offset, as: UInt64.self)
                offset += 8
            }
            while offset < count {
                buffer.storeBytes(of: UInt8(truncatingIfNeeded: next()), toByteOffset: offset, as: UInt8.self)
                offset += 1
            }
            initialized = count
        }
    }
}

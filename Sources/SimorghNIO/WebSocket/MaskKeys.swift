// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The masks of frames: random, as RFC 6455 wants them, and drawn two at a time.
struct MaskKeys: Sendable {
    private var generator = SystemRandomNumberGenerator()
    private var spare: UInt32?

    mutating func next() -> UInt32 {
        if let spare {
            self.spare = nil
            return spare
        }
        let both = generator.next()
        spare = UInt32(truncatingIfNeeded: both >> 32)
        return UInt32(truncatingIfNeeded: both)
    }
}

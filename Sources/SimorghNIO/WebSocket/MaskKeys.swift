// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The masks of frames: random, as RFC 6455 wants them, and drawn many at a time where each draw is a call of the system.
struct MaskKeys: Sendable {
    private static let drawn = 32

    /// What was drawn, taken from the end.
    private var spares: [UInt32] = []

    mutating func next() -> UInt32 {
        if spares.isEmpty { draw() }
        return spares.popLast() ?? .random(in: .min ... .max)
    }

    private mutating func draw() {
        #if canImport(Glibc) || canImport(Musl)
        var words = [UInt32](repeating: 0, count: Self.drawn)
        let code = words.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
        if code == 0 {
            spares = words
            return
        }
        #endif
        // Elsewhere the generator asks the system once for many.
        var generator = SystemRandomNumberGenerator()
        spares = [generator.next()]
    }
}

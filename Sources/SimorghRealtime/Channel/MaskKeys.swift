// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The random masking keys of frames (RFC 6455), drawn in batches on platforms where each draw is a system call.
package struct MaskKeys: Sendable {
    private static let batchSize = 32

    /// The unused keys, taken from the end.
    private var spares: [UInt32] = []

    package init() {}

    package mutating func next() -> UInt32 {
        if spares.isEmpty { draw() }
        return spares.popLast() ?? .random(in: .min ... .max)
    }

    private mutating func draw() {
        #if canImport(Glibc) || canImport(Musl)
        var words = [UInt32](repeating: 0, count: Self.batchSize)
        let code = words.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
        if code == 0 {
            spares = words
            return
        }
        #endif
        // On other platforms the generator buffers randomness itself.
        var generator = SystemRandomNumberGenerator()
        spares = [generator.next()]
    }
}

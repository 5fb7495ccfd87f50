// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Where steps that scatter their waits take chance from, so that a test knows the outcome.
package struct RandomSource: Sendable {
    /// The system's generator.
    package static let system = RandomSource { Double.random(in: 0..<1) }

    /// Gives a number from 0 up to, and without, 1.
    package let fraction: @Sendable () -> Double

    package init(_ fraction: @escaping @Sendable () -> Double) { self.fraction = fraction }
}

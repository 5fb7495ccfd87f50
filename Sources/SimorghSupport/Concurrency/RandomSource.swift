// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A source of random numbers for jitter, which a test can replace.
package struct RandomSource: Sendable {
    /// The system's random number generator.
    package static let system = RandomSource { Double.random(in: 0..<1) }

    /// Returns a number from 0 up to, but not including, 1.
    package let fraction: @Sendable () -> Double

    package init(_ fraction: @escaping @Sendable () -> Double) { self.fraction = fraction }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// When a request that gets no answer is sent a second time beside the first: the first good answer wins.
///
/// Only for methods that may reach the server twice, without a body or with one that can be sent again. The attempts that
/// lose are cancelled at once. It trades load for the slowest answers: choose a delay that nine in ten answers beat.
public struct Hedging: Sendable, Hashable {
    /// How long an attempt is alone before the next joins it.
    public var delay: Duration
    /// How many attempts may join the first; 1 by default.
    public var maximum: Int

    /// Creates a setting.
    ///
    /// - Parameters:
    ///   - delay: How long an attempt is alone before the next joins it.
    ///   - maximum: How many attempts may join the first.
    public init(after delay: Duration, maximum: Int = 1) {
        self.delay = delay
        self.maximum = maximum
    }
}

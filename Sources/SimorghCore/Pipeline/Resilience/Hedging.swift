// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Settings for hedged requests: a request without a response is sent a second time, and the first good response wins.
///
/// Only idempotent methods are hedged, without a body or with one that can be sent again. The attempts that lose are
/// cancelled at once. Hedging trades load for latency of the slowest responses: choose a delay that 90 % of responses
/// beat.
public struct Hedging: Sendable, Hashable {
    /// The delay before the next attempt is started.
    public var delay: Duration
    /// The maximum number of attempts besides the first.
    ///
    /// Default: 1.
    public var maximum: Int

    /// Creates the settings.
    ///
    /// - Parameters:
    ///   - delay: The delay before the next attempt is started.
    ///   - maximum: The maximum number of attempts besides the first.
    public init(after delay: Duration, maximum: Int = 1) {
        self.delay = delay
        self.maximum = maximum
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A token bucket, which counts in time instead of tokens to avoid rounding errors.
package struct TokenBucket: Sendable, Equatable {
    /// The time after which one token is added.
    package let interval: Duration
    /// The time by which the last token of a full bucket is ahead of the average rate.
    private let tolerance: Duration
    /// The time at which the bucket will be full again.
    private var full: Duration = .zero

    package init(_ limit: RateLimit) {
        let period = max(.nanoseconds(1), min(limit.period, .seconds(31_536_000)))
        interval = max(.nanoseconds(1), period / max(1, limit.requests))
        tolerance = interval * (min(max(1, limit.burst), 1_000_000_000) - 1)
    }

    /// Returns the time until a token is available; zero if one is available now.
    package func wait(now: Duration) -> Duration { max(.zero, full - tolerance - now) }

    /// Takes a token.
    ///
    /// - Returns: True if a token was available.
    package mutating func take(now: Duration) -> Bool {
        guard wait(now: now) == .zero else { return false }
        full = max(full, now) + interval
        return true
    }
}

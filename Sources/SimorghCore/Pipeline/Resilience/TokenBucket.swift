// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Who may go now, and how long the next has to wait: a token bucket, counted in time so that nothing is rounded away.
package struct TokenBucket: Sendable, Equatable {
    /// The time that one token takes to come.
    package let interval: Duration
    /// How far ahead of its time the last token may be.
    private let tolerance: Duration
    /// When the bucket will be full again.
    private var full: Duration = .zero

    package init(_ limit: RateLimit) {
        let period = max(.nanoseconds(1), min(limit.period, .seconds(31_536_000)))
        interval = max(.nanoseconds(1), period / max(1, limit.requests))
        tolerance = interval * (min(max(1, limit.burst), 1_000_000_000) - 1)
    }

    /// How long it takes until there is a token; zero where there is one.
    package func wait(now: Duration) -> Duration { max(.zero, full - tolerance - now) }

    /// Takes a token.
    ///
    /// - Returns: Whether there was one.
    package mutating func take(now: Duration) -> Bool {
        guard wait(now: now) == .zero else { return false }
        full = max(full, now) + interval
        return true
    }
}

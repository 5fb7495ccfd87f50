// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The retry budget of an origin, a token bucket: each request adds a fraction of a token, each retry takes one token.
///
/// Times count from an arbitrary start.
package struct RetryBudget: Sendable, Equatable {
    /// The number of tokens after a period without requests, and at the start.
    package static let floor = 10.0
    /// The maximum number of tokens, which limits a burst of retries after a long period without failures.
    package static let ceiling = 100.0

    /// The number of tokens that one request adds, from 0 to ``ceiling``.
    private let ratio: Double
    private var tokens = Self.floor
    /// The time up to which the tokens of ``floor`` have been added.
    private var lastRefill: Duration

    package init(ratio: Double, now: Duration) {
        self.ratio = ratio > 0 ? min(ratio, Self.ceiling) : 0
        lastRefill = now
    }

    /// Adds the fraction of one request.
    package mutating func requested(now: Duration) {
        refill(now)
        tokens = min(Self.ceiling, tokens + ratio)
    }

    /// Takes one retry from the budget.
    ///
    /// - Returns: True if the budget allowed it.
    package mutating func takeRetry(now: Duration) -> Bool {
        refill(now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Adds one token per second, up to ``floor``.
    private mutating func refill(_ now: Duration) {
        let passed = (now - lastRefill) / .seconds(1)
        lastRefill = max(lastRefill, now)
        if tokens < Self.floor { tokens = min(Self.floor, tokens + max(0, passed)) }
    }
}

/// The retry budgets of all origins.
package final class RetryBudgets: Sendable {
    /// The number of tokens that one request adds.
    private let ratio: Double
    private let stopwatch: Stopwatch
    private let origins = Mutex(OriginLRU<RetryBudget>())

    package init(ratio: Double, time: TimeSource) {
        self.ratio = ratio
        stopwatch = time.stopwatch()
    }

    package func requested(_ origin: String) {
        change(origin) { $0.requested(now: $1) }
    }

    package func takeRetry(_ origin: String) -> Bool {
        change(origin) { $0.takeRetry(now: $1) }
    }

    private func change<Result: Sendable>(_ origin: String, body: @Sendable (inout RetryBudget, Duration) -> Result)
        -> Result
    {
        let now = stopwatch.elapsed
        return origins.withLock { origins in
            origins.update(origin, default: { RetryBudget(ratio: ratio, now: now) }, with: { body(&$0, now) })
        }
    }
}

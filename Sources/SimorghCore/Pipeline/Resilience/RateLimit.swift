// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How many requests a host gets in a time; those above it wait for their turn, the first come first.
///
/// ```swift
/// let polite = client.with { $0.resilience.rateLimit = RateLimit(requests: 10, per: .seconds(1), burst: 20) }
/// ```
/// Every attempt counts, retries with it. A client and its views with the same limit share it.
public struct RateLimit: Sendable, Hashable {
    /// How many requests there may be, over time, in each ``period``; at least 1.
    public var requests: Int
    /// The time over which ``requests`` are counted; more than zero.
    public var period: Duration
    /// How many may be sent at once after a quiet time; at least 1.
    public var burst: Int
    /// How many may wait for their turn at each host; 1,000 by default.
    ///
    /// More fail with ``RateLimitExceeded``.
    public var maximumWaiting = 1000

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - requests: How many requests there may be, over time, in each period; less than 1 is 1.
    ///   - period: The time over which they are counted; one second where it is left out.
    ///   - burst: How many may be sent at once after a quiet time; as many as `requests` where it is `nil`.
    public init(requests: Int, per period: Duration = .seconds(1), burst: Int? = nil) {
        self.requests = requests
        self.period = period
        self.burst = burst ?? requests
    }
}

/// A request was not sent because its turn under a ``RateLimit`` would come too late, or never.
public struct RateLimitExceeded: NonRetriableError, Sendable, Hashable, CustomStringConvertible {
    /// Why it was not sent.
    public enum Reason: Sendable, Hashable {
        /// As many as may wait are waiting.
        case tooManyWaiting
        /// The turn would come after the call's deadline.
        case deadline
    }

    /// The host, with its port.
    public let host: String
    /// Why it was not sent.
    public let reason: Reason

    /// What happened.
    public var description: String {
        switch reason {
        case .tooManyWaiting: "too many requests wait for the rate limit of \(host)"
        case .deadline: "the rate limit of \(host) leaves the request no turn before its deadline"
        }
    }
}

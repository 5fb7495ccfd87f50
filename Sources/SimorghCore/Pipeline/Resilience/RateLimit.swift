// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A limit for the rate of requests to each host; requests above it wait in order of arrival.
///
/// ```swift
/// let polite = client.with { $0.resilience.rateLimit = RateLimit(requests: 10, per: .seconds(1), burst: 20) }
/// ```
/// Every attempt counts, including retries. A client and its views with the same limit share it.
public struct RateLimit: Sendable, Hashable {
    /// The number of requests per ``period``, on average; at least 1.
    public var requests: Int
    /// The time over which ``requests`` are counted; more than zero.
    public var period: Duration
    /// The number of requests that may be sent at once after a quiet period; at least 1.
    public var burst: Int
    /// The maximum number of requests that wait for each host.
    ///
    /// Default: 1,000.
    ///
    /// Requests beyond it fail with ``RateLimitExceededError``.
    public var maximumWaiting = 1000

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - requests: The number of requests per period, on average; values below 1 mean 1.
    ///   - period: The time over which they are counted. Default: one second.
    ///   - burst: The number of requests that may be sent at once after a quiet period; `nil` means `requests`.
    public init(requests: Int, per period: Duration = .seconds(1), burst: Int? = nil) {
        self.requests = requests
        self.period = period
        self.burst = burst ?? requests
    }
}

/// The error of a request that was not sent because a ``RateLimit`` would have delayed it too long.
public struct RateLimitExceededError: NonRetriableError, Sendable, Hashable, CustomStringConvertible {
    /// The reason why the request was not sent.
    public enum Reason: Sendable, Hashable {
        /// The maximum number of requests is waiting.
        case tooManyWaiting
        /// The request would have been sent after the call's deadline.
        case deadline
    }

    /// The host, with its port.
    public let host: String
    /// The reason why the request was not sent.
    public let reason: Reason

    /// A description of the failure.
    public var description: String {
        switch reason {
        case .tooManyWaiting: "too many requests wait for the rate limit of \(host)"
        case .deadline: "the rate limit of \(host) would delay the request past its deadline"
        }
    }
}

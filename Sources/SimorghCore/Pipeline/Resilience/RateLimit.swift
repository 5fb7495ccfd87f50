// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// A limit for the rate of requests to each origin; requests above it wait in order of arrival.
///
/// ```swift
/// let polite = client.with { $0.resilience.rateLimit = RateLimit(requests: 10, per: .seconds(1), burst: 20) }
/// ```
/// Every attempt counts, including retries. A client and its views with the same limit share it. `RateLimit.fromServer`
/// of SimorghREST is the limit that the server states in its responses.
public struct RateLimit: Sendable, Hashable {
    /// The number of requests per ``period``, on average; at least 1.
    public var requests: Int
    /// The time over which ``requests`` are counted; more than zero.
    public var period: Duration
    /// The number of requests that may be sent at once after a quiet period; at least 1.
    public var burst: Int
    /// The maximum number of requests that wait for each origin.
    ///
    /// Default: 1,000.
    ///
    /// Requests beyond it fail with ``RateLimitExceededError``.
    public var maximumWaiting = 1000
    /// The longest wait that a server may ask for, if the limit follows the server.
    ///
    /// Default: one hour.
    ///
    /// After it one request is sent, whatever the server has asked for.
    public var maximumServerWait: Duration = .seconds(3600)
    /// Makes the limiters that follow the server; `nil` if the limit does not.
    package var serverLimiters: ServerLimiterFactory?

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

/// Delays the requests to one origin as its server asks for.
package protocol ServerLimiter: Sendable {
    /// The limits that the server has stated.
    var limits: [ServerRateLimit] { get }

    /// Sends a request as soon as the limits allow it, and applies those of the response.
    func send(_ request: TransportRequest, next: Interceptor.Next) async throws -> TransportResponse
}

/// Makes the limiters of a ``RateLimit`` that follows the server; all values are equal.
package struct ServerLimiterFactory: Sendable, Hashable {
    /// Returns the limiter for a host.
    package let make: @Sendable (_ rule: RateLimit, _ host: String, _ time: TimeSource) -> any ServerLimiter

    package init(
        _ make: @escaping @Sendable (_ rule: RateLimit, _ host: String, _ time: TimeSource) -> any ServerLimiter
    ) { self.make = make }

    package static func == (left: ServerLimiterFactory, right: ServerLimiterFactory) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
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

    package init(host: String, reason: Reason) {
        self.host = host
        self.reason = reason
    }

    /// A description of the failure.
    public var description: String {
        switch reason {
        case .tooManyWaiting: "too many requests wait for the rate limit of \(host)"
        case .deadline: "the rate limit of \(host) would delay the request past its deadline"
        }
    }
}

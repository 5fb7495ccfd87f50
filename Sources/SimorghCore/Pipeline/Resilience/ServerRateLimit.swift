// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A rate limit that a server has stated in a response.
///
/// `RateLimit.fromServer` makes a client follow it, and `APIClient.rateLimits(for:)` returns the current ones.
public struct ServerRateLimit: Sendable, Hashable {
    /// The header fields that state a limit.
    @nonexhaustive
    public enum Source: Sendable, Hashable {
        /// `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
        case rateLimit
        /// `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` of earlier drafts.
        case rateLimitTriple
        /// `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, `X-Rate-Limit-…`, or
        /// `X-RateLimit-…-Requests`.
        case xRateLimit
        /// `Retry-After` of a response with the status 429 or 503.
        case retryAfter
    }

    /// The name of the policy; `nil` if the server states none.
    public var policy: String?
    /// The part of the server's quota that the limit is for (`pk`, `X-RateLimit-Resource`); `nil` for the whole quota.
    ///
    /// For `Retry-After` of a response 503 without such a part, it is the path that is unavailable, such as `/reports`.
    public var partition: String?
    /// The quota for a whole window; `nil` if the server does not state it.
    public var limit: Int?
    /// The remaining quota; without a response it decreases with each request.
    public var remaining: Int
    /// The unit of the quota.
    ///
    /// Only limits in `requests` delay requests.
    public var unit: String
    /// The length of a window; `nil` if the server does not state it.
    public var window: Duration?
    /// The end of the current window, by the clock of this machine; `nil` if the server does not state it.
    public var reset: Date?
    /// The header fields that state the limit.
    public var source: Source

    package init(
        _ source: Source, policy: String? = nil, partition: String? = nil, limit: Int? = nil, remaining: Int,
        unit: String = "requests", window: Duration? = nil, reset: Date? = nil
    ) {
        self.source = source
        self.policy = policy
        self.partition = partition
        self.limit = limit
        self.remaining = remaining
        self.unit = unit
        self.window = window
        self.reset = reset
    }
}

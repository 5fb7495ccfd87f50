// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// Settings of the circuit breaker: requests to an origin that keeps failing fail at once with ``CircuitOpenError``.
///
/// The breaker opens if, within ``window``, there were at least ``failureThreshold`` failures, and they were at least
/// ``failureRatio`` of all attempts. After ``openDuration`` it admits ``probes`` requests: it closes if all of them
/// succeed, and opens again at the first that fails.
///
/// Failures are transport errors and ``failureStatusCodes``. A call that is cancelled, or whose own ``Timeouts/total``
/// passes, does not count; a timeout of a single phase does.
public struct CircuitBreaker: Sendable, Hashable {
    /// The minimum number of failures that opens the breaker.
    ///
    /// Default: 5.
    public var failureThreshold = 5
    /// The minimum share of failed attempts that opens the breaker, from 0 to 1.
    ///
    /// Default: 0.5.
    public var failureRatio = 0.5
    /// The time over which attempts are counted.
    ///
    /// Default: 30 seconds.
    public var window: Duration = .seconds(30)
    /// The time for which the breaker stays open.
    ///
    /// Default: 30 seconds.
    public var openDuration: Duration = .seconds(30)
    /// The number of requests that test the origin before the breaker closes.
    ///
    /// Default: 1.
    public var probes = 1
    /// The status codes that count as failures, besides transport errors.
    ///
    /// Default: 500, 502, 503 and 504.
    public var failureStatusCodes: Set<Int> = [500, 502, 503, 504]

    /// Creates the default settings.
    public init() {}
}

/// The error of a request that was not sent because its origin kept failing; see ``CircuitBreaker``.
public struct CircuitOpenError: NonRetriableError, Sendable, Hashable, CustomStringConvertible {
    /// The origin: scheme, host and port.
    public let origin: String
    /// The date of the next attempt; the current date if other requests are testing the origin.
    public let nextAttempt: Date

    /// A description of the failure.
    public var description: String {
        "circuit breaker open for \(origin) after too many failures; next attempt at \(HTTPDate.text(nextAttempt))"
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// When an origin that keeps failing is left alone for a while: its requests fail at once with ``CircuitOpen``.
///
/// The breaker opens when, within ``window``, there were at least ``failureThreshold`` failures and they were at least
/// ``failureRatio`` of all attempts. After ``openDuration`` it lets ``probes`` requests through to see: it closes when all
/// of them succeed, and opens again at the first that fails.
///
/// Failures are those of the transport and ``failureStatusCodes``. A call that is cancelled, or whose own
/// ``Timeouts/total`` passes, says nothing of the origin; its limits of single phases do.
public struct CircuitBreaker: Sendable, Hashable {
    /// How many failures it takes to open, at least; 5 by default.
    public var failureThreshold = 5
    /// Which part of the attempts has to have failed, from 0 to 1; a half by default.
    public var failureRatio = 0.5
    /// How far back attempts are counted; 30 seconds by default.
    public var window: Duration = .seconds(30)
    /// How long it stays open; 30 seconds by default.
    public var openDuration: Duration = .seconds(30)
    /// How many requests try the origin again before it closes; 1 by default.
    public var probes = 1
    /// The statuses that count as failures, besides failures of the transport; 500, 502, 503 and 504 by default.
    public var failureStatusCodes: Set<Int> = [500, 502, 503, 504]

    /// Creates the default breaker.
    public init() {}
}

/// A request was not sent because its origin kept failing; see ``CircuitBreaker``.
public struct CircuitOpen: NonRetriableError, Sendable, Hashable, CustomStringConvertible {
    /// The origin: scheme, host and port.
    public let origin: String
    /// When a request may be tried again; now, where others are trying it already.
    public let nextAttempt: Date

    /// What happened.
    public var description: String {
        "\(origin) has failed too often; the next request goes there at \(HTTPDate.text(nextAttempt))"
    }
}

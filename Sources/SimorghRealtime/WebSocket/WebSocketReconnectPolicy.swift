// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// Whether and when a connection that was lost is made again.
///
/// The wait before the n-th attempt is ``initialDelay`` times ``multiplier`` to the power of n − 1, at most
/// ``maximumDelay``, and then ``jitter``. What a server asks for with `Retry-After` is kept to, up to an hour. A connection
/// that lasts for ``stableAfter`` begins the count anew.
///
/// What comes back: a connection that was lost, one that the server closed with 1001, 1006, 1011, 1012, 1013, 1014 or a code
/// of an application's own (3001 and up, but 3003), a host that cannot be reached for now, and an answer to the handshake of 408, 425,
/// 429 or 5xx but 501 and 505. What is final: 1000 and a close without a code, which the server meant; 1002, 1003, 1007,
/// 1008, 1009, 1010 and what ``finalCloseCodes`` names; every other answer to the handshake, 401 after one refresh of the
/// token; a certificate that is not trusted; an error that one of your own steps threw.
public struct WebSocketReconnectPolicy: Sendable, Hashable {
    /// How chance changes a wait, so that the clients of a server that went away do not all come back at once.
    public enum Jitter: Sendable, Hashable {
        /// Not at all: each wait is what the policy says.
        case none
        /// Wholly: each wait is anything from nothing up to what the policy says.
        case full
    }

    /// How many attempts in a row may fail before it is given up; 0 for none after the first connection.
    public let maximumAttempts: Int
    /// The wait before the first attempt, in seconds.
    public let initialDelay: TimeInterval
    /// What the wait is multiplied by from attempt to attempt; not less than 1.
    public let multiplier: Double
    /// The longest wait, in seconds; not less than ``initialDelay``.
    public let maximumDelay: TimeInterval
    /// How chance changes each wait.
    public var jitter: Jitter
    /// How long a connection must have lasted for the attempts to be counted anew, in seconds; 10 by default.
    public var stableAfter: TimeInterval = 10
    /// Close codes after which nothing comes back, beside those that never do; none by default.
    public var finalCloseCodes: Set<WebSocketCloseCode> = []

    /// What a connection does unless told otherwise: up to 10 attempts, 1, 2, 4 and so on up to 30 seconds, with full
    /// jitter.
    public static let `default` = WebSocketReconnectPolicy()

    /// Nothing comes back: the first loss is the end.
    public static let none = WebSocketReconnectPolicy(maximumAttempts: 0)

    /// Creates the default policy, which has full jitter.
    public init() {
        self.init(maximumAttempts: 10, jitter: .full)
    }

    /// Creates a policy whose waits are exactly what it says, unless it is given a jitter.
    ///
    /// Values that make no sense become the nearest that do: a negative number of attempts or wait is 0, a multiplier below
    /// 1 is 1, and the longest wait is never less than the first. Give ``Jitter/full`` where many clients use one server.
    ///
    /// - Parameters:
    ///   - maximumAttempts: How many attempts in a row may fail.
    ///   - initialDelay: The wait before the first attempt, in seconds.
    ///   - multiplier: What the wait is multiplied by from attempt to attempt.
    ///   - maximumDelay: The longest wait, in seconds.
    ///   - jitter: How chance changes each wait; not at all by default.
    public init(
        maximumAttempts: Int, initialDelay: TimeInterval = 1, multiplier: Double = 2, maximumDelay: TimeInterval = 30,
        jitter: Jitter = .none
    ) {
        self.maximumAttempts = max(0, maximumAttempts)
        // What is no number compares as false, and so is the least.
        self.initialDelay = initialDelay > 0 ? initialDelay : 0
        self.multiplier = multiplier > 1 ? multiplier : 1
        self.maximumDelay = maximumDelay > self.initialDelay ? maximumDelay : self.initialDelay
        self.jitter = jitter
    }

    /// The wait before an attempt, before chance changes it.
    ///
    /// - Parameter attempt: Which attempt, counted from 1.
    /// - Returns: The wait.
    package func delay(before attempt: Int) -> Duration {
        var seconds = initialDelay
        for _ in 1..<max(1, min(attempt, 1100)) where seconds < maximumDelay { seconds *= multiplier }
        return Duration(clampingSeconds: min(seconds, maximumDelay))
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The policy for reconnecting after a connection was lost.
///
/// The wait before the n-th attempt is ``initialDelay`` × ``multiplier``^(n − 1), limited to ``maximumDelay``, then
/// modified by ``jitter``. A `Retry-After` field of the server is respected up to one hour. A connection that lasts
/// for ``stableAfter`` resets the count of attempts, and attempts without a network do not count
/// (``maximumOfflineWait``).
///
/// These ends lead to a reconnection: a lost connection; a close with 1001, 1006, 1011, 1012, 1013, 1014 or an
/// application's code (3001 and up, except 3003); a host that is temporarily unreachable; and a handshake response of
/// 408, 425, 429 or 5xx except 501 and 505.
///
/// These ends are final: a close with 1000 or without a code, which is intentional; 1002, 1003, 1007, 1008, 1009,
/// 1010 and the codes in ``finalCloseCodes``; any other handshake response, including 401 after one refresh of the
/// token; an untrusted certificate; and an error thrown by an interceptor of the application.
public struct WebSocketReconnectPolicy: Sendable, Hashable {
    /// The randomization of a wait, so that clients do not all reconnect at once after a server outage.
    public enum Jitter: Sendable, Hashable {
        /// Each wait is exactly as the policy says.
        case none
        /// Each wait is random between zero and the wait of the policy.
        case full
    }

    /// The number of attempts in a row that may fail before the connection gives up; 0 disables reconnecting.
    public let maximumAttempts: Int
    /// The wait before the first attempt, in seconds.
    public let initialDelay: TimeInterval
    /// The factor by which the wait grows with each attempt, at least 1.
    public let multiplier: Double
    /// The longest wait, in seconds, at least ``initialDelay``.
    public let maximumDelay: TimeInterval
    /// The randomization of each wait.
    public var jitter: Jitter
    /// The time after which a connection counts as stable and resets the count of attempts, in seconds.
    ///
    /// Default: 10.
    public var stableAfter: TimeInterval = 10
    /// The longest wait for a network, in seconds.
    ///
    /// Default: 3,600, one hour. An attempt to reconnect that fails while the client's
    /// ``/SimorghCore/APIClient/Configuration/networkMonitor`` reports no route does not count, and neither does one that
    /// may not use the current network (``/SimorghCore/APIClient/Configuration/access``). The next one follows as soon as
    /// the network changes, and at the latest after ``maximumDelay``. When the sum of these waits has reached this
    /// limit, such attempts count as well. An attempt that has a network resets the sum.
    ///
    /// Before the first connection has opened, all attempts count, so that a caller that waits for it gets an error. At 0
    /// all attempts count, too, and so do those without a route with a closure that replaces the monitor
    /// (``WebSocketOptions/onNetworkAvailable``).
    public var maximumOfflineWait: TimeInterval = 3600
    /// Additional close codes that are final.
    ///
    /// Default: none.
    public var finalCloseCodes: Set<WebSocketCloseCode> = []

    /// The default policy: up to 10 attempts with waits of 1, 2, 4 and so on up to 30 seconds, and full jitter.
    public static let `default` = WebSocketReconnectPolicy()

    /// A policy that never reconnects.
    public static let none = WebSocketReconnectPolicy(maximumAttempts: 0)

    /// Creates the default policy, which has full jitter.
    public init() {
        self.init(maximumAttempts: 10, jitter: .full)
    }

    /// Creates a policy, by default without jitter.
    ///
    /// Invalid values become the nearest valid ones: a negative number of attempts or delay becomes 0, a multiplier
    /// below 1 becomes 1, and the maximum delay is never less than the initial delay. Use ``Jitter/full`` if many
    /// clients connect to one server.
    ///
    /// - Parameters:
    ///   - maximumAttempts: The number of attempts in a row that may fail.
    ///   - initialDelay: The wait before the first attempt, in seconds.
    ///   - multiplier: The factor by which the wait grows with each attempt.
    ///   - maximumDelay: The longest wait, in seconds.
    ///   - jitter: The randomization of each wait. Default: none.
    public init(
        maximumAttempts: Int, initialDelay: TimeInterval = 1, multiplier: Double = 2, maximumDelay: TimeInterval = 30,
        jitter: Jitter = .none
    ) {
        self.maximumAttempts = max(0, maximumAttempts)
        // NaN compares as false, so it becomes the minimum.
        self.initialDelay = initialDelay > 0 ? initialDelay : 0
        self.multiplier = multiplier > 1 ? multiplier : 1
        self.maximumDelay = maximumDelay > self.initialDelay ? maximumDelay : self.initialDelay
        self.jitter = jitter
    }

    /// Returns the wait before an attempt, without jitter.
    ///
    /// - Parameter attempt: The number of the attempt, counted from 1.
    /// - Returns: The wait.
    package func delay(before attempt: Int) -> Duration {
        var seconds = initialDelay
        for _ in 1..<max(1, min(attempt, 1100)) where seconds < maximumDelay { seconds *= multiplier }
        return Duration(clampingSeconds: min(seconds, maximumDelay))
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

/// A state machine that decides if and when to reconnect.
///
/// A value without a clock.
package struct ReconnectBackoff: Sendable {
    /// The end of a connection or of an attempt to open one.
    package enum Ending: Sendable, Hashable {
        /// An open connection was closed with this code: 1005 for no code, 1006 for a lost connection.
        case closed(WebSocketCloseCode)
        /// The server responded to the upgrade request with another status.
        case refused(status: Int, retryAfter: Duration?)
        /// The server did not respond.
        case failed(isTransient: Bool)
        /// The opening failed because this machine has no network.
        case offline
        /// The opening failed because the request may not use the current network.
        case forbiddenNetwork

        /// True if the attempt had no network that it could use.
        var lacksNetwork: Bool { self == .offline || self == .forbiddenNetwork }
    }

    /// The decision after an end.
    package enum Decision: Sendable, Hashable {
        /// Wait, then try again; attempts are counted from 1.
        case reconnect(attempt: Int, after: Duration)
        /// Stop: the end is final.
        case end
        /// Stop: the maximum number of attempts is reached, or is 0.
        case exhausted
    }

    /// The upper limit for a `Retry-After` of the server.
    package static let maximumRetryAfter = Duration.seconds(3600)

    package let policy: WebSocketReconnectPolicy
    /// The minimum wait per attempt number, even if the network becomes available earlier.
    package static let minimumWaitPerAttempt = Duration.milliseconds(500)

    /// The shortest wait for a network, even if the policy has no delays.
    private static let minimumOfflineWait = Duration.seconds(1)

    /// The number of attempts since the last stable connection; those without a network do not count.
    package private(set) var attempts = 0
    /// The waits for a network since the last attempt that had one.
    private var offlineWait = Duration.zero
    /// The length of the current wait for a network; zero during other waits.
    private var plannedOfflineWait = Duration.zero
    /// True after a connection was open: before that, attempts without a network count.
    private var hasConnected = false
    /// The part of the last wait that applies even if the network becomes available: the server may still be down.
    package private(set) var minimumWait = Duration.zero

    package init(_ policy: WebSocketReconnectPolicy) { self.policy = policy }

    /// Resets the count of attempts, because the caller asked for a connection.
    package mutating func reset() { (attempts, offlineWait) = (0, .zero) }

    /// Handles that a connection is open.
    package mutating func connected() { hasConnected = true }

    /// Handles the end of a wait.
    ///
    /// - Parameter time: The time that passed. Only the planned wait counts: the process may have been suspended.
    package mutating func waited(_ time: Duration) {
        offlineWait += min(max(.zero, time), plannedOfflineWait)
        plannedOfflineWait = .zero
    }

    /// Decides after an end.
    ///
    /// - Parameters:
    ///   - ending: The end.
    ///   - uptime: The time that the connection was open; `nil` for an attempt that failed.
    ///   - fraction: The random fraction for jitter, from 0 up to 1.
    /// - Returns: The decision.
    package mutating func after(_ ending: Ending, uptime: Duration? = nil, fraction: Double) -> Decision {
        guard shouldReconnect(ending) else { return .end }
        plannedOfflineWait = .zero
        if !ending.lacksNetwork {
            offlineWait = .zero
        } else if let decision = waitForNetwork(fraction: fraction) {
            return decision
        }
        if let uptime, uptime >= Duration(clampingSeconds: policy.stableAfter) { attempts = 0 }
        guard attempts < policy.maximumAttempts else { return .exhausted }
        attempts += 1
        var delay = policy.delay(before: attempts)
        minimumWait = min(delay, Self.minimumWaitPerAttempt * attempts)
        if policy.jitter == .full {
            delay = delay * min(1, max(0, fraction))
            minimumWait = min(delay, minimumWait * (0.5 + 0.5 * min(1, max(0, fraction))))
        }
        // Never less than the server's Retry-After, regardless of jitter.
        if case .refused(_, let retryAfter?) = ending {
            delay = max(delay, min(retryAfter, Self.maximumRetryAfter))
            minimumWait = max(minimumWait, min(retryAfter, Self.maximumRetryAfter))
        }
        return .reconnect(attempt: attempts, after: delay)
    }

    /// Returns the wait for a network, which does not count as an attempt; `nil` if such attempts count.
    ///
    /// The sum of the waits is limited, and not the time since the first one, in which the process may be suspended.
    /// A caller that waits for its first connection gets an error much earlier than that.
    private mutating func waitForNetwork(fraction: Double) -> Decision? {
        let left = Duration(clampingSeconds: policy.maximumOfflineWait) - offlineWait
        guard hasConnected, policy.maximumAttempts > 0, left > .zero else { return nil }
        // The return of the network usually ends the wait. The attempt at its end detects a wrong status.
        let delay = max(min(Duration(clampingSeconds: policy.maximumDelay), left), Self.minimumOfflineWait)
        plannedOfflineWait = delay
        minimumWait = min(delay, Self.minimumWaitPerAttempt)
        if policy.jitter == .full { minimumWait = minimumWait * (0.5 + 0.5 * min(1, max(0, fraction))) }
        return .reconnect(attempt: max(1, attempts), after: delay)
    }

    private func shouldReconnect(_ ending: Ending) -> Bool {
        switch ending {
        case .closed(let code): !policy.finalCloseCodes.contains(code) && Self.shouldReconnect(code)
        case .refused(let status, _): Self.shouldReconnect(fromStatus: status)
        case .failed(let isTransient): isTransient
        case .offline, .forbiddenNetwork: true
        }
    }

    /// Returns true if a later attempt may succeed after a response with this status.
    package static func shouldReconnect(fromStatus status: Int) -> Bool {
        [408, 425, 429].contains(status) || (500...599).contains(status) && status != 501 && status != 505
    }

    private static func shouldReconnect(_ code: WebSocketCloseCode) -> Bool {
        switch code.rawValue {
        case 1001, 1006, 1011, 1012, 1013, 1014: true
        // 3000 and 3003 are registered with the meaning of HTTP 401 and 403.
        default: code.rawValue > 3000 && code.rawValue != 3003
        }
    }
}

extension ReconnectBackoff.Ending {
    /// Creates the ending for an opening that failed.
    ///
    /// The status and `Retry-After` of the response count, whatever error the client makes of a refusal.
    /// ``ReconnectWait`` confirms an ending without a network.
    ///
    /// - Parameters:
    ///   - error: The error of the opening.
    ///   - now: The current time, for a date in `Retry-After`.
    package init(opening error: NetworkError, now: Date) {
        if let refresh = error.underlyingError as? TokenRefreshError {
            // The 401 that triggered the token refresh is not the cause of the failure; the refresh itself is.
            if let cause = refresh.underlying as? NetworkError {
                self.init(opening: cause, now: now)
            } else {
                self = .failed(isTransient: error.isTransient)
            }
        } else if let response = error.response {
            let wait = response.headers[.retryAfter].flatMap { RetryAfter.delay($0, now: now) }
            self = .refused(status: response.statusCode, retryAfter: wait)
        } else if error.isWithoutNetwork {
            self = error.isForbiddenNetwork ? .forbiddenNetwork : .offline
        } else {
            self = .failed(isTransient: error.isTransient)
        }
    }
}

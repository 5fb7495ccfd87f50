// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Whether a connection comes back, and how long that waits: a value without a clock.
package struct ReconnectMachine: Sendable {
    /// How a connection, or the attempt at one, ended.
    package enum Ending: Sendable, Hashable {
        /// It stood, and was closed with this code: 1005 for none, 1006 for a loss.
        case closed(WebSocketCloseCode)
        /// The server answered with something else than the upgrade.
        case refused(status: Int, retryAfter: Duration?)
        /// There was no answer.
        case failed(mayPass: Bool)
    }

    /// What to do then.
    package enum Verdict: Sendable, Hashable {
        /// Wait, then try again; attempts are counted from 1.
        case reconnect(attempt: Int, after: Duration)
        /// It is over: such an end is meant.
        case end
        /// It is over: there were as many attempts as there may be, or there may be none.
        case exhausted
    }

    /// What a server may ask for is kept to up to here.
    package static let longestRetryAfter = Duration.seconds(3600)

    package let policy: WebSocketReconnectPolicy
    /// So long, times the number of the attempt, is waited for in any case, however early a path returns.
    package static let shortestWait = Duration.milliseconds(500)

    /// How many attempts there were since the last connection that was stable.
    package private(set) var attempts = 0
    /// How much of the last wait must be waited for even where a path returns: a way to the network is none to a server that
    /// is down.
    package private(set) var earliest = Duration.zero

    package init(_ policy: WebSocketReconnectPolicy) { self.policy = policy }

    /// Counts attempts anew: somebody wants the connection now.
    package mutating func reset() { attempts = 0 }

    /// What to do after an end.
    ///
    /// - Parameters:
    ///   - ending: How it ended.
    ///   - uptime: How long the connection had stood; `nil` for an attempt that gave none.
    ///   - fraction: Chance, from 0 up to 1.
    /// - Returns: The verdict.
    package mutating func after(_ ending: Ending, uptime: Duration? = nil, fraction: Double) -> Verdict {
        guard comesBack(ending) else { return .end }
        if let uptime, uptime >= Duration(clampingSeconds: policy.stableAfter) { attempts = 0 }
        guard attempts < policy.maximumAttempts else { return .exhausted }
        attempts += 1
        var delay = policy.delay(before: attempts)
        earliest = min(delay, Self.shortestWait * attempts)
        if policy.jitter == .full {
            delay = delay * min(1, max(0, fraction))
            earliest = min(delay, earliest * (0.5 + 0.5 * min(1, max(0, fraction))))
        }
        // Not less than what the server asked for, whatever chance says.
        if case .refused(_, let wish?) = ending {
            delay = max(delay, min(wish, Self.longestRetryAfter))
            earliest = max(earliest, min(wish, Self.longestRetryAfter))
        }
        return .reconnect(attempt: attempts, after: delay)
    }

    private func comesBack(_ ending: Ending) -> Bool {
        switch ending {
        case .closed(let code): !policy.finalCloseCodes.contains(code) && Self.comesBack(code)
        case .refused(let status, _): Self.comesBack(fromStatus: status)
        case .failed(let mayPass): mayPass
        }
    }

    /// Whether a server that answered so may answer otherwise later.
    package static func comesBack(fromStatus status: Int) -> Bool {
        [408, 425, 429].contains(status) || (500...599).contains(status) && status != 501 && status != 505
    }

    private static func comesBack(_ code: WebSocketCloseCode) -> Bool {
        switch code.rawValue {
        case 1001, 1006, 1011, 1012, 1013, 1014: true
        // 3000 and 3003 are registered as what 401 and 403 are.
        default: code.rawValue > 3000 && code.rawValue != 3003
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime

/// The time limits.
extension SessionWebSocketStateMachine {
    /// The delay of a check after which the process counts as suspended meanwhile, and the time that the session then
    /// has to deliver what arrived.
    private static let suspensionPatience = Duration.seconds(1)

    /// The time at which ``timeAdvanced(to:)`` has something to do; `nil` if never.
    package var deadline: Duration? {
        // During the grace after a suspension, nothing expires.
        due.map { max($0, graceEnd ?? $0) }
    }

    /// The time at which the next limit is reached; `nil` without a limit.
    private var due: Duration? {
        var deadlines: [Duration?] = []
        switch phase {
        case .opening: deadlines = [timeouts.head, timeouts.total]
        case .expiring(_, let deadline): return deadline
        case .open: deadlines = [livenessDeadline]
        case .losing(_, let deadline), .closing(_, _, _, let deadline): deadlines = [deadline]
        case .draining: deadlines = [drainDeadline]
        case .ended, .failed: return lingerDeadline
        }
        deadlines.append(pings.first { $0.id != nil }.map { $0.sent + options.pongTimeout })
        return deadlines.compactMap(\.self).min()
    }

    /// Handles the passing of time.
    ///
    /// A check that comes much later than it was due expires nothing yet: the process was suspended, and a pong or the
    /// response of the server may have arrived. That holds once, because on a busy machine every check may be late.
    ///
    /// - Parameter now: The current time.
    /// - Returns: The actions.
    package mutating func timeAdvanced(to now: Duration) -> [Action] {
        if let graceEnd, now < graceEnd, canHaveGrace { return [] }
        if let deadline, now >= deadline {
            let isLate = now - deadline > Self.suspensionPatience
            if isLate, graceEnd == nil, canHaveGrace {
                graceEnd = now + Self.suspensionPatience
                return []
            }
            if !isLate { graceEnd = nil }
        }
        let late = expirePings(at: now)
        switch phase {
        case .opening:
            for (name, limit) in [(TransportError.Phase.head, timeouts.head), (.total, timeouts.total)] {
                guard let limit, now >= limit else { continue }
                return expireOpening(.timedOut(name, after: limit, requestMayHaveBeenSent: true), at: now)
            }
            return []
        case .expiring(let error, let deadline): return now >= deadline ? failOpening(error) : []
        case .open: return late + checkLiveness(at: now)
        case .losing(let error, let deadline): return late + (now >= deadline ? end(Self.closure(error)) : [])
        case .draining(let closure):
            guard let drainDeadline, now >= drainDeadline else { return late }
            return late + end(closure, at: now)
        case .closing(let code, let reason, _, let deadline):
            guard now >= deadline else { return late }
            return late
                + end(
                    WebSocketCloseInfo(
                        code: code, reason: reason, isClean: false, initiator: .local,
                        failure: WebSocketError(
                            .closeTimedOut, message: "no close frame from the server within closeTimeout",
                            closeCode: code)))
        case .ended, .failed:
            guard let lingerDeadline, now >= lingerDeadline else { return [] }
            self.lingerDeadline = nil
            return [.cancelTask]
        }
    }

    /// True if a callback of the task may be on its way that the limits wait for.
    private var canHaveGrace: Bool {
        switch phase {
        case .opening, .open: true
        case .expiring, .losing, .draining, .closing, .ended, .failed: false
        }
    }

    /// Handles the session's report that the opening waits for the network, as a configuration of the user may want it.
    ///
    /// The connection that reconnects waits for the network itself, and does not count these attempts.
    package mutating func waitsForConnectivity() -> [Action] {
        guard case .opening = phase else { return [] }
        return failOpening(
            TransportError(
                .notConnectedToInternet, phase: .connect, message: "there is no network for the connection",
                requestMayHaveBeenSent: false))
    }
}

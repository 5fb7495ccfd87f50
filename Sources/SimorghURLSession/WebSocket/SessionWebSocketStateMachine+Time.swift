// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime

/// The time limits.
extension SessionWebSocketStateMachine {
    /// The time at which ``timeAdvanced(to:)`` has something to do; `nil` if never.
    package var deadline: Duration? {
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
    /// - Parameter now: The current time.
    /// - Returns: The actions.
    package mutating func timeAdvanced(to now: Duration) -> [Action] {
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
}

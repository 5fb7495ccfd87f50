// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
package import SimorghSupport

/// How a connection ended, or did not come about.
package struct HubLoss: Sendable {
    /// Why, as subscribers hear of it.
    package var error: SubscriptionError
    /// What the protocol says about it; `nil` leaves it to the policy.
    package var verdict: SubscriptionVerdict?
    /// What the policy judges.
    package var ending: ReconnectMachine.Ending
    /// A Boolean value that indicates whether fresh credentials may help, as the protocol says.
    package var mayHaveExpired: Bool

    package init(
        _ error: SubscriptionError, verdict: SubscriptionVerdict? = nil, ending: ReconnectMachine.Ending? = nil,
        mayHaveExpired: Bool = false
    ) {
        self.error = error
        self.verdict = verdict
        self.mayHaveExpired = mayHaveExpired
        self.ending = ending ?? error.closure.map { .closed($0.code) } ?? .failed(mayPass: true)
    }

    /// The loss for a connection that did not come about.
    package init(dialing error: any Error, now: Date) {
        guard let error = error as? NetworkError else {
            self.init(
                SubscriptionError(.connectionFailed, causedBy: error, "no connection came about"), verdict: .giveUp)
            return
        }
        let code: SubscriptionError.Code =
            if case .invalidRequest = error { .invalidRequest } else { .connectionFailed }
        self.init(
            SubscriptionError(code, "\(error)", underlying: error),
            ending: ReconnectMachine.Ending(opening: error, now: now))
    }

    /// The loss for a connection that could not be described: its token was not to be had, say.
    package init(describing error: any Error, now: Date) {
        let ending = Self.ending(error, now: now)
        self.init(
            SubscriptionError(
                ending == nil ? .invalidRequest : .connectionFailed, causedBy: error,
                "the connection could not be described"),
            verdict: ending == nil ? .giveUp : nil, ending: ending)
    }

    /// Whether another attempt may fare better than one that ended in an error of the network, or in one like it.
    package static func mayPass(_ error: any Error) -> Bool {
        switch ending(error, now: Date(timeIntervalSince1970: 0)) {
        case .refused(let status, _): ReconnectMachine.comesBack(fromStatus: status)
        case .failed(let mayPass): mayPass
        case .closed: true
        case nil: false
        }
    }

    /// What the policy judges in an error that anybody may have thrown; `nil` for one that nothing is known of.
    private static func ending(_ error: any Error, now: Date) -> ReconnectMachine.Ending? {
        switch error {
        case let error as NetworkError: ReconnectMachine.Ending(opening: error, now: now)
        case let error as TransportError: .failed(mayPass: TransportError.Code.passing.contains(error.code))
        case let error as TokenRefreshFailure: ending(error.underlying, now: now)
        case let error as WebSocketError:
            error.underlying.flatMap { ending($0, now: now) } ?? .failed(mayPass: error.code == .connectionLost)
        case let error as SubscriptionError:
            .failed(mayPass: [.timedOut, .connectionFailed, .connectionLost].contains(error.code))
        default: nil
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghNetwork
package import SimorghSupport

/// The end of a connection or of an attempt to connect.
package struct ConnectionLoss: Sendable {
    /// The error for the subscribers.
    package var error: SubscriptionError
    /// The decision of the protocol; `nil` applies the reconnect policy.
    package var decision: ReconnectDecision?
    /// The end, as input for the reconnect policy.
    package var ending: ReconnectBackoff.Ending
    /// True if the protocol says that fresh credentials may help.
    package var mayHaveExpired: Bool

    package init(
        _ error: SubscriptionError, decision: ReconnectDecision? = nil, ending: ReconnectBackoff.Ending? = nil,
        mayHaveExpired: Bool = false
    ) {
        self.error = error
        self.decision = decision
        self.mayHaveExpired = mayHaveExpired
        self.ending = ending ?? error.closure.map { .closed($0.code) } ?? .failed(isTransient: true)
    }

    /// Creates the loss for a connection that could not be opened.
    package init(dialing error: any Error, now: Date) {
        guard let error = error as? NetworkError else {
            self.init(
                SubscriptionError(.connectionFailed, causedBy: error, message: "the connection could not be opened"),
                decision: .giveUp)
            return
        }
        let code: SubscriptionError.Code =
            if case .invalidRequest = error { .invalidRequest } else { .connectionFailed }
        self.init(
            SubscriptionError(code, message: "\(error)", underlying: error),
            ending: ReconnectBackoff.Ending(opening: error, now: now))
    }

    /// Creates the loss for a connection whose description failed, for example because no token was available.
    package init(describing error: any Error, now: Date) {
        let ending = Self.ending(error, now: now)
        self.init(
            SubscriptionError(
                ending == nil ? .invalidRequest : .connectionFailed, causedBy: error,
                message: "SubscriptionProtocol.opening(attempt:) failed"),
            decision: ending == nil ? .giveUp : nil, ending: ending)
    }

    /// Returns true if the error is transient, so that another attempt may succeed.
    package static func isTransient(_ error: any Error) -> Bool {
        switch ending(error, now: Date(timeIntervalSince1970: 0)) {
        case .refused(let status, _): ReconnectBackoff.shouldReconnect(fromStatus: status)
        case .failed(let isTransient): isTransient
        case .closed, .offline, .forbiddenNetwork: true
        case nil: false
        }
    }

    /// Returns the input for the reconnect policy for any error; `nil` if the error is not of a known type.
    private static func ending(_ error: any Error, now: Date) -> ReconnectBackoff.Ending? {
        switch error {
        case let error as NetworkError: ReconnectBackoff.Ending(opening: error, now: now)
        case let error as TransportError where error.code == .notConnectedToInternet:
            error.underlying is NetworkAccessError ? .forbiddenNetwork : .offline
        case let error as TransportError: .failed(isTransient: TransportError.Code.transient.contains(error.code))
        case let error as TokenRefreshError: ending(error.underlying, now: now)
        case let error as WebSocketError:
            error.underlying.flatMap { ending($0, now: now) } ?? .failed(isTransient: error.code == .connectionLost)
        case let error as SubscriptionError:
            .failed(isTransient: [.timedOut, .connectionFailed, .connectionLost].contains(error.code))
        default: nil
        }
    }
}

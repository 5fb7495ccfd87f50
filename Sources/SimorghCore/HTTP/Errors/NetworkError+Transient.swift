// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension NetworkError {
    /// Returns true if an event stream may reconnect after this error, because its cause may be transient.
    ///
    /// Covers more errors than ``isRetryable``: a stream has time, so the underlying errors are examined, too.
    ///
    /// - Parameter hasOpened: True if the stream had begun.
    /// - Returns: True if the next connection may succeed.
    func isTransient(hasOpened: Bool) -> Bool {
        switch self {
        case .cancelled, .invalidRequest: false
        case .urlError(let error): error.isTransient(hasOpened: hasOpened)
        case .responseError(let failure) where failure.response == nil:
            Self.isTransient(failure.underlying, hasOpened: hasOpened)
        // The status decides, regardless of how the client reports the response.
        default: statusCode.map(StatusCodeSet.transient.contains) ?? false
        }
    }

    /// True if there is no network; a network monitor can confirm it.
    package var isWithoutNetwork: Bool {
        if case .urlError(let error) = self { error.code == .notConnectedToInternet } else { false }
    }

    /// True if the request may not use the current network.
    package var isForbiddenNetwork: Bool {
        if case .urlError(let error) = self { error.underlying is NetworkAccessError } else { false }
    }

    /// Returns the shortest time to wait before the next request to the server.
    ///
    /// - Parameter date: The current time.
    /// - Returns: The delay that `Retry-After` asks for, or the time until a circuit breaker lets a request through.
    func minimumWait(now date: Date) -> Duration? {
        if let value = response?.headers[.retryAfter] { return RetryAfter.delay(value, now: date) }
        if let refresh = underlyingError as? TokenRefreshError {
            return (refresh.underlying as? NetworkError)?.minimumWait(now: date)
        }
        guard let circuit = underlyingError as? CircuitOpenError else { return nil }
        return .seconds(max(0, circuit.nextAttempt.timeIntervalSince(date)))
    }

    private static func isTransient(_ error: any Error, hasOpened: Bool) -> Bool {
        switch error {
        case let error as NetworkError: error.isTransient(hasOpened: hasOpened)
        case let error as TransportError: error.isTransient(hasOpened: hasOpened)
        case let error as TokenRefreshError: isTransient(error.underlying, hasOpened: false)
        case is CircuitOpenError: true
        default: false
        }
    }
}

extension TransportError {
    fileprivate func isTransient(hasOpened: Bool) -> Bool {
        Code.transient.contains(code) || tlsFailure == .brokenByPeer
            // The response of an intermediary that answers while the server restarts.
            || !hasOpened && code == .badServerResponse
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension NetworkError {
    /// Whether a feed may hope to find what a connection failed or ended in gone at the next one.
    ///
    /// More than ``isRetryable``: a feed has time, so it looks at what is below an error, too.
    ///
    /// - Parameter hasOpened: Whether the stream had begun.
    /// - Returns: Whether it may hope.
    func mayPass(hasOpened: Bool) -> Bool {
        switch self {
        case .cancelled, .invalidRequest: false
        case .urlError(let error): error.mayPass(hasOpened: hasOpened)
        case .responseError(let failure) where failure.response == nil:
            Self.mayPass(failure.underlying, hasOpened: hasOpened)
        // Whatever the client makes of a refusal, its status says what it is.
        default: statusCode.map(StatusCodeSet.passing.contains) ?? false
        }
    }

    /// How long to leave the server alone at least.
    ///
    /// - Parameter date: The time.
    /// - Returns: What its `Retry-After` asks for, or what is left until a circuit breaker lets a request through.
    func shortestWait(now date: Date) -> Duration? {
        if let value = response?.headers[.retryAfter] { return RetryAfter.delay(value, now: date) }
        if let refresh = underlyingError as? TokenRefreshFailure {
            return (refresh.underlying as? NetworkError)?.shortestWait(now: date)
        }
        guard let circuit = underlyingError as? CircuitOpen else { return nil }
        return .seconds(max(0, circuit.nextAttempt.timeIntervalSince(date)))
    }

    private static func mayPass(_ error: any Error, hasOpened: Bool) -> Bool {
        switch error {
        case let error as NetworkError: error.mayPass(hasOpened: hasOpened)
        case let error as TransportError: error.mayPass(hasOpened: hasOpened)
        case let error as TokenRefreshFailure: mayPass(error.underlying, hasOpened: false)
        case is CircuitOpen: true
        default: false
        }
    }
}

extension TransportError {
    fileprivate func mayPass(hasOpened: Bool) -> Bool {
        Code.passing.contains(code) || tlsFailure == .brokenByPeer
            // Of whoever answers in the place of a server that is being restarted.
            || !hasOpened && code == .badServerResponse
    }
}

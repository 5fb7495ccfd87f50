// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// What one attempt ended with, where another might do better.
package enum RetryFailure: Sendable, CustomStringConvertible {
    case status(TransportResponse)
    case transport(TransportError)
    case other(any Error)

    /// The failure of a response; `nil` for one that is none.
    package init?(_ response: TransportResponse) {
        guard response.head.status.code >= 400 else { return nil }
        self = .status(response)
    }

    /// The failure of an error; `nil` for one after which nothing is sent again.
    package init?(_ error: any Error) {
        switch error {
        case is CancellationError, is any NonRetriableError: return nil
        case let error as TransportError:
            guard error.code != .cancelled, !(error.underlying is any NonRetriableError) else { return nil }
            self = .transport(error)
        case let error as NetworkError:
            guard !error.isCancelled, !(error.underlyingError is any NonRetriableError) else { return nil }
            guard case .urlError(let cause) = error else {
                self = .other(error)
                return
            }
            guard !(cause.underlying is any NonRetriableError) else { return nil }
            self = .transport(cause)
        default: self = .other(error)
        }
    }

    package var description: String {
        switch self {
        case .status(let response): "status \(response.head.status.code)"
        case .transport(let error): "\(error.code) in the \(error.phase.rawValue) phase"
        case .other(let error): "\(type(of: error))"
        }
    }

    /// Whether sending the request again cannot do its work twice.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - policy: Says which methods may reach a server twice.
    ///   - isAlone: Whether no other request was sent on its behalf before the one that failed: a redirect's target may be
    ///     out of reach after the request itself has done its work.
    ///   - isAnswered: Whether a transport had an answer to it, whatever a step made of that.
    /// - Returns: Whether it is safe.
    package func isSafe(
        _ request: TransportRequest, by policy: RetryPolicy, isAlone: Bool, isAnswered: Bool
    ) -> Bool {
        if policy.retryableMethods.contains(RequestMethod(rawValue: request.head.method.rawValue)) { return true }
        if request.head.headerFields.has(.idempotencyKey) { return true }
        guard isAlone else { return false }
        return switch self {
        case .status(let response): TransportResponse.turnsAway.contains(response.head.status.code)
        // A head or a body that broke off is an answer, whatever the transport says of the request.
        case .transport(let error):
            !isAnswered && !error.requestMayHaveBeenSent && error.phase != .head && error.phase != .body
        case .other: false
        }
    }

    /// Whether it is of a kind that may pass.
    package func mayPass(by policy: RetryPolicy) -> Bool {
        switch self {
        case .status(let response): policy.retryableStatusCodes.contains(response.head.status.code)
        case .transport(let error): policy.retryableTransportCodes.contains(error.code)
        case .other: false
        }
    }

    /// How long the server wants to be left alone.
    package func serverDelay(now: Date) -> Duration? {
        guard case .status(let response) = self, let value = response.head.headerFields[.retryAfter] else { return nil }
        return RetryAfter.delay(value, now: now)
    }

    /// The error as users know it.
    package func error(of request: TransportRequest, attempts: Int) -> NetworkError {
        let (method, url) = (request.head.method.rawValue, request.shownURL)
        switch self {
        case .status(let response):
            let body = response.body.collectedBytes ?? Data()
            return .customError(
                response.head.status.code, CollectedResponse(response, body: body, to: request.shownHead))
        case .transport(var error):
            error.url = request.shown(error.url)
            return NetworkError(error, method: method, url: url, limit: 0, attempts: attempts)
        case .other(let error):
            return NetworkError(error, method: method, url: url, limit: 0, attempts: attempts)
        }
    }
}

extension HTTPField.Name {
    /// Names a request, so that a server can tell a repeated one from a new one.
    package static let idempotencyKey: HTTPField.Name = {
        guard let name = HTTPField.Name("Idempotency-Key") else { preconditionFailure("the name is a token") }
        return name
    }()
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// A failed attempt that a retry might repair.
package enum RetryFailure: Sendable, CustomStringConvertible {
    case status(TransportResponse)
    case transport(TransportError)
    case other(any Error)

    /// Creates the failure of a response; `nil` if its status code is below 400.
    package init?(_ response: TransportResponse) {
        guard response.head.status.code >= 400 else { return nil }
        self = .status(response)
    }

    /// Creates the failure of an error; `nil` for an error that is never retried.
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

    /// Returns true if the server cannot process the request twice when it is sent again.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - policy: The policy, which names the methods that may reach a server twice.
    ///   - isAlone: True if no other request was sent on its behalf before the one that failed: a redirect's target may
    ///     be unreachable after the original request has been processed.
    ///   - isAnswered: True if a transport received a response to it, even if a step turned that into an error.
    /// - Returns: True if a retry is safe.
    package func isSafe(
        _ request: TransportRequest, by policy: RetryPolicy, isAlone: Bool, isAnswered: Bool
    ) -> Bool {
        if policy.retryableMethods.contains(RequestMethod(rawValue: request.head.method.rawValue)) { return true }
        if request.isProtectedByKey { return true }
        guard isAlone else { return false }
        return switch self {
        case .status(let response): TransportResponse.rejectedBeforeProcessing.contains(response.head.status.code)
        // An incomplete response head or body is a response, even if the transport reports that nothing was sent.
        case .transport(let error):
            !isAnswered && !error.requestMayHaveBeenSent && error.phase != .head && error.phase != .body
        case .other: false
        }
    }

    /// Returns true if the failure is transient by the policy.
    package func isTransient(by policy: RetryPolicy) -> Bool {
        switch self {
        case .status(let response): policy.retryableStatusCodes.contains(response.head.status.code)
        case .transport(let error): policy.retryableTransportCodes.contains(error.code)
        case .other: false
        }
    }

    /// True if the server responds with 409.
    var isConflict: Bool {
        guard case .status(let response) = self else { return false }
        return response.head.status == .conflict
    }

    /// Returns the wait that the server requests.
    package func serverDelay(now: Date) -> Duration? {
        guard case .status(let response) = self, let value = response.head.headerFields[.retryAfter] else { return nil }
        return RetryAfter.delay(value, now: now)
    }

    /// Returns the failure as a ``NetworkError``.
    package func error(of request: TransportRequest, attempts: Int) -> NetworkError {
        let (method, url) = (request.head.method.rawValue, request.shownURL)
        switch self {
        case .status(let response):
            let body = response.body.collectedBytes ?? Data()
            let codecs = request.options.call?.codecs
            return .customError(
                response.head.status.code,
                CollectedResponse(response, body: body, to: request.shownHead, codecs: codecs))
        case .transport(var error):
            error.url = request.shown(error.url)
            return NetworkError(error, method: method, url: url, limit: 0, attempts: attempts)
        case .other(let error):
            return NetworkError(error, method: method, url: url, limit: 0, attempts: attempts)
        }
    }
}

extension HTTPField.Name {
    /// The field that identifies a request, so that the server can detect a repeated one.
    package static let idempotencyKey: HTTPField.Name = {
        guard let name = HTTPField.Name("Idempotency-Key") else { preconditionFailure("the name is a token") }
        return name
    }()
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The error of a call that returned no value.
///
/// Calls throw this type; calls that decode error bodies into a type of their own wrap it in `APIClientError`. Each
/// case states where the call failed; ``context`` has the request, ``response`` the server's response,
/// ``underlyingError`` the cause.
@nonexhaustive
public enum NetworkError: Error, Sendable {
    /// The cause is not known.
    case unknown
    /// No usable response arrived: a failure of name resolution, connection or TLS, a timeout, or malformed bytes.
    case urlError(TransportError)
    /// A response arrived whose body could not be decoded.
    case decodingError(ResponseDecodingError)
    /// The server responded with a status that is not accepted: the status, and the response with its truncated body.
    case customError(Int, CollectedResponse)
    /// An interceptor, or the endpoint's own error decoder, threw an error.
    case responseError(ResponseError)
    /// The request cannot be sent as described; no byte of it has been sent.
    case invalidRequest(InvalidRequestError, FailureContext)
    /// The call was cancelled: by its task, its subscription, its `SmartTask`, or with all calls of the client.
    case cancelled(FailureContext)
    /// A validation that the caller added rejected the response.
    case validation(reason: String, CollectedResponse)
    /// The body is empty, and the model needs one.
    case emptyResponse(CollectedResponse)
    /// The body is larger than the limit in bytes; it was not read further.
    case bodyTooLarge(limit: Int, FailureContext)
}

/// The request that a failure belongs to.
public struct FailureContext: Sendable, Hashable {
    /// The method, such as `GET`.
    public var method: String
    /// The URL, without user name and password; only the base URL or the path if no URL could be built.
    public var url: String
    /// The number of attempts made on the wire; 0 if no byte was sent.
    public var attempts: Int
    /// The phase that the exchange had reached; `nil` if there was no exchange.
    public var phase: TransportError.Phase?

    package init(method: String, url: String, attempts: Int, phase: TransportError.Phase? = nil) {
        self.method = method
        self.url = RedactedURL.withoutCredentials(url)
        self.attempts = attempts
        self.phase = phase
    }

    /// The method and the URL without its query, which may hold values that no log should contain.
    ///
    /// If the request could not be created, either may be missing.
    fileprivate var target: String {
        let known = [method, RedactedURL.withoutQuery(url)].filter { !$0.isEmpty }
        return known.isEmpty ? "the request" : known.joined(separator: " ")
    }
}

extension FailureContext: CustomStringConvertible {
    /// One line: the request without its query, the number of attempts, and the phase.
    public var description: String {
        "\(target), attempts: \(attempts)\(phase.map { ", phase: \($0.rawValue)" } ?? "")"
    }
}

/// An error that a step of the pipeline threw, with the request that it belongs to.
public struct ResponseError: Error, Sendable, CustomStringConvertible {
    /// The error that was thrown.
    public let underlying: any Error
    /// The request.
    public let context: FailureContext
    /// The response, if one had arrived.
    public let response: CollectedResponse?

    package init(_ underlying: any Error, context: FailureContext, response: CollectedResponse? = nil) {
        self.underlying = underlying
        self.context = context
        self.response = response
    }

    /// The description of the error that was thrown.
    public var description: String { "\(underlying)" }
}

extension NetworkError {
    /// The request that failed; `nil` only for ``unknown``.
    public var context: FailureContext? {
        switch self {
        case .unknown: nil
        case .urlError(let error):
            FailureContext(method: error.method, url: error.url, attempts: error.attempts, phase: error.phase)
        case .decodingError(let failure): failure.response.context
        case .customError(_, let response), .validation(_, let response), .emptyResponse(let response):
            response.context
        case .responseError(let failure): failure.context
        case .invalidRequest(_, let context), .cancelled(let context), .bodyTooLarge(_, let context): context
        }
    }

    /// The server's response, if one had arrived.
    public var response: CollectedResponse? {
        switch self {
        case .decodingError(let failure): failure.response
        case .customError(_, let response), .validation(_, let response), .emptyResponse(let response): response
        case .responseError(let failure): failure.response
        case .unknown, .urlError, .invalidRequest, .cancelled, .bodyTooLarge: nil
        }
    }

    /// The error that caused this one, if any: from the transport, the decoder or an interceptor.
    public var underlyingError: (any Error)? {
        switch self {
        case .urlError(let error): error
        case .decodingError(let failure): failure.underlying
        case .responseError(let failure): failure.underlying
        case .invalidRequest(let error, _): error
        case .unknown, .customError, .cancelled, .validation, .emptyResponse, .bodyTooLarge: nil
        }
    }

    /// The status of the server's response, if one had arrived.
    public var statusCode: Int? { response?.statusCode }

    /// The body of the server's response, if one had arrived, up to the limit for error bodies.
    public var responseData: Data? { response?.body }

    /// A Boolean value that indicates whether the call was cancelled.
    public var isCancelled: Bool {
        guard case .cancelled = self else { return false }
        return true
    }

    /// A Boolean value that indicates whether the cause is a transient error of the network or the server.
    ///
    /// True for the statuses 408, 429, 500, 502, 503 and 504, and for timeouts, lost and refused connections and
    /// failed name lookups. The same request may succeed later, but sending it again is not necessarily *safe*: see
    /// ``TransportError/requestMayHaveBeenSent`` and ``RequestMethod/isIdempotent``.
    public var isRetryable: Bool {
        switch self {
        case .urlError(let error): TransportError.Code.transient.contains(error.code)
        case .customError(let status, _): StatusCodeSet.transient.contains(status)
        default: false
        }
    }
}

extension TransportError.Code {
    /// The codes of transient errors, after which the next attempt may succeed.
    package static let transient: Set<TransportError.Code> = [
        .timedOut, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
        .notConnectedToInternet, .resourceUnavailable,
    ]
}

extension StatusCodeSet {
    /// The statuses of transient errors, after which the next attempt may succeed.
    static let transient: StatusCodeSet = [408, 429, 500, 502, 503, 504]
}

extension CollectedResponse {
    /// The problem that the server describes, or the beginning of the body.
    fileprivate var reason: String {
        let problem = ProblemDetails(self)?.description ?? ""
        return problem.isEmpty ? bodySnippet : problem
    }

    fileprivate var context: FailureContext {
        FailureContext(method: method, url: url, attempts: attempts)
    }
}

extension NetworkError: LocalizedError, CustomStringConvertible {
    /// One line for a person: the request without its query, the failure, and the reason.
    public var description: String {
        let target = context?.target ?? "the request"
        return switch self {
        case .unknown: "the call failed for an unknown reason"
        case .urlError(let error):
            "\(target) failed in the \(error.phase.rawValue) phase (\(error.code)): \(error.message)"
        case .decodingError(let failure): "\(target): \(failure)"
        case .customError(let status, let response):
            "\(target) was answered with \(status)\(response.body.isEmpty ? "" : ": \(response.reason)")"
        case .responseError(let failure): "\(target) failed: \(failure)"
        case .invalidRequest(let error, _): "\(target) was not sent: \(error)"
        case .cancelled: "\(target) was cancelled"
        case .validation(let reason, let response):
            "\(target) was answered with \(response.statusCode), but the response was rejected: \(reason)"
        case .emptyResponse(let response):
            "\(target) was answered with \(response.statusCode) and no body, where a value was expected"
        case .bodyTooLarge(let limit, _): "\(target) has a body larger than the limit of \(limit) bytes"
        }
    }

    /// The description.
    public var errorDescription: String? { description }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// Why a call gave no value.
///
/// Calls throw this type; those with a type of their own for the body of errors wrap it in `APIClientError`. Each case says
/// where it failed; ``context`` has the request, ``response`` what the server had answered, ``underlyingError`` the cause.
@nonexhaustive
public enum NetworkError: Error, Sendable {
    /// Nothing more is known.
    case unknown
    /// No usable response came: name, connection, TLS, time, or broken bytes.
    case urlError(TransportError)
    /// A response came whose body is not what was asked for.
    case decodingError(DecodingFailure)
    /// The server answered with a status that is not accepted: the status, and the response with its bounded body.
    case customError(Int, CollectedResponse)
    /// An interceptor, or the endpoint's own error decoder, threw.
    case responseError(ResponseFailure)
    /// The request cannot be sent as it was described; nothing has left this machine.
    case invalidRequest(InvalidRequest, FailureContext)
    /// The call was cancelled: its task, its subscription, its `SmartTask`, or all calls of the client.
    case cancelled(FailureContext)
    /// The response was refused by a check that was asked for.
    case validation(reason: String, CollectedResponse)
    /// The body is empty, and the model needs one.
    case emptyResponse(CollectedResponse)
    /// The body is larger than the bound in bytes; it was not read further.
    case bodyTooLarge(limit: Int, FailureContext)
}

/// Which request a failure belongs to.
public struct FailureContext: Sendable, Hashable {
    /// The method, such as `GET`.
    public var method: String
    /// The URL, without a user name or a password; the base URL or the path alone where no URL could be built.
    public var url: String
    /// How many attempts were made on the wire; 0 where nothing was sent.
    public var attempts: Int
    /// How far the exchange had come, where there was one.
    public var phase: TransportError.Phase?

    package init(method: String, url: String, attempts: Int, phase: TransportError.Phase? = nil) {
        self.method = method
        self.url = ShownURL.withoutCredentials(url)
        self.attempts = attempts
        self.phase = phase
    }

    /// The method and the URL, its query hidden: a query may hold what no log should.
    ///
    /// Of a request that could not be made neither need be known.
    fileprivate var target: String {
        let known = [method, ShownURL.withoutQuery(url)].filter { !$0.isEmpty }
        return known.isEmpty ? "the request" : known.joined(separator: " ")
    }
}

extension FailureContext: CustomStringConvertible {
    /// One line: the request, its query hidden, and how far it came.
    public var description: String {
        "\(target), attempts: \(attempts)\(phase.map { ", phase: \($0.rawValue)" } ?? "")"
    }
}

/// An error that a step of the chain threw, and the request it belongs to.
public struct ResponseFailure: Error, Sendable, CustomStringConvertible {
    /// What was thrown.
    public let underlying: any Error
    /// The request.
    public let context: FailureContext
    /// The response, where one had come.
    public let response: CollectedResponse?

    package init(_ underlying: any Error, context: FailureContext, response: CollectedResponse? = nil) {
        self.underlying = underlying
        self.context = context
        self.response = response
    }

    /// What was thrown.
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

    /// What the server had answered, where it had.
    public var response: CollectedResponse? {
        switch self {
        case .decodingError(let failure): failure.response
        case .customError(_, let response), .validation(_, let response), .emptyResponse(let response): response
        case .responseError(let failure): failure.response
        case .unknown, .urlError, .invalidRequest, .cancelled, .bodyTooLarge: nil
        }
    }

    /// The cause, where another error is: the transport's, the decoder's, the interceptor's.
    public var underlyingError: (any Error)? {
        switch self {
        case .urlError(let error): error
        case .decodingError(let failure): failure.underlying
        case .responseError(let failure): failure.underlying
        case .invalidRequest(let error, _): error
        case .unknown, .customError, .cancelled, .validation, .emptyResponse, .bodyTooLarge: nil
        }
    }

    /// The status the server answered with, where it answered.
    public var statusCode: Int? { response?.statusCode }

    /// The body the server answered with, where it answered; bounded.
    public var responseData: Data? { response?.body }

    /// Whether the call was cancelled.
    public var isCancelled: Bool {
        guard case .cancelled = self else { return false }
        return true
    }

    /// Whether the same request may succeed later: a passing fault of the network or the server.
    ///
    /// True for the statuses 408, 429, 500, 502, 503 and 504, and for timeouts, lost and refused connections and names
    /// that could not be looked up. It says nothing of whether sending it again is *safe*: see
    /// ``TransportError/requestMayHaveBeenSent`` and ``RequestMethod/isIdempotent``.
    public var isRetryable: Bool {
        switch self {
        case .urlError(let error): TransportError.Code.passing.contains(error.code)
        case .customError(let status, _): StatusCodeSet.passing.contains(status)
        default: false
        }
    }
}

extension TransportError.Code {
    /// The failures that may be gone at the next attempt.
    package static let passing: Set<TransportError.Code> = [
        .timedOut, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
        .notConnectedToInternet, .resourceUnavailable,
    ]
}

extension StatusCodeSet {
    /// The statuses of a fault that may be gone at the next attempt.
    static let passing: StatusCodeSet = [408, 429, 500, 502, 503, 504]
}

extension CollectedResponse {
    fileprivate var context: FailureContext {
        FailureContext(method: method, url: url, attempts: attempts)
    }
}

extension NetworkError: LocalizedError, CustomStringConvertible {
    /// One line for a person: what failed, at which URL (its query hidden), and why.
    public var description: String {
        let target = context?.target ?? "the request"
        return switch self {
        case .unknown: "the call failed for an unknown reason"
        case .urlError(let error):
            "\(target) failed in the \(error.phase.rawValue) phase (\(error.code)): \(error.message)"
        case .decodingError(let failure): "\(target): \(failure)"
        case .customError(let status, let response):
            "\(target) was answered with \(status)\(response.body.isEmpty ? "" : ": \(response.bodySnippet)")"
        case .responseError(let failure): "\(target) failed: \(failure)"
        case .invalidRequest(let error, _): "\(target) was not sent: \(error)"
        case .cancelled: "\(target) was cancelled"
        case .validation(let reason, let response):
            "\(target), answered with \(response.statusCode), is refused: \(reason)"
        case .emptyResponse(let response):
            "\(target) was answered with \(response.statusCode) and no body, where a value was expected"
        case .bodyTooLarge(let limit, _): "\(target) has a body larger than the bound of \(limit) bytes"
        }
    }

    /// The description.
    public var errorDescription: String? { description }
}

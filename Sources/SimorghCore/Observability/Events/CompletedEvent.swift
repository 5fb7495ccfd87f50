// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The end of a call: its outcome, duration and metrics.
public struct CompletedEvent: Sendable {
    /// The outcome of a call.
    @nonexhaustive
    public enum Outcome: Sendable {
        /// The response was accepted and read: its status, and the size of its body in bytes.
        case success(statusCode: Int, byteCount: Int64)
        /// The call failed with an error.
        case failure(CallError)
        /// The reader of a stream stopped before its end.
        case left(statusCode: Int, byteCount: Int64)
    }

    /// The request as it was described.
    public let request: RequestContext
    /// The outcome of the call.
    public let outcome: Outcome
    /// The duration from the begin of the call to its end, with all attempts and waits.
    public let duration: Duration
    /// The durations of the phases; `nil` if nothing was sent.
    public let metrics: TransactionMetrics?

    /// The id of the call.
    public var callID: CallContext.ID { request.id }

    package init(
        request: RequestContext, outcome: Outcome, duration: Duration, metrics: TransactionMetrics?
    ) {
        self.request = request
        self.outcome = outcome
        self.duration = duration
        self.metrics = metrics
    }
}

/// The failure of a call, redacted.
public struct CallError: Error, Sendable, CustomStringConvertible {
    /// The case of the ``NetworkError``, such as `urlError`; the type of any other error.
    public let kind: String
    /// A readable message without secrets.
    ///
    /// Of a response it contains only the status.
    public let message: String
    /// The status if the server responded, even if the body broke off.
    public let statusCode: Int?
    /// The code of the transport error, if the call failed with one.
    public let code: TransportError.Code?
    /// The phase that the exchange had reached, if there was one.
    public let phase: TransportError.Phase?
    /// The error itself, with bodies and full URLs; `nil` unless the observer disabled redaction.
    public let error: NetworkError?

    /// True if the call was cancelled.
    public var isCancelled: Bool { kind == "cancelled" }

    /// Creates the failure for a network error.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - answered: The status of the last response, for an error that does not contain it.
    ///   - redactor: The redactor.
    package init(_ error: NetworkError, answered: Int? = nil, showing redactor: Redactor) {
        let rules = redactor.rules
        kind = error.kind
        statusCode = error.statusCode ?? answered
        phase = error.context?.phase
        if case .urlError(let error) = error { code = error.code } else { code = nil }
        message = rules.isOn ? redactor.text(error.shortDescription) : error.description
        self.error = rules.isOn ? nil : error
    }

    /// Creates the failure for any other error, redacted.
    package init(other error: any Error, showing redactor: Redactor) {
        kind = "\(type(of: error))"
        message = redactor.text("\(error)")
        statusCode = nil
        code = nil
        phase = nil
        self.error = nil
    }

    /// The message.
    public var description: String { message }
}

extension NetworkError {
    /// The name of the case.
    package var kind: String {
        switch self {
        case .unknown: "unknown"
        case .urlError: "urlError"
        case .decodingError: "decodingError"
        case .customError: "customError"
        case .responseError: "responseError"
        case .invalidRequest: "invalidRequest"
        case .cancelled: "cancelled"
        case .validation: "validation"
        case .emptyResponse: "emptyResponse"
        case .bodyTooLarge: "bodyTooLarge"
        }
    }

    /// The description without the body of a response or parts of it.
    package var shortDescription: String {
        switch self {
        case .customError(let status, _): "the server responded with status \(status)"
        case .decodingError(let failure):
            "\(failure.type) could not be decoded\(failure.path.isEmpty ? "" : " at \(failure.path)")"
        case .responseError(let failure) where failure.response != nil:
            "the server responded with status \(failure.response?.statusCode ?? 0), \(type(of: failure.underlying))"
        case .responseError(let failure) where failure.underlying is NetworkError:
            (failure.underlying as? NetworkError)?.shortDescription ?? "failed"
        default: description
        }
    }
}

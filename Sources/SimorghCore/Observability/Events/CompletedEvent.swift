// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A call is over: what came of it, how long it took, and what each phase took of that.
public struct CompletedEvent: Sendable {
    /// What came of a call.
    @nonexhaustive
    public enum Outcome: Sendable {
        /// A response that was accepted and read, by its status and the bytes of its body.
        case success(statusCode: Int, byteCount: Int64)
        /// An error.
        case failure(CallFailure)
        /// A stream whose reader left before its end.
        case left(statusCode: Int, byteCount: Int64)
    }

    /// The request, as it was described.
    public let request: RequestContext
    /// What came of it.
    public let outcome: Outcome
    /// From the call to its end, with all attempts and waits.
    public let duration: Duration
    /// What each phase took; `nil` where nothing was sent.
    public let metrics: TransactionMetrics?

    /// The call it is about.
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

/// Why a call failed, as much of it as may be shown.
public struct CallFailure: Error, Sendable, CustomStringConvertible {
    /// The case of the ``NetworkError``, such as `urlError`; the type of any other error.
    public let kind: String
    /// What happened, for a person, without secrets; of an answer no more than its status.
    public let message: String
    /// The status, where the server answered, be it with a body that broke off.
    public let statusCode: Int?
    /// The kind of failure on the wire, where it was one.
    public let code: TransportError.Code?
    /// How far the exchange had come, where there was one.
    public let phase: TransportError.Phase?
    /// The error itself, with bodies and full URLs; `nil` unless the observer asked for all.
    public let error: NetworkError?

    /// Whether the call was cancelled.
    public var isCancelled: Bool { kind == "cancelled" }

    /// - Parameters:
    ///   - error: The error.
    ///   - answered: The status of the last answer, for an error that does not know it.
    ///   - redactor: Hides secrets.
    package init(_ error: NetworkError, answered: Int? = nil, showing redactor: Redactor) {
        let rules = redactor.rules
        kind = error.kind
        statusCode = error.statusCode ?? answered
        phase = error.context?.phase
        if case .urlError(let error) = error { code = error.code } else { code = nil }
        message = rules.isOn ? redactor.text(error.shortDescription) : error.description
        self.error = rules.isOn ? nil : error
    }

    /// Any other error, as far as it may be told.
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

    /// The description without what a server said: neither a body nor a part of one.
    package var shortDescription: String {
        switch self {
        case .customError(let status, _): "answered with \(status)"
        case .decodingError(let failure):
            "\(failure.type) could not be decoded\(failure.path.isEmpty ? "" : " at \(failure.path)")"
        case .responseError(let failure) where failure.response != nil:
            "answered with \(failure.response?.statusCode ?? 0), which is \(type(of: failure.underlying))"
        case .responseError(let failure) where failure.underlying is NetworkError:
            (failure.underlying as? NetworkError)?.shortDescription ?? "failed"
        default: description
        }
    }
}

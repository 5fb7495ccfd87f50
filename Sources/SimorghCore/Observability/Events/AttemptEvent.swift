// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// The end of one attempt on the network.
public struct AttemptEvent: Sendable {
    /// The outcome of the attempt.
    @nonexhaustive
    public enum Outcome: Sendable {
        /// A response with this status.
        case response(statusCode: Int)
        /// An error. If secrets are redacted, an error other than ``TransportError`` is wrapped in a ``CallError``.
        case failed(any Error)
    }

    /// The id of the call.
    public let callID: CallContext.ID
    /// The number of the attempt in the call, from 1.
    ///
    /// With parallel attempts, the number of attempts started so far.
    public let attempt: Int
    /// The method of the request.
    public let method: String
    /// The URL of the request, with a redacted query unless the observer disabled redaction.
    public let url: String
    /// The header fields after all interceptors, with redacted credentials unless the observer disabled redaction.
    ///
    /// Fields that the transport adds, such as `Host`, are missing here; ``HARRecorder`` records them.
    public let requestHeaders: HTTPFields
    /// The header fields of the response, redacted likewise; empty if there was no response.
    public let responseHeaders: HTTPFields
    /// The status of the response, even if its body broke off; `nil` if no head was received.
    public let statusCode: Int?
    /// The outcome of the attempt.
    public let outcome: Outcome
    /// The durations of the phases that were reached; `nil` if no connection was used and none failed to open.
    public let timings: ExchangeTimings?
    /// The connection of the attempt; `nil` if there was no connection.
    public let connection: ConnectionInfo?

    package init(
        attempt: Int, request: TransportRequest, result: Result<TransportResponse, any Error>,
        callID: CallContext.ID, showing rules: RedactionRules = .standard
    ) {
        self.callID = callID
        self.attempt = attempt
        method = request.head.method.rawValue
        let redactor = Redactor(rules, request: request)
        url = redactor.urlWithoutQuery(request.urlString)
        requestHeaders = redactor.shownFields
        switch result {
        case .success(let response):
            outcome = .response(statusCode: response.head.status.code)
            statusCode = response.head.status.code
            timings = response.timings
            connection = response.connection
            responseHeaders = redactor.adding(response.head).shownFields
        case .failure(let error):
            outcome = .failed(redactor.shown(error))
            let error = error as? TransportError
            let head = error?.facts?.response
            statusCode = head?.status.code
            responseHeaders = head.map { redactor.adding($0).shownFields } ?? [:]
            timings = error?.timings
            connection = error?.connection
        }
    }
}

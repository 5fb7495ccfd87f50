// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// What came of one attempt on the wire, and how it went.
public struct AttemptEvent: Sendable {
    /// How it ended.
    @nonexhaustive
    public enum Outcome: Sendable {
        /// With a response of this status.
        case response(statusCode: Int)
        /// With an error; unless the observer asked for all, one that is no ``TransportError`` as a ``CallFailure``.
        case failed(any Error)
    }

    /// The call it is about.
    public let callID: CallContext.ID
    /// Which attempt of the call it was, counted from 1; where several are on their way at once, how many had begun.
    public let attempt: Int
    /// The method of the request.
    public let method: String
    /// The URL of the request, its query hidden unless the observer asked for all.
    public let url: String
    /// The fields as the steps of the chain left them; credentials hidden unless the observer asked for all.
    ///
    /// Fields that the transport adds, such as `Host`, are not among them; ``HARRecorder`` has them.
    public let requestHeaders: HTTPFields
    /// The fields of the answer, hidden likewise; empty where none came.
    public let responseHeaders: HTTPFields
    /// The status of the answer, be it one whose body broke off; `nil` if no head came.
    public let statusCode: Int?
    /// How it ended.
    public let outcome: Outcome
    /// How long each phase took, as far as it had gone; `nil` where no connection carried it, nor failed to open.
    public let timings: ExchangeTimings?
    /// The connection it went over; `nil` where there was none.
    public let connection: ConnectionInfo?

    package init(
        _ attempt: Int, _ request: TransportRequest, _ result: Result<TransportResponse, any Error>,
        callID: CallContext.ID, showing rules: RedactionRules = .standard
    ) {
        self.callID = callID
        self.attempt = attempt
        method = request.head.method.rawValue
        let redactor = Redactor(rules, request)
        url = redactor.place(request.urlString)
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

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// What came of one attempt on the wire, and how it went.
public struct AttemptEvent: Sendable {
    /// How it ended.
    @nonexhaustive
    public enum Outcome: Sendable {
        /// With a response of this status.
        case response(statusCode: Int)
        /// With an error.
        case failed(any Error)
    }

    /// The call it is about.
    public let callID: CallContext.ID
    /// Which attempt of the call it was, counted from 1; where several are on their way at once, how many had begun.
    public let attempt: Int
    /// The method of the request.
    public let method: String
    /// The URL of the request, its query hidden.
    public let url: String
    /// How it ended.
    public let outcome: Outcome
    /// How long each phase took, as far as it had gone; `nil` where no connection carried it.
    public let timings: ExchangeTimings?
    /// The connection it went over; `nil` where there was none.
    public let connection: ConnectionInfo?

    package init(
        _ attempt: Int, _ request: TransportRequest, _ result: Result<TransportResponse, any Error>,
        callID: CallContext.ID
    ) {
        self.callID = callID
        self.attempt = attempt
        method = request.head.method.rawValue
        url = ShownURL.withoutQuery(request.urlString)
        switch result {
        case .success(let response):
            outcome = .response(statusCode: response.head.status.code)
            timings = response.timings
            connection = response.connection
        case .failure(let error):
            outcome = .failed(error)
            let error = error as? TransportError
            timings = error?.timings
            connection = error?.connection
        }
    }
}

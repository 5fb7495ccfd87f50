// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// The end of an exchange whose response was delivered before its body had arrived.
public struct BodyEndEvent: Sendable {
    /// The id of the call.
    public let callID: CallContext.ID
    /// The number of the attempt, as in ``AttemptEvent/attempt``.
    public let attempt: Int
    /// The method of the request.
    public let method: String
    /// The URL of the request, with a redacted query unless the observer disabled redaction.
    public let url: String
    /// The error that ended the body early; `nil` if the body is complete.
    ///
    /// If the reader released the body before its end, the error is a cancellation.
    public let error: TransportError?
    /// The durations of all phases, and all bytes in both directions.
    public let timings: ExchangeTimings
    /// The connection of the exchange.
    public let connection: ConnectionInfo?

    package init(
        attempt: Int, request: TransportRequest, connection: ConnectionInfo?, timings: ExchangeTimings,
        error: TransportError?, callID: CallContext.ID, showing rules: RedactionRules = .standard
    ) {
        self.callID = callID
        self.attempt = attempt
        method = request.head.method.rawValue
        let redactor = Redactor(rules, request: request)
        url = redactor.urlWithoutQuery(request.urlString)
        self.connection = connection
        self.error = error.map { redactor.shown($0) }
        self.timings = timings
    }
}

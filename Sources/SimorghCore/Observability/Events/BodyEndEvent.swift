// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// How an exchange went whose response was handed over before its body had come.
public struct BodyEndEvent: Sendable {
    /// The call it is about.
    public let callID: CallContext.ID
    /// Which attempt of the call it was, as in ``AttemptEvent/attempt``.
    public let attempt: Int
    /// The method of the request.
    public let method: String
    /// The URL of the request, its query hidden unless the observer asked for all.
    public let url: String
    /// Why the body ended early; `nil` where it is whole.
    ///
    /// Who let go of it has cancelled it.
    public let error: TransportError?
    /// How long each phase took, and all bytes each way.
    public let timings: ExchangeTimings
    /// The connection it came over.
    public let connection: ConnectionInfo?

    package init(
        _ attempt: Int, _ request: TransportRequest, _ connection: ConnectionInfo?, _ timings: ExchangeTimings,
        _ error: TransportError?, callID: CallContext.ID, showing rules: RedactionRules = .standard
    ) {
        self.callID = callID
        self.attempt = attempt
        method = request.head.method.rawValue
        let redactor = Redactor(rules, request)
        url = redactor.place(request.urlString)
        self.connection = connection
        self.error = error.map { redactor.shown($0) }
        self.timings = timings
    }
}

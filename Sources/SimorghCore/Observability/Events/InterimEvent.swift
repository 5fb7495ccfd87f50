// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// An interim response (1xx) before the final one.
public struct InterimEvent: Sendable, Hashable {
    /// The id of the call.
    public let callID: CallContext.ID
    /// The status, 100 to 199, and the header fields.
    ///
    /// Credentials are redacted unless the observer disabled redaction.
    public let response: HTTPResponse

    package init(
        _ response: HTTPResponse, to request: TransportRequest, callID: CallContext.ID,
        showing rules: RedactionRules = .standard
    ) {
        self.callID = callID
        var response = response
        response.headerFields = Redactor(rules, request: request).adding(response).shownFields
        self.response = response
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// A response that came before the final one.
public struct InterimEvent: Sendable, Hashable {
    /// The call it is about.
    public let callID: CallContext.ID
    /// Its status, 100 to 199, and its fields; credentials hidden unless the observer asked for all.
    public let response: HTTPResponse

    package init(
        _ response: HTTPResponse, to request: TransportRequest, callID: CallContext.ID,
        showing rules: RedactionRules = .standard
    ) {
        self.callID = callID
        var response = response
        response.headerFields = Redactor(rules, request).adding(response).shownFields
        self.response = response
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// The decision of the client's cache for a request.
public struct CacheEvent: Sendable, Hashable {
    /// The id of the call.
    public let callID: CallContext.ID
    /// The method of the request.
    public let method: String
    /// The URL of the request, with a redacted query unless the observer disabled redaction.
    public let url: String
    /// The decision and its reason.
    public let report: CacheReport

    package init(
        _ report: CacheReport, request: TransportRequest, callID: CallContext.ID,
        showing rules: RedactionRules = .standard
    ) {
        self.report = report
        self.callID = callID
        method = request.head.method.rawValue
        url = Redactor(rules, request: request).urlWithoutQuery(request.urlString)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// What the client's cache did for a request.
public struct CacheEvent: Sendable, Hashable {
    /// The call it is about.
    public let callID: CallContext.ID
    /// The method of the request.
    public let method: String
    /// The URL of the request, its query hidden unless the observer asked for all.
    public let url: String
    /// What it did, and why.
    public let report: CacheReport

    package init(
        _ report: CacheReport, _ request: TransportRequest, callID: CallContext.ID,
        showing rules: RedactionRules = .standard
    ) {
        self.report = report
        self.callID = callID
        method = request.head.method.rawValue
        url = Redactor(rules, request).place(request.urlString)
    }
}

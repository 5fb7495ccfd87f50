// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// The request that a call is made for, as it was described: before any step of the chain.
public struct RequestContext: Sendable, Hashable {
    /// The call's number, which all its events carry.
    public let id: CallContext.ID
    /// The method; empty for a request that could not be described.
    public let method: String
    /// The URL; its query hidden, unless the observer asked for all.
    public let url: String
    /// The header fields; credentials hidden, unless the observer asked for all.
    public let headers: HTTPFields
    /// The number of bytes of the body, where it is known; `nil` where there is no body.
    public let bodyLength: Int64?

    package init(_ request: TransportRequest, id: CallContext.ID, showing rules: RedactionRules) {
        let redactor = Redactor(rules, request)
        self.id = id
        method = request.head.method.rawValue
        url = redactor.place(request.urlString)
        headers = redactor.shownFields
        bodyLength = request.body.isEmpty ? nil : request.body.length
    }

    package init(method: String, url: String, id: CallContext.ID, showing rules: RedactionRules) {
        self.id = id
        self.method = method
        self.url = Redactor(rules, url: url).place(url)
        headers = [:]
        bodyLength = nil
    }
}

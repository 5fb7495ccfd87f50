// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

/// The request of a call as it was described, before all interceptors.
public struct RequestContext: Sendable, Hashable {
    /// The id of the call, which all its events contain.
    public let id: CallContext.ID
    /// The method; empty if the request could not be described.
    public let method: String
    /// The URL, with a redacted query unless the observer disabled redaction.
    public let url: String
    /// The header fields, with redacted credentials unless the observer disabled redaction.
    public let headers: HTTPFields
    /// The size of the body in bytes; `nil` if it is unknown or there is no body.
    public let bodyLength: Int64?

    package init(_ request: TransportRequest, id: CallContext.ID, showing rules: RedactionRules) {
        let redactor = Redactor(rules, request: request)
        self.id = id
        method = request.head.method.rawValue
        url = redactor.urlWithoutQuery(request.urlString)
        headers = redactor.shownFields
        bodyLength = request.body.isEmpty ? nil : request.body.length
    }

    package init(method: String, url: String, id: CallContext.ID, showing rules: RedactionRules) {
        self.id = id
        self.method = method
        self.url = Redactor(rules, url: url).urlWithoutQuery(url)
        headers = [:]
        bodyLength = nil
    }
}

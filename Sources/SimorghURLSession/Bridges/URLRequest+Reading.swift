// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

extension URLRequest {
    /// Returns the method and the target, with the same checks as for an endpoint.
    func head() throws(InvalidRequestError) -> HTTPRequest {
        guard let url else { throw InvalidRequestError(.invalidURL, message: "the request has no URL") }
        let text = url.absoluteString
        let base = try BaseURL.absolute(text, query: [])
        return HTTPRequest(
            method: try RequestMethod(rawValue: httpMethod ?? "GET").httpMethod(), scheme: base.0.scheme,
            authority: base.0.authority, path: base.target)
    }

    /// Returns the header fields of a request, with the changes that a retry handler made to its `URLRequest`.
    ///
    /// An unchanged field keeps its separate values and its position, which a `URLRequest` does not preserve.
    func fields(over before: URLRequest, request: TransportRequest) throws(InvalidRequestError) -> HTTPFields {
        var fields = request.head.headerFields
        let now = allHTTPHeaderFields ?? [:]
        let then = before.allHTTPHeaderFields ?? [:]
        for (name, value) in now.sorted(by: { $0.key < $1.key }) where then[name] != value {
            let field = try HeaderRules.field(name: name, value: value)
            fields[field.name] = nil
            fields.append(field)
        }
        for name in then.keys where now[name] == nil {
            if let name = HTTPField.Name(name) { fields[name] = nil }
        }
        return fields
    }
}

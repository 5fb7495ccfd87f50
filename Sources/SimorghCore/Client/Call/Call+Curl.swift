// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Call {
    /// The request of this call as a command for curl; nothing is sent.
    ///
    /// ```swift
    /// print(try await client.call(.get, "users", query: ["page": 2]).cURL())
    /// ```
    /// It is the request as it was described, with the client's header fields. What steps add as it is sent, such as
    /// credentials and cookies, is in that of a network interceptor: see ``TransportRequest/cURL(showing:prettyPrinted:)``.
    ///
    /// Secrets are hidden as the client's configuration says.
    ///
    /// - Parameter prettyPrinted: Whether each option has a line of its own; off by default.
    /// - Returns: The command.
    /// - Throws: ``NetworkError`` for a request that cannot be made.
    @concurrent
    public func cURL(prettyPrinted: Bool = false) async throws -> String {
        try await cURL(showing: settings.configuration.logging.redaction, prettyPrinted: prettyPrinted)
    }

    /// The request of this call as a command for curl, with as much of it hidden as asked for; nothing is sent.
    ///
    /// - Parameters:
    ///   - rules: What is hidden; with ``RedactionRules/none`` the command can be run as it is.
    ///   - prettyPrinted: Whether each option has a line of its own; off by default.
    /// - Returns: The command.
    /// - Throws: ``NetworkError`` for a request that cannot be made.
    @concurrent
    public func cURL(
        showing rules: RedactionRules, prettyPrinted: Bool = false
    ) async throws -> String {
        var request = try await makeRequest(.showing, accept: decoding.accept).request
        request.addMissing(settings.configuration)
        return request.cURL(showing: rules, prettyPrinted: prettyPrinted)
    }
}

extension TransportRequest {
    /// Adds the fields that a client gives every request that has none of its own.
    fileprivate mutating func addMissing(_ configuration: APIClient.Configuration) {
        for (name, value) in configuration.headers.sorted(by: { $0.key < $1.key }) {
            guard let name = HTTPField.Name(name), !head.headerFields.contains(name) else { continue }
            head.headerFields[name] = value
        }
    }
}

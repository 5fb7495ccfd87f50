// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Call {
    /// Returns the request of this call as a curl command.
    ///
    /// Sends nothing.
    ///
    /// ```swift
    /// print(try await client.call(.get, "users", query: ["page": 2]).cURL())
    /// ```
    /// The command shows the request as described, with the client's header fields. Credentials, cookies and other
    /// changes that interceptors make are visible in a network interceptor: see
    /// ``TransportRequest/cURL(showing:prettyPrinted:)``.
    ///
    /// Secrets are redacted as the client's configuration says.
    ///
    /// - Parameter prettyPrinted: True to put each option on its own line. Default: false.
    /// - Returns: The command.
    /// - Throws: ``NetworkError`` if the request is invalid.
    @concurrent
    public func cURL(prettyPrinted: Bool = false) async throws -> String {
        try await cURL(showing: settings.configuration.logging.redaction, prettyPrinted: prettyPrinted)
    }

    /// Returns the request of this call as a curl command, with the given redaction rules.
    ///
    /// Sends nothing.
    ///
    /// - Parameters:
    ///   - rules: The redaction rules. With ``RedactionRules/none`` the command can be run unchanged.
    ///   - prettyPrinted: True to put each option on its own line. Default: false.
    /// - Returns: The command.
    /// - Throws: ``NetworkError`` if the request is invalid.
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
    /// Adds the client's header fields that the request does not set itself.
    fileprivate mutating func addMissing(_ configuration: APIClient.Configuration) {
        for (name, value) in configuration.headers.sorted(by: { $0.key < $1.key }) {
            guard let name = HTTPField.Name(name), !head.headerFields.contains(name) else { continue }
            head.headerFields[name] = value
        }
    }
}

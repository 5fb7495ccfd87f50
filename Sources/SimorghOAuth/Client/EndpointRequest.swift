// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A request to an endpoint of the authorization server, as a value.
package struct EndpointRequest: Sendable {
    package var url: String
    package var fields: [QueryItem]
    package var headers = ["Accept": "application/json"]
    /// The secrets in the header fields.
    private var headerSecrets: [String] = []

    package init(url: String, fields: [QueryItem]) {
        self.url = url
        self.fields = fields
    }

    /// The values that no error may repeat: those of all fields that are not known to be harmless, because a program can
    /// add fields of its own.
    package var secrets: [String] {
        let values = fields.filter { !Self.isHarmless($0.name) }.compactMap(\.value).filter { !$0.isEmpty }
        return (values + headerSecrets).flatMap { [$0, Self.encoded($0)] }
    }

    private static let harmlessFields: Set<String> = [
        "grant_type", "scope", "client_id", "resource", "audience", "redirect_uri", "token_type_hint",
    ]

    private static func isHarmless(_ name: String) -> Bool { harmlessFields.contains(name) || name.hasSuffix("_type") }

    /// Adds the identity of the client, and its proof.
    ///
    /// - Parameters:
    ///   - client: The identifier of the client.
    ///   - method: The method.
    ///   - audience: The name of the server in an assertion, unless the method has one.
    ///   - now: The current date.
    /// - Throws: An error if an assertion could not be signed.
    mutating func authenticate(
        _ client: String, by method: OAuthClientAuthentication.Method, audience: String, at now: Date
    ) async throws(OAuthError) {
        switch method {
        case .none, .mutualTLS: add("client_id", client)
        case .basic(let secret):
            // Both are encoded as in a form before they become Basic credentials (RFC 6749, section 2.3.1).
            let (name, password) = (Self.encoded(client), Self.encoded(secret))
            let credentials = Interceptor.basicCredentials(username: name, password: password)
            headers["Authorization"] = credentials
            headerSecrets += [secret, credentials]
        case .post(let secret):
            add("client_id", client)
            add("client_secret", secret)
        case .assertion(let key, let ownAudience):
            let assertion = try await ClientAssertion.text(
                client: client, audience: ownAudience ?? audience, key: key, at: now)
            add("client_id", client)
            add("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
            add("client_assertion", assertion)
        }
    }

    private mutating func add(_ name: String, _ value: String) { fields.append(QueryItem(name: name, value: value)) }

    private static func encoded(_ text: String) -> String { PercentEncoding.encoded(text, keeping: .unreserved) }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A request to an endpoint of the authorization server, as a value.
package struct EndpointRequest: Sendable {
    package var url: String
    package var fields: [QueryItem]
    package var headers = ["Accept": "application/json"]
    /// The secrets in the fields and headers, which no error may repeat.
    package private(set) var secrets: [String] = []

    package init(url: String, fields: [QueryItem]) {
        self.url = url
        self.fields = fields
        secrets = fields.filter { Self.secretFields.contains($0.name) }.compactMap(\.value)
    }

    private static let secretFields: Set<String> = [
        "code", "code_verifier", "refresh_token", "device_code", "assertion", "subject_token", "actor_token", "token",
        "password",
    ]

    /// Adds the identity of the client, and its proof.
    mutating func authenticate(_ client: String, by method: OAuthClientAuthentication.Method, at now: Date)
        async throws(OAuthError)
    {
        switch method {
        case .none, .mutualTLS: add("client_id", client)
        case .basic(let secret):
            // Both are encoded as in a form before they become Basic credentials (RFC 6749, section 2.3.1).
            let (name, password) = (Self.encoded(client), Self.encoded(secret))
            let credentials = Interceptor.basicCredentials(username: name, password: password)
            headers["Authorization"] = credentials
            secrets += [secret, password, credentials]
        case .post(let secret):
            add("client_id", client)
            add("client_secret", secret)
            secrets.append(secret)
        case .assertion(let key, let audience):
            let assertion = try await ClientAssertion.text(
                client: client, audience: audience ?? url, key: key, at: now)
            add("client_id", client)
            add("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
            add("client_assertion", assertion)
            secrets.append(assertion)
        }
    }

    private mutating func add(_ name: String, _ value: String) { fields.append(QueryItem(name: name, value: value)) }

    private static func encoded(_ text: String) -> String { PercentEncoding.encoded(text, keeping: .unreserved) }
}

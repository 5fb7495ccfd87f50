// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The endpoints of an authorization server.
///
/// ```swift
/// var server = OAuthServer(tokenEndpoint: "https://auth.example.com/token")
/// server.revocationEndpoint = "https://auth.example.com/revoke"
/// ```
/// ``discovered(issuer:over:)`` reads them from the server. All must be `https`, except on this machine.
public struct OAuthServer: Sendable, Hashable, Codable {
    /// The identifier of the server, to which the `iss` of responses is compared.
    ///
    /// Default: `nil`, unknown.
    public var issuer: String?
    /// The URL at which tokens are requested.
    public var tokenEndpoint: String
    /// The URL at which a user signs in with a browser.
    public var authorizationEndpoint: String?
    /// The URL at which a device begins a sign-in (RFC 8628).
    public var deviceAuthorizationEndpoint: String?
    /// The URL at which tokens are revoked (RFC 7009).
    public var revocationEndpoint: String?
    /// True if every redirect of the server names its issuer (RFC 9207).
    ///
    /// Default: false. A redirect without `iss` is then accepted, and one with another `iss` never is.
    public var namesIssuer = false

    /// Creates a description of a server.
    ///
    /// - Parameters:
    ///   - issuer: The identifier of the server.
    ///   - tokenEndpoint: The URL at which tokens are requested.
    ///   - authorizationEndpoint: The URL at which a user signs in with a browser.
    ///   - deviceAuthorizationEndpoint: The URL at which a device begins a sign-in.
    ///   - revocationEndpoint: The URL at which tokens are revoked.
    public init(
        issuer: String? = nil, tokenEndpoint: String, authorizationEndpoint: String? = nil,
        deviceAuthorizationEndpoint: String? = nil, revocationEndpoint: String? = nil
    ) {
        self.issuer = issuer
        self.tokenEndpoint = tokenEndpoint
        self.authorizationEndpoint = authorizationEndpoint
        self.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint
        self.revocationEndpoint = revocationEndpoint
    }

    /// Checks the endpoints.
    func check() throws(OAuthError) {
        if let issuer { try EndpointURL.check(issuer, name: "issuer") }
        try EndpointURL.check(tokenEndpoint, name: "token endpoint")
        if let url = authorizationEndpoint { try EndpointURL.check(url, name: "authorization endpoint") }
        if let url = deviceAuthorizationEndpoint { try EndpointURL.check(url, name: "device authorization endpoint") }
        if let url = revocationEndpoint { try EndpointURL.check(url, name: "revocation endpoint") }
    }
}

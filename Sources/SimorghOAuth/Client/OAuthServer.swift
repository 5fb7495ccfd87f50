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
    /// The endpoints for clients that authenticate with a certificate (RFC 8705, section 5); `nil` for the usual one.
    public struct MutualTLSEndpoints: Sendable, Hashable, Codable {
        /// The URL at which tokens are requested.
        public var tokenEndpoint: String?
        /// The URL at which a device begins a sign-in.
        public var deviceAuthorizationEndpoint: String?
        /// The URL at which tokens are revoked.
        public var revocationEndpoint: String?

        /// Creates a description without endpoints.
        public init() {}
    }

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
    /// False if the server says that it does not support proof keys with S256 (PKCE, RFC 7636).
    ///
    /// Default: true. If it is false, signing in with a browser is refused: another program could use an intercepted code.
    public var supportsS256 = true
    /// The endpoints for clients that authenticate with a certificate.
    ///
    /// Default: `nil`, the usual ones.
    public var mutualTLSEndpoints: MutualTLSEndpoints?

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

    /// Decodes a server; members that an earlier version did not write have their defaults.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        issuer = try values.decodeIfPresent(String.self, forKey: .issuer)
        tokenEndpoint = try values.decode(String.self, forKey: .tokenEndpoint)
        authorizationEndpoint = try values.decodeIfPresent(String.self, forKey: .authorizationEndpoint)
        deviceAuthorizationEndpoint = try values.decodeIfPresent(String.self, forKey: .deviceAuthorizationEndpoint)
        revocationEndpoint = try values.decodeIfPresent(String.self, forKey: .revocationEndpoint)
        namesIssuer = try values.decodeIfPresent(Bool.self, forKey: .namesIssuer) ?? false
        supportsS256 = try values.decodeIfPresent(Bool.self, forKey: .supportsS256) ?? true
        mutualTLSEndpoints = try values.decodeIfPresent(MutualTLSEndpoints.self, forKey: .mutualTLSEndpoints)
    }

    /// Checks the endpoints.
    ///
    /// - Parameter allowsLoopback: False for metadata of another machine.
    /// - Throws: An error if a URL cannot be used.
    func check(allowsLoopback: Bool = true) throws(OAuthError) {
        let urls: [(String, String?)] = [
            ("issuer", issuer), ("token endpoint", tokenEndpoint), ("authorization endpoint", authorizationEndpoint),
            ("device authorization endpoint", deviceAuthorizationEndpoint),
            ("revocation endpoint", revocationEndpoint),
            ("token endpoint for mutual TLS", mutualTLSEndpoints?.tokenEndpoint),
            ("device authorization endpoint for mutual TLS", mutualTLSEndpoints?.deviceAuthorizationEndpoint),
            ("revocation endpoint for mutual TLS", mutualTLSEndpoints?.revocationEndpoint),
        ]
        for (name, url) in urls {
            if let url { try EndpointURL.check(url, name: name, allowsLoopback: allowsLoopback) }
        }
    }
}

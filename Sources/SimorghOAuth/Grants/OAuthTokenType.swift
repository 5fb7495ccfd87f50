// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The type of a token in a token exchange (RFC 8693, section 3).
public struct OAuthTokenType: Sendable, Hashable {
    /// The URI of the type.
    public let uri: String

    /// Creates a type.
    ///
    /// - Parameter uri: The URI of the type.
    public init(_ uri: String) { self.uri = uri }

    /// An access token.
    public static let accessToken = OAuthTokenType("urn:ietf:params:oauth:token-type:access_token")
    /// A refresh token.
    public static let refreshToken = OAuthTokenType("urn:ietf:params:oauth:token-type:refresh_token")
    /// An ID token of OpenID Connect.
    public static let idToken = OAuthTokenType("urn:ietf:params:oauth:token-type:id_token")
    /// A JSON web token.
    public static let jwt = OAuthTokenType("urn:ietf:params:oauth:token-type:jwt")
}

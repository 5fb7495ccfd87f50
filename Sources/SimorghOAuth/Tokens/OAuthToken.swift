// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// The tokens that an authorization server issued.
public struct OAuthToken: Sendable, Hashable {
    /// The access token, with its expiration date and the refresh token.
    public var accessToken: AccessToken
    /// The granted scopes; `nil` if they are those of the request.
    public var scopes: [String]?
    /// The ID token of OpenID Connect, which this library neither reads nor verifies; `nil` without one.
    public var idToken: String?
    /// The kind of token that a token exchange issued (RFC 8693); `nil` for other grants.
    public var issuedTokenType: String?
    /// True if the token is for the field `Authorization`.
    ///
    /// It is false only for a token exchange that issued another kind of token (`token_type` is `N_A`), which
    /// ``accessToken`` holds then. It is no credential: `refreshingToken` refuses it.
    public var isAccessToken: Bool

    package init(
        _ accessToken: AccessToken, scopes: [String]? = nil, idToken: String? = nil, issuedTokenType: String? = nil,
        isAccessToken: Bool = true
    ) {
        self.accessToken = accessToken
        self.scopes = scopes
        self.idToken = idToken
        self.issuedTokenType = issuedTokenType
        self.isAccessToken = isAccessToken
    }
}

extension OAuthToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A description with the expiration date, without the tokens.
    public var description: String { accessToken.description }

    /// A description with the expiration date, without the tokens.
    public var debugDescription: String { description }

    /// An empty mirror, so that dumping a value does not reveal the tokens.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

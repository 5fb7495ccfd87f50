// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// The permission with which a client requests a token: a value that describes the fields of the request.
public struct OAuthGrant: Sendable {
    let fields: [QueryItem]
    let isRefresh: Bool

    /// True if the issued token can be one that is no access token (RFC 8693, section 2.2.1).
    var isExchange: Bool { fields.first?.value == Self.tokenExchangeType }

    private static let tokenExchangeType = "urn:ietf:params:oauth:grant-type:token-exchange"

    private init(_ type: String, _ fields: [(name: String, value: String?)], isRefresh: Bool = false) {
        self.fields =
            [QueryItem(name: "grant_type", value: type)]
            + fields.compactMap { field in field.value.map { QueryItem(name: field.name, value: $0) } }
        self.isRefresh = isRefresh
    }

    /// Returns the value of `scope`; `nil` without scopes.
    static func text(_ scopes: [String]) -> String? { scopes.isEmpty ? nil : scopes.joined(separator: " ") }

    private static func fields(_ parameters: [QueryItem]) -> [(name: String, value: String?)] {
        parameters.map { ($0.name, $0.value) }
    }

    /// The client's own identity (RFC 6749, section 4.4).
    ///
    /// - Parameters:
    ///   - scopes: The requested scopes; without any, the server decides.
    ///   - resources: The URLs of the APIs that will receive the token (RFC 8707).
    ///   - parameters: Further fields, such as the `audience` of some servers.
    /// - Returns: The grant.
    public static func clientCredentials(
        scopes: [String] = [], resources: [String] = [], parameters: [QueryItem] = []
    ) -> OAuthGrant {
        OAuthGrant(
            "client_credentials",
            [("scope", text(scopes))] + resources.map { ("resource", $0) } + fields(parameters))
    }

    /// A refresh token (RFC 6749, section 6).
    ///
    /// - Parameters:
    ///   - token: The refresh token.
    ///   - scopes: The requested scopes, at most those of the sign-in; without any, the same.
    /// - Returns: The grant.
    public static func refreshToken(_ token: String, scopes: [String] = []) -> OAuthGrant {
        OAuthGrant("refresh_token", [("refresh_token", token), ("scope", text(scopes))], isRefresh: true)
    }

    /// An assertion about a user or a service (RFC 7523).
    ///
    /// - Parameters:
    ///   - assertion: The signed assertion; see ``JWTAssertion``.
    ///   - scopes: The requested scopes.
    /// - Returns: The grant.
    public static func jwtBearer(_ assertion: String, scopes: [String] = []) -> OAuthGrant {
        OAuthGrant(
            "urn:ietf:params:oauth:grant-type:jwt-bearer", [("assertion", assertion), ("scope", text(scopes))])
    }

    /// A token that is exchanged for another one (RFC 8693).
    ///
    /// ``OAuthToken/isAccessToken`` is false if the server issued another kind of token, such as an ID token.
    ///
    /// - Parameters:
    ///   - subject: The token that represents the user.
    ///   - subjectType: The type of the subject's token.
    ///   - actor: The token of the party that acts for the user; `nil` without such a party.
    ///   - actorType: The type of the actor's token.
    ///   - requestedType: The type of the requested token; `nil` leaves it to the server.
    ///   - audiences: The names of the services that will receive the token.
    ///   - resources: The URLs of the APIs that will receive the token.
    ///   - scopes: The requested scopes.
    /// - Returns: The grant.
    public static func tokenExchange(
        subject: String, subjectType: OAuthTokenType = .accessToken, actor: String? = nil,
        actorType: OAuthTokenType = .accessToken, requestedType: OAuthTokenType? = nil, audiences: [String] = [],
        resources: [String] = [], scopes: [String] = []
    ) -> OAuthGrant {
        OAuthGrant(
            tokenExchangeType,
            [
                ("subject_token", subject), ("subject_token_type", subjectType.uri), ("actor_token", actor),
                ("actor_token_type", actor == nil ? nil : actorType.uri), ("requested_token_type", requestedType?.uri),
                ("scope", text(scopes)),
            ] + audiences.map { ("audience", $0) } + resources.map { ("resource", $0) })
    }

    /// A grant of another standard.
    ///
    /// - Parameters:
    ///   - type: The value of `grant_type`.
    ///   - parameters: The other fields.
    /// - Returns: The grant.
    public static func custom(_ type: String, parameters: [QueryItem] = []) -> OAuthGrant {
        OAuthGrant(type, fields(parameters))
    }

    static func authorizationCode(_ code: String, redirectURI: String, verifier: String) -> OAuthGrant {
        OAuthGrant(
            "authorization_code", [("code", code), ("redirect_uri", redirectURI), ("code_verifier", verifier)])
    }

    static func deviceCode(_ code: String) -> OAuthGrant {
        OAuthGrant("urn:ietf:params:oauth:grant-type:device_code", [("device_code", code)])
    }
}

extension OAuthGrant: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type of the grant, without its secrets.
    public var description: String { fields.first?.value ?? "grant" }

    /// The type of the grant, without its secrets.
    public var debugDescription: String { description }

    /// An empty mirror, so that dumping a value does not reveal the secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

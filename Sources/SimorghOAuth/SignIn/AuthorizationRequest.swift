// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A sign-in with a browser (RFC 6749, section 4.1), with a random `state` and a proof key (RFC 7636).
///
/// ```swift
/// let request = try oauth.authorizationRequest(redirectURI: "https://tour.example.com/signed-in", scopes: ["birds"])
/// // The browser opens request.url. The redirect has the URL:
/// let token = try await oauth.token(for: request, redirectedTo: redirect)
/// ```
/// A web server keeps the request in the session of its user until the redirect arrives, in memory or encoded. It holds the
/// secret of the proof key: keep it on the server, and never in a cookie or a page. Use it for one redirect only.
public struct AuthorizationRequest: Sendable, Codable {
    /// The URL that the browser opens.
    public let url: String
    /// The URL to which the server redirects the browser.
    public let redirectURI: String

    /// The random text that the redirect has to repeat, by which a server finds the request of a redirect.
    ///
    /// It must be looked up in the session of the browser that began the sign-in: otherwise an attacker could sign a user
    /// in to the attacker's account.
    public let state: String
    let pkce: PKCE
    /// The server that was asked, so that another one does not receive its code (RFC 9700, section 4.4.2).
    let server: OAuthServer
}

extension AuthorizationRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL without its query.
    public var description: String { "sign-in at \(RedactedURL.withoutQuery(url))" }

    /// The URL without its query.
    public var debugDescription: String { description }

    /// An empty mirror, so that dumping a value does not reveal the secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OAuthClient {
    /// Returns a sign-in with a browser.
    ///
    /// - Parameters:
    ///   - redirectURI: The URL to which the server redirects the browser, as it is registered with the server.
    ///   - scopes: The requested scopes.
    ///   - parameters: Further items of the query, such as `login_hint`.
    /// - Returns: The request, for one sign-in with a client of the same server.
    /// - Throws: ``OAuthError`` if the server has no endpoint for it.
    public func authorizationRequest(
        redirectURI: String, scopes: [String] = [], parameters: [QueryItem] = []
    ) throws -> AuthorizationRequest {
        guard let endpoint = server.authorizationEndpoint else {
            throw OAuthError.unsupported("the server has no endpoint for signing in with a browser")
        }
        guard server.supportsS256 else {
            throw OAuthError.unsupported(
                "the server does not support PKCE with S256, without which another program could use the code")
        }
        let (pkce, state) = (PKCE(), Base64URL.random())
        var items = [
            QueryItem(name: "response_type", value: "code"), QueryItem(name: "client_id", value: id),
            QueryItem(name: "redirect_uri", value: redirectURI), QueryItem(name: "state", value: state),
            QueryItem(name: "code_challenge", value: pkce.challenge),
            QueryItem(name: "code_challenge_method", value: "S256"),
        ]
        if let scope = OAuthGrant.text(scopes) { items.append(QueryItem(name: "scope", value: scope)) }
        // Binds the code to the key (RFC 9449, section 10).
        if let proof { items.append(QueryItem(name: "dpop_jkt", value: try proof.thumbprint)) }
        let own = Set(items.map(\.name))
        items += parameters.filter { !own.contains($0.name) }
        return AuthorizationRequest(
            url: EndpointURL.url(endpoint, adding: items), redirectURI: redirectURI, state: state, pkce: pkce,
            server: server)
    }

    /// Exchanges the code of a redirect for tokens.
    ///
    /// - Parameters:
    ///   - request: The sign-in.
    ///   - url: The URL to which the browser was redirected, or its path with the query.
    /// - Returns: The tokens.
    /// - Throws: ``OAuthError`` if the redirect belongs to another sign-in or server, if the user denied access, or if the
    ///   server rejects the code; a cancelled task throws `CancellationError`.
    public func token(for request: AuthorizationRequest, redirectedTo url: String) async throws -> OAuthToken {
        guard request.server.tokenEndpoint == server.tokenEndpoint, request.server.issuer == server.issuer else {
            throw OAuthError(.issuerMismatch, message: "the sign-in was begun at another authorization server")
        }
        let code = try AuthorizationResponse(url).code(for: request, of: server)
        return try await token(
            for: .authorizationCode(code, redirectURI: request.redirectURI, verifier: request.pkce.verifier))
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
public import SimorghCore
import SimorghSupport

/// A client of an OAuth 2.0 authorization server, which requests tokens.
///
/// ```swift
/// let server = OAuthServer(tokenEndpoint: "https://auth.example.com/token")
/// let oauth = try OAuthClient(id: "tour", server: server, authentication: .basic(secret: "feather"), over: client)
/// let token = oauth.refreshingToken(.clientCredentials(scopes: ["birds"]))
/// let signedIn = client.with { $0.authentication = oauth.authentication(token) }
/// ```
/// Its requests use the transport of the client that it was created with, and of its configuration what concerns
/// connections: the TLS options, the route, the time limits for connecting, `limits`, `access`, `httpVersion`,
/// `networkMonitor`, `transportSecurity` and `time`, and also the `userAgent`. They use nothing else of it: no credentials,
/// other header fields, cookies, interceptors, logs, events, retries and redirects. A request takes at most 30 seconds, and a response has at most 256 KiB. The client's other time limits do
/// not apply: a refresh that ends early can cost the sign-in, because the server may have replaced the refresh token.
public struct OAuthClient: Sendable {
    /// The longest time for a request.
    package static let longestRequest = Duration.seconds(30)
    /// The longest time for renewing a token: a request, its repetition with a nonce, and a grant after a rejection.
    package static let longestRenewal = Duration.seconds(45)
    /// The largest response, in bytes.
    package static let maximumResponseBytes = 256 * 1024

    /// The identifier of the client.
    public let id: String
    /// The endpoints of the server.
    public let server: OAuthServer
    let authentication: OAuthClientAuthentication
    /// The key to which tokens are bound; `nil` for bearer tokens.
    let proof: DPoPKey?
    let endpoint: APIClient

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - id: The identifier of the client.
    ///   - server: The endpoints of the server.
    ///   - authentication: The method by which the client proves its identity.
    ///   - proof: The key to which the server binds its tokens (DPoP, RFC 9449). Default: `nil`, bearer tokens.
    ///   - client: The client whose transport, TLS options, route and time limits for connecting are used.
    /// - Throws: ``OAuthError`` if the identifier is empty, or if a URL of the server is invalid, or is neither `https` nor
    ///   of this machine.
    public init(
        id: String, server: OAuthServer, authentication: OAuthClientAuthentication = .none, proof: DPoPKey? = nil,
        over client: APIClient
    ) throws {
        guard !id.isEmpty else { throw OAuthError.unsupported("the identifier of the client is empty") }
        try server.check()
        self.id = id
        self.server = server
        self.authentication = authentication
        self.proof = proof
        var identity: TLSIdentity?
        if case .mutualTLS(let own) = authentication.method { identity = own }
        endpoint = client.isolated(identity: identity)
    }

    var time: TimeSource { endpoint.configuration.time }

    /// The name under which stores keep the tokens of this client: a hash of its identifier and its server.
    ///
    /// An issuer can move its token endpoint, so the endpoint is the name only of a server without an issuer.
    package var owner: String {
        Base64URL.text(SHA256.hash(data: Data("\(server.issuer ?? server.tokenEndpoint)\n\(id)".utf8)))
    }

    /// The URLs for a client that authenticates with a certificate (RFC 8705, section 5); `nil` for other clients.
    private var aliases: OAuthServer.MutualTLSEndpoints? {
        if case .mutualTLS = authentication.method { server.mutualTLSEndpoints } else { nil }
    }

    private var tokenEndpoint: String { aliases?.tokenEndpoint ?? server.tokenEndpoint }

    var deviceAuthorizationEndpoint: String? {
        aliases?.deviceAuthorizationEndpoint ?? server.deviceAuthorizationEndpoint
    }

    /// Requests tokens.
    ///
    /// - Parameter grant: The grant.
    /// - Returns: The tokens.
    /// - Throws: ``OAuthError``; a cancelled task throws `CancellationError`.
    public func token(for grant: OAuthGrant) async throws -> OAuthToken {
        try await token(fields: grant.fields, isRefresh: grant.isRefresh, isExchange: grant.isExchange)
    }

    func token(
        fields: [QueryItem], isRefresh: Bool = false, isExchange: Bool = false
    ) async throws -> OAuthToken {
        let sent = time.now
        let (response, secrets) = try await send(tokenEndpoint, fields: fields, withProof: true)
        return try TokenResponse(status: response.statusCode, body: response.body, secrets: secrets).token(
            sentAt: sent, type: proof == nil ? "Bearer" : "DPoP", isRefresh: isRefresh, isExchange: isExchange)
    }

    /// Revokes the refresh token of a sign-in, or the access token if there is no refresh token (RFC 7009).
    ///
    /// Revoking the refresh token ends the sign-in; most servers then revoke its access tokens, too. The token stays in
    /// its store: see ``/SimorghCore/RefreshingToken/clear()``.
    ///
    /// - Parameter token: The access token of the sign-in, with its refresh token.
    /// - Throws: ``OAuthError``; the token may still be valid then.
    public func revokeSignIn(of token: AccessToken) async throws {
        guard let url = aliases?.revocationEndpoint ?? server.revocationEndpoint else {
            throw OAuthError.unsupported("the server has no endpoint for revoking tokens")
        }
        let fields = [
            QueryItem(name: "token", value: token.refreshToken ?? token.value),
            QueryItem(name: "token_type_hint", value: token.refreshToken == nil ? "access_token" : "refresh_token"),
        ]
        let (response, secrets) = try await send(url, fields: fields)
        if response.statusCode == 200 { return }
        let body = (try? JSON(parsing: response.body)) ?? .null
        if let failure = EndpointErrorResponse(body, secrets: secrets) {
            throw failure.error(status: response.statusCode)
        }
        throw OAuthError(
            .invalidResponse, message: "the token was not revoked: the server answered \(response.statusCode)",
            statusCode: response.statusCode)
    }

    /// Sends a form to an endpoint.
    ///
    /// - Parameters:
    ///   - url: The endpoint.
    ///   - fields: The fields of the form, without the identity of the client.
    ///   - withProof: True to send a proof of possession, if the client has a key for it.
    /// - Returns: The response, and the secrets of the request, which no error may repeat.
    /// - Throws: ``OAuthError`` or `CancellationError`.
    func send(
        _ url: String, fields: [QueryItem], withProof: Bool = false
    ) async throws -> (response: CollectedResponse, secrets: [String]) {
        var nonce = withProof ? proof?.nonce(for: url, role: .authorizationServer) : nil
        // A server asks for its nonce once (RFC 9449, section 8).
        for attempt in 0..<2 {
            var request = EndpointRequest(url: url, fields: fields)
            // An issuer was verified; the URL of another endpoint could be that of an attacker.
            try await request.authenticate(
                id, by: authentication.method, audience: server.issuer ?? url, at: time.now)
            if withProof, let proof {
                request.headers["DPoP"] = try proof.proof(method: "POST", url: url, at: time.now, nonce: nonce)
            }
            let call = endpoint.call(.post, url, headers: request.headers, body: .form(fields: request.fields))
            let response = try await Self.response(of: call)
            guard withProof, let proof, let next = response.header("DPoP-Nonce") else {
                return (response, request.secrets)
            }
            proof.keep(nonce: next, for: url, role: .authorizationServer)
            let failure = EndpointErrorResponse((try? JSON(parsing: response.body)) ?? .null, secrets: [])
            let latest = proof.nonce(for: url, role: .authorizationServer)
            guard attempt == 0, failure?.code == "use_dpop_nonce", latest != nonce else {
                return (response, request.secrets)
            }
            nonce = latest
        }
        throw OAuthError.invalidResponse("it asked for a nonce twice")
    }

    static func response(of call: Call<Data>) async throws -> CollectedResponse {
        do {
            return try await call.response().response
        } catch {
            if (error as? NetworkError)?.isCancelled == true { throw CancellationError() }
            if let refusal = (error as? NetworkError)?.underlyingError as? OAuthError { throw refusal }
            if case .bodyTooLarge? = error as? NetworkError {
                throw OAuthError.invalidResponse("it is larger than 256 KiB")
            }
            throw OAuthError(
                .unreachable, message: "the authorization server could not be asked: \(error)", underlying: error)
        }
    }
}

extension OAuthClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identifier of the client, without its secret.
    public var description: String { "OAuth client \(id)" }

    /// The identifier of the client, without its secret.
    public var debugDescription: String { description }

    /// A mirror with the identifier only, so that dumping a value does not reveal the secret.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

extension APIClient {
    /// Returns a client over the same transport for requests that carry secrets.
    ///
    /// - Parameter identity: The certificate for the connection.
    /// - Returns: The client, without credentials, header fields, interceptors, logs, events, retries and redirects.
    func isolated(identity: TLSIdentity? = nil) -> APIClient {
        let outer = configuration
        var inner = APIClient.Configuration()
        inner.userAgent = outer.userAgent
        inner.timeouts.connect = outer.timeouts.connect
        inner.timeouts.tls = outer.timeouts.tls
        inner.timeouts.total = OAuthClient.longestRequest
        inner.limits = outer.limits
        inner.tls = outer.tls
        inner.tls.identity = identity
        inner.route = outer.route
        inner.access = outer.access
        inner.httpVersion = outer.httpVersion
        inner.networkMonitor = outer.networkMonitor
        inner.transportSecurity = outer.transportSecurity
        inner.time = outer.time
        inner.redirects = .none
        // The endpoints were checked, but a proxy or an address of the route can lead away from this machine.
        inner.interceptors = [.refusingClearText("endpoint")]
        inner.validation.statusCodes = .any
        inner.maximumCollectedBytes = OAuthClient.maximumResponseBytes
        inner.maximumErrorBodyBytes = OAuthClient.maximumResponseBytes
        return APIClient(configuration: inner, transport: settings.transport)
    }
}

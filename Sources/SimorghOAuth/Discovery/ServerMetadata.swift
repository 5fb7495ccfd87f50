// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A metadata document, as a value that is checked.
struct ServerMetadata: Sendable {
    private static let maximumServers = 16
    private static let maximumScopes = 1000

    private let body: JSON

    init(status: Int, body: Data) throws(OAuthError) {
        guard status == 200 else {
            throw OAuthError(
                .invalidResponse, message: "the metadata could not be read: the server answered \(status)",
                statusCode: status)
        }
        let json = (try? JSON(parsing: body)) ?? .null
        guard json.object != nil else { throw .invalidResponse("the metadata is not a JSON object") }
        self.body = json
    }

    /// Returns the endpoints of an authorization server.
    ///
    /// - Parameter issuer: The issuer that was asked.
    /// - Returns: The endpoints.
    /// - Throws: An error if the document is that of another issuer, or is not valid.
    func server(issuer: String) throws(OAuthError) -> OAuthServer {
        // Else a server could name the endpoints of another one (RFC 8414, section 3.3).
        guard body["issuer"].string == issuer else {
            throw OAuthError(
                .issuerMismatch,
                message: "the metadata is that of another issuer; ask for exactly the issuer of the server")
        }
        guard let tokenEndpoint = body["token_endpoint"].string else {
            throw .invalidResponse("the metadata has no token_endpoint")
        }
        let challenges = body["code_challenge_methods_supported"].array
        var server = OAuthServer(
            issuer: issuer, tokenEndpoint: tokenEndpoint,
            authorizationEndpoint: body["authorization_endpoint"].string,
            deviceAuthorizationEndpoint: body["device_authorization_endpoint"].string,
            revocationEndpoint: body["revocation_endpoint"].string)
        server.namesIssuer = body["authorization_response_iss_parameter_supported"].bool ?? false
        server.supportsS256 = challenges?.contains { $0.string == "S256" } ?? true
        let aliases = body["mtls_endpoint_aliases"]
        if aliases.object != nil {
            var endpoints = OAuthServer.MutualTLSEndpoints()
            endpoints.tokenEndpoint = aliases["token_endpoint"].string
            endpoints.deviceAuthorizationEndpoint = aliases["device_authorization_endpoint"].string
            endpoints.revocationEndpoint = aliases["revocation_endpoint"].string
            server.mutualTLSEndpoints = endpoints
        }
        try server.check(allowsLoopback: EndpointURL.isLoopback(issuer))
        return server
    }

    /// Returns the metadata of an API.
    ///
    /// - Parameter resource: The identifier of the API that was asked.
    /// - Returns: The metadata.
    /// - Throws: An error if the document is that of another resource, or is not valid.
    func resource(_ resource: String) throws(OAuthError) -> ProtectedResource {
        // RFC 9728, section 3.3.
        guard body["resource"].string == resource else {
            throw OAuthError(.issuerMismatch, message: "the metadata is that of another resource")
        }
        let servers = (body["authorization_servers"].array ?? []).prefix(Self.maximumServers).compactMap(\.string)
        let isLocal = EndpointURL.isLoopback(resource)
        for server in servers {
            try EndpointURL.check(server, name: "authorization server", allowsLoopback: isLocal)
        }
        let scopes = body["scopes_supported"].array?.prefix(Self.maximumScopes).compactMap(\.string)
        return ProtectedResource(resource: resource, authorizationServers: servers, scopes: scopes)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension OAuthServer {
    /// Reads the endpoints of a server from its metadata (RFC 8414, and OpenID Connect Discovery).
    ///
    /// The metadata must name exactly the issuer that was asked. The endpoints may be on other hosts, because the issuer
    /// decides that, but not on this machine, unless the issuer is on this machine, too.
    ///
    /// - Parameters:
    ///   - issuer: The identifier of the server, a URL such as `https://auth.example.com`.
    ///   - client: The client whose transport, TLS options, route and time limits for connecting are used.
    /// - Returns: The endpoints.
    /// - Throws: ``OAuthError``; a cancelled task throws `CancellationError`.
    public static func discovered(issuer: String, over client: APIClient) async throws -> OAuthServer {
        try EndpointURL.check(issuer, name: "issuer")
        let client = client.isolated()
        var failure: OAuthError?
        for url in try MetadataURLs.server(issuer) {
            let response = try await OAuthClient.response(
                of: client.call(.get, url, headers: ["Accept": "application/json"]))
            // The other form of the URL may exist. Some servers answer an unknown path with another error than 404.
            guard !absent.contains(response.statusCode) else {
                failure = .unsupported("the server has no metadata: it answered \(response.statusCode)")
                continue
            }
            return try ServerMetadata(status: response.statusCode, body: response.body).server(issuer: issuer)
        }
        throw failure ?? .unsupported("the server has no metadata")
    }

    /// The statuses of servers that do not know the path.
    private static let absent: Set<Int> = [400, 401, 403, 404, 405, 410]
}

/// The metadata of an API that accepts OAuth tokens (RFC 9728).
public struct ProtectedResource: Sendable, Hashable {
    /// The identifier of the API.
    public let resource: String
    /// The issuers of its authorization servers, at most 16.
    public let authorizationServers: [String]
    /// The scopes that it uses; `nil` if it does not say.
    public let scopes: [String]?

    /// Reads the metadata of an API.
    ///
    /// - Parameters:
    ///   - resource: The identifier of the API, a URL such as `https://api.example.com`.
    ///   - client: The client whose transport, TLS options, route and time limits for connecting are used.
    /// - Returns: The metadata. An attacker who controls the API can name any server: show it to the user, or compare it
    ///   with servers that you know.
    /// - Throws: ``OAuthError``; a cancelled task throws `CancellationError`.
    public static func discovered(_ resource: String, over client: APIClient) async throws -> ProtectedResource {
        try EndpointURL.check(resource, name: "resource")
        let url = try MetadataURLs.wellKnown(
            "oauth-protected-resource", of: resource, called: "resource", allowsQuery: true)
        let response = try await OAuthClient.response(
            of: client.isolated().call(.get, url, headers: ["Accept": "application/json"]))
        return try ServerMetadata(status: response.statusCode, body: response.body).resource(resource)
    }
}

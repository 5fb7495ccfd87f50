// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghOAuth
import SimorghTesting
import TestSupport
import Testing

@Suite("Metadata of servers (RFC 8414) and of resources (RFC 9728)", .timeLimit(.minutes(5)))
struct DiscoveryTests {
    private static let document = """
        {"issuer": "https://auth.example.com/t7", "token_endpoint": "https://token.example.net/token",
        "authorization_endpoint": "https://auth.example.com/authorize", "code_challenge_methods_supported": ["plain", "S256"],
        "device_authorization_endpoint": "https://auth.example.com/device",
        "revocation_endpoint": "https://auth.example.com/revoke",
        "authorization_response_iss_parameter_supported": true}
        """

    @Test(
        "The well-known path is between the host and the path; without a document there, that of OpenID Connect is read"
    )
    func server() async throws {
        let oauth = StubbedOAuth { request in
            request.path.hasSuffix("openid-configuration") ? .json(Self.document) : .status(.notFound)
        }
        let server = try await OAuthServer.discovered(issuer: "https://auth.example.com/t7", over: oauth.api)
        #expect(server.tokenEndpoint == "https://token.example.net/token" && server.namesIssuer)
        #expect(server.authorizationEndpoint == "https://auth.example.com/authorize")
        #expect(server.deviceAuthorizationEndpoint != nil && server.revocationEndpoint != nil)
        #expect(
            oauth.transport.requests.map(\.url) == [
                "https://auth.example.com/.well-known/oauth-authorization-server/t7",
                "https://auth.example.com/t7/.well-known/openid-configuration",
            ])
    }

    @Test(
        "A document of another issuer is refused",
        arguments: [
            "https://auth.example.com", "https://auth.example.com/t7/", "https://AUTH.example.com/t7",
            "https://evil.example/t7", "http://auth.example.com/t7",
        ])
    func otherIssuer(issuer: String) async throws {
        let body = Self.document.replacing("https://auth.example.com/t7", with: issuer)
        let oauth = StubbedOAuth { _ in .json(body) }
        let error = try await #require(throws: OAuthError.self) {
            try await OAuthServer.discovered(issuer: "https://auth.example.com/t7", over: oauth.api)
        }
        #expect(error.reason == .issuerMismatch)
    }

    @Test(
        "Documents that are not valid, or lead to http, are refused",
        arguments: [
            ("", OAuthError.Reason.invalidResponse), ("[]", .invalidResponse),
            (#"{"issuer": "https://auth.example.com/t7"}"#, .invalidResponse),
            (
                #"{"issuer": "https://auth.example.com/t7", "token_endpoint": "http://auth.example.com/t"}"#,
                .insecureURL
            ),
            (
                #"{"issuer": "https://auth.example.com/t7", "token_endpoint": "https://a.example/t", "revocation_endpoint": "http://a.example/r"}"#,
                .insecureURL
            ),
        ])
    func invalid(body: String, reason: OAuthError.Reason) async throws {
        let oauth = StubbedOAuth { _ in .json(body) }
        let error = try await #require(throws: OAuthError.self) {
            try await OAuthServer.discovered(issuer: "https://auth.example.com/t7", over: oauth.api)
        }
        #expect(error.reason == reason)
    }

    @Test(
        "Redirects are not followed, missing metadata is an error, and a server without S256 cannot sign in by browser")
    func limits() async throws {
        let redirecting = StubbedOAuth { _ in
            StubResponse.status(.found).header(.location, value: "https://evil.example/")
        }
        let moved = try await #require(throws: OAuthError.self) {
            try await OAuthServer.discovered(issuer: "https://auth.example.com/t7", over: redirecting.api)
        }
        #expect(moved.reason == .invalidResponse && moved.statusCode == 302)
        let missing = StubbedOAuth { _ in .status(.notFound) }
        let absent = try await #require(throws: OAuthError.self) {
            try await OAuthServer.discovered(issuer: "https://auth.example.com/t7", over: missing.api)
        }
        #expect(absent.reason == .unsupported && missing.transport.requestCount == 2)
        let plain = StubbedOAuth { _ in .json(Self.document.replacing(", \"S256\"", with: "")) }
        let server = try await OAuthServer.discovered(issuer: "https://auth.example.com/t7", over: plain.api)
        let client = try OAuthClient(id: "a", server: server, over: plain.api)
        let error = try #require(throws: OAuthError.self) {
            try client.authorizationRequest(redirectURI: "https://a.example/")
        }
        #expect(error.reason == .unsupported && error.description.contains("S256"))
        let saved = try JSONDecoder().decode(OAuthServer.self, from: JSONEncoder().encode(server))
        #expect(!saved.supportsS256)
    }

    @Test(
        "Metadata of another machine cannot name a URL of this machine; that of this machine can",
        arguments: [
            "token_endpoint", "authorization_endpoint", "device_authorization_endpoint", "revocation_endpoint",
        ],
        [
            "http://127.0.0.1:2375/v1/x?y=z", "https://127.8.9.1/x", "http://localhost:8080/", "http://[::1]/",
            "https://a.localhost/", "https://0.0.0.0/", "https://[::ffff:127.0.0.1]/",
        ])
    func loopback(member: String, url: String) async throws {
        for issuer in ["https://auth.example.com", "http://127.0.0.1:9"] {
            var members = ["issuer": JSON.string(issuer), "token_endpoint": "https://a.example/t"]
            members[member] = .string(url)
            let body = JSON.object(members).description
            let oauth = StubbedOAuth { _ in .json(body) }
            do {
                _ = try await OAuthServer.discovered(issuer: issuer, over: oauth.api)
                #expect(issuer.hasPrefix("http:"))
            } catch {
                #expect((error as? OAuthError)?.reason == .insecureURL && issuer.hasPrefix("https:"), "\(error)")
            }
        }
    }

    @Test("Another error than 404 for an unknown path does not end the search", arguments: [400, 401, 403, 405, 410])
    func otherStatuses(status: Int) async throws {
        let oauth = StubbedOAuth { request in
            request.path.hasSuffix("openid-configuration")
                ? .json(Self.document) : StubResponse(status: HTTPResponse.Status(code: status))
        }
        let server = try await OAuthServer.discovered(issuer: "https://auth.example.com/t7", over: oauth.api)
        #expect(server.tokenEndpoint == "https://token.example.net/token" && server.mutualTLSEndpoints == nil)
    }

    @Test("The endpoints for mutual TLS are read and checked")
    func aliases() async throws {
        func server(_ url: String) async throws -> OAuthServer {
            let body = Self.document.replacing(
                "\"revocation_endpoint\"",
                with: "\"mtls_endpoint_aliases\": {\"token_endpoint\": \"\(url)\"}, \"revocation_endpoint\"")
            let oauth = StubbedOAuth { _ in .json(body) }
            return try await OAuthServer.discovered(issuer: "https://auth.example.com/t7", over: oauth.api)
        }
        let aliases = try await server("https://mtls.example.com/token").mutualTLSEndpoints
        #expect(aliases?.tokenEndpoint == "https://mtls.example.com/token" && aliases?.revocationEndpoint == nil)
        let error = try await #require(throws: OAuthError.self) { try await server("http://mtls.example.com/token") }
        #expect(error.reason == .insecureURL)
    }

    @Test("The identifier of a resource can have a query, which stays at the end")
    func resourceQuery() async throws {
        let oauth = StubbedOAuth { _ in .json(#"{"resource": "https://api.example.com/v1?a=b"}"#) }
        _ = try await ProtectedResource.discovered("https://api.example.com/v1?a=b", over: oauth.api)
        #expect(
            oauth.transport.requests.map(\.url) == [
                "https://api.example.com/.well-known/oauth-protected-resource/v1?a=b"
            ])
    }

    @Test("The metadata of a resource names exactly that resource, and servers with https")
    func resource() async throws {
        let oauth = StubbedOAuth { request in
            request.path == "/.well-known/oauth-protected-resource/v1"
                ? .json(
                    #"{"resource": "https://api.example.com/v1", "authorization_servers": ["https://auth.example.com"], "scopes_supported": ["a"]}"#
                )
                : .json(
                    #"{"resource": "https://api.example.com/v1", "authorization_servers": ["http://auth.example.com"]}"#
                )
        }
        let resource = try await ProtectedResource.discovered("https://api.example.com/v1", over: oauth.api)
        #expect(resource.authorizationServers == ["https://auth.example.com"] && resource.scopes == ["a"])
        let other = try await #require(throws: OAuthError.self) {
            try await ProtectedResource.discovered("https://api.example.com", over: oauth.api)
        }
        #expect(other.reason == .issuerMismatch)
    }
}

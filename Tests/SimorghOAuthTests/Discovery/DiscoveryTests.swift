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
        #expect(error.reason == .unsupported)
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

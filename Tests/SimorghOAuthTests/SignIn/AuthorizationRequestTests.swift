// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import Foundation
import HTTPTypes
import SimorghOAuth
import SimorghTesting
import TestSupport
import Testing

@Suite("Sign-in with a browser (RFC 6749, 7636, 9207)", .timeLimit(.minutes(5)))
struct AuthorizationRequestTests {
    private static let redirectURI = "http://127.0.0.1:9/callback"

    private static func query(_ url: String) -> [String: String] {
        let items = URLComponents(string: url)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    @Test("The URL keeps the query of the endpoint, and has a random state and the S256 challenge of the verifier")
    func url() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let client = try oauth.client()
        let parameters = [QueryItem(name: "login_hint", value: "zal"), QueryItem(name: "state", value: "fixed")]
        let (one, two) = (
            try client.authorizationRequest(redirectURI: Self.redirectURI, scopes: ["a", "b"], parameters: parameters),
            try client.authorizationRequest(redirectURI: Self.redirectURI)
        )
        #expect(one.url.hasPrefix("https://auth.example.com/authorize?tenant=7&response_type=code&"))
        let (first, second) = (Self.query(one.url), Self.query(two.url))
        #expect(first["client_id"] == "tour" && first["redirect_uri"] == Self.redirectURI)
        #expect(first["scope"] == "a b" && first["login_hint"] == "zal" && first["code_challenge_method"] == "S256")
        #expect(first["state"]?.count == 43 && first["state"] != second["state"] && first["state"] != "fixed")
        #expect(first["code_challenge"] != second["code_challenge"])

        let redirect =
            "\(Self.redirectURI)?code=c0de&state=\(try #require(first["state"]))&iss=https://auth.example.com"
        let token = try await client.token(for: one, redirectedTo: redirect)
        #expect(token.accessToken.value == "t1")
        let fields = StubbedOAuth.fields(try #require(oauth.transport.requests.first))
        #expect(fields["code"] == "c0de" && fields["redirect_uri"] == Self.redirectURI)
        let verifier = try #require(fields["code_verifier"])
        #expect(verifier.count == 43)
        let hash = Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
        #expect(hash == first["code_challenge"])
    }

    @Test(
        "A redirect of another sign-in, another server or another URL is refused without a request",
        arguments: [
            ("CALLBACK?code=c", OAuthError.Reason.stateMismatch),
            ("CALLBACK?code=c&state=", .stateMismatch),
            ("CALLBACK?code=c&state=abc&iss=https://auth.example.com", .stateMismatch),
            ("CALLBACK?error=access_denied&state=abc", .stateMismatch),
            ("CALLBACK?code=c&state=STATE", .issuerMismatch),
            ("CALLBACK?code=c&state=STATE&iss=https://evil.example", .issuerMismatch),
            ("CALLBACK?code=c&state=STATE&iss=https://auth.example.com/", .issuerMismatch),
            ("CALLBACK?state=STATE&iss=https://auth.example.com", .invalidResponse),
            ("CALLBACK?code=&state=STATE&iss=https://auth.example.com", .invalidResponse),
            ("CALLBACK?code=c&code=d&state=STATE&iss=https://auth.example.com", .invalidResponse),
            ("CALLBACK?code=c&state=STATE&state=STATE&iss=https://auth.example.com", .invalidResponse),
            ("CALLBACK?error=access_denied&state=STATE&iss=https://auth.example.com", .denied),
            ("CALLBACK?error=server_error&code=c&state=STATE&iss=https://auth.example.com", .rejected),
            ("CALLBACK?error=%1b%5b31m&state=STATE&iss=https://auth.example.com", .invalidResponse),
            ("CALLBACK#code=c&state=STATE&iss=https://auth.example.com", .stateMismatch),
            ("http://127.0.0.1:9/other?code=c&state=STATE&iss=https://auth.example.com", .invalidResponse),
            ("http://evil.example/callback?code=c&state=STATE&iss=https://auth.example.com", .invalidResponse),
            ("/back?code=c&state=STATE&iss=https://auth.example.com", .invalidResponse),
            ("", .invalidResponse),
        ])
    func refused(redirect: String, reason: OAuthError.Reason) async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let client = try oauth.client()
        let request = try client.authorizationRequest(redirectURI: Self.redirectURI)
        let state = try #require(Self.query(request.url)["state"])
        let url = redirect.replacing("CALLBACK", with: Self.redirectURI).replacing("STATE", with: state)
        let error = try await #require(throws: OAuthError.self) {
            try await client.token(for: request, redirectedTo: url)
        }
        #expect(error.reason == reason, "\(error)")
        #expect(oauth.transport.requestCount == 0)
        #expect(!error.description.contains(state) && !error.description.contains("\u{1b}"))
    }

    @Test("A request that was saved in a session completes the sign-in, and is found by its state")
    func saved() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let client = try oauth.client()
        let request = try client.authorizationRequest(redirectURI: Self.redirectURI)
        #expect(Self.query(request.url)["state"] == request.state)
        let restored = try JSONDecoder().decode(AuthorizationRequest.self, from: JSONEncoder().encode(request))
        #expect(restored.state == request.state && restored.url == request.url)
        let redirect = "\(Self.redirectURI)?code=c0de&state=\(request.state)&iss=https://auth.example.com"
        let token = try await client.token(for: restored, redirectedTo: redirect)
        #expect(token.accessToken.value == "t1")
        let fields = StubbedOAuth.fields(try #require(oauth.transport.requests.first))
        let verifier = try #require(fields["code_verifier"])
        let hash = Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
        #expect(hash == Self.query(request.url)["code_challenge"])
    }

    @Test("A client of another server does not exchange the code of a sign-in")
    func otherServer() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let request = try oauth.client().authorizationRequest(redirectURI: Self.redirectURI)
        let state = try #require(Self.query(request.url)["state"])
        let other = try OAuthClient(
            id: "tour", server: OAuthServer(tokenEndpoint: "https://evil.example/token"), over: oauth.api)
        let error = try await #require(throws: OAuthError.self) {
            try await other.token(for: request, redirectedTo: "\(Self.redirectURI)?code=c&state=\(state)")
        }
        #expect(error.reason == .issuerMismatch && oauth.transport.requestCount == 0)
    }

    @Test("A very long redirect is refused")
    func long() async throws {
        let client = try StubbedOAuth { _ in .status(.ok) }.client()
        let request = try client.authorizationRequest(redirectURI: Self.redirectURI)
        let url = "/callback?code=" + String(repeating: "c", count: 20_000)
        let error = try await #require(throws: OAuthError.self) {
            try await client.token(for: request, redirectedTo: url)
        }
        #expect(error.reason == .invalidResponse)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghOAuth
import SimorghTesting
import TestSupport
import Testing

@Suite("OAuthClient", .timeLimit(.minutes(5)))
struct OAuthClientTests {
    @Test("Client credentials are sent as a form, with the client's secret as Basic credentials that are encoded first")
    func basic() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let token = try await oauth.client(.basic(secret: "a:b c%"), id: "to ur")
            .token(for: .clientCredentials(scopes: ["birds", "eggs"], resources: ["https://api.example.com/"]))
        #expect(token.accessToken.value == "t1" && token.scopes == nil && token.accessToken.refreshToken == nil)
        #expect(token.accessToken.expiration == oauth.clock.date.addingTimeInterval(3600))
        let request = try #require(oauth.transport.requests.first)
        #expect(request.method == .post && request.url == "https://auth.example.com/token")
        #expect(request.header(.accept) == "application/json")
        #expect(request.header(.contentType) == "application/x-www-form-urlencoded")
        let encoded = Data("to%20ur:a%3Ab%20c%25".utf8).base64EncodedString()
        #expect(request.header(.authorization) == "Basic \(encoded)")
        #expect(
            StubbedOAuth.fields(request) == [
                "grant_type": "client_credentials", "scope": "birds eggs", "resource": "https://api.example.com/",
            ])
    }

    @Test("A secret in the form, and a public client, name the client in the form")
    func post() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        _ = try await oauth.client(.post(secret: "s&=")).token(for: .clientCredentials())
        _ = try await oauth.client().token(for: .refreshToken("r1"))
        let requests = oauth.transport.requests
        #expect(requests.allSatisfy { $0.header(.authorization) == nil })
        #expect(
            StubbedOAuth.fields(requests[0]) == [
                "grant_type": "client_credentials", "client_id": "tour", "client_secret": "s&=",
            ])
        #expect(
            StubbedOAuth.fields(requests[1]) == [
                "grant_type": "refresh_token", "refresh_token": "r1", "client_id": "tour",
            ])
    }

    @Test("Requests for tokens use nothing of the caller's client but its transport and options of the connection")
    func isolation() async throws {
        let oauth = StubbedOAuth { request in
            request.path == "/token"
                ? StubResponse.status(.found).header(.location, value: "https://evil.example/") : .status(.ok)
        }
        let events = Counter()
        let api = oauth.api.with {
            $0.baseURL = "https://api.example.com/v1"
            $0.authentication = .bearer("api")
            $0.headers = ["X-Tenant": "7"]
            $0.cookies = .memory
            $0.retry = RetryPolicy()
            $0.interceptors = [
                Interceptor { request, next in
                    _ = events.next()
                    return try await next(request)
                }
            ]
            $0.logging.onEvent = { _ in _ = events.next() }
        }
        let client = try OAuthClient(id: "tour", server: StubbedOAuth.server, over: api)
        let error = try await #require(throws: OAuthError.self) { try await client.token(for: .clientCredentials()) }
        #expect(error.reason == .invalidResponse && error.statusCode == 302)
        #expect(oauth.transport.requestCount == 1 && events.count == 0)
        let fields = try #require(oauth.transport.requests.first).head.headerFields
        #expect(fields[.authorization] == nil && fields[.known("X-Tenant")] == nil)
    }

    @Test(
        "Endpoints must be https, or of this machine, without a user name and a fragment",
        arguments: [
            ("https://a.example/token", true), ("http://127.0.0.1:80/t", true), ("http://localhost/t", true),
            ("http://[::1]/t", true), ("http://a.example/token", false), ("http://127.0.0.1.example/t", false),
            ("http://localhost.example/t", false), ("https://u:p@a.example/t", false), ("https://a.example/t#x", false),
            ("ftp://a.example/t", false), ("https://", false), ("", false), ("a.example/t", false),
            ("https://a.example/\u{1}", false), ("https://a.example/" + String(repeating: "a", count: 5000), false),
        ])
    func urls(url: String, isAllowed: Bool) {
        let api = StubbedOAuth { _ in .status(.ok) }.api
        let servers = [
            OAuthServer(tokenEndpoint: url),
            OAuthServer(tokenEndpoint: "https://a.example/t", authorizationEndpoint: url),
            OAuthServer(tokenEndpoint: "https://a.example/t", deviceAuthorizationEndpoint: url),
            OAuthServer(tokenEndpoint: "https://a.example/t", revocationEndpoint: url),
            OAuthServer(issuer: url, tokenEndpoint: "https://a.example/t"),
        ]
        for server in servers {
            do {
                _ = try OAuthClient(id: "a", server: server, over: api)
                #expect(isAllowed)
            } catch {
                #expect(!isAllowed && (error as? OAuthError)?.reason == .insecureURL, "\(error)")
            }
        }
    }

    @Test("No error repeats what the request sent, even if the server does, and control characters are removed")
    func echo() async throws {
        let oauth = StubbedOAuth { request in
            let fields = StubbedOAuth.fields(request)
            let secrets = (fields["refresh_token"] ?? "") + " " + (fields["client_secret"] ?? "")
            return StubbedOAuth.error(
                "invalid_request", "you sent \(secrets) \\u001b[31m\\n" + String(repeating: "x", count: 9000))
        }
        let error = try await #require(throws: OAuthError.self) {
            try await oauth.client(.post(secret: "s3cret")).token(for: .refreshToken("r3fresh"))
        }
        #expect(error.reason == .rejected && error.code == "invalid_request" && error.statusCode == 400)
        for text in [error.description, "\(error)", error.localizedDescription, String(reflecting: error)] {
            #expect(!text.contains("s3cret") && !text.contains("r3fresh"))
        }
        #expect(error.description.contains("you sent … … "))
        #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 } && error.description.utf8.count < 500)
    }

    @Test("A server that sends a secret as its error code is not repeated")
    func echoedCode() async throws {
        let oauth = StubbedOAuth { request in StubbedOAuth.error(StubbedOAuth.fields(request)["refresh_token"] ?? "") }
        let error = try await #require(throws: OAuthError.self) {
            try await oauth.client().token(for: .refreshToken("r3fresh"))
        }
        #expect(error.reason == .invalidResponse && !error.description.contains("r3fresh"))
    }

    @Test("Neither clients, grants, tokens nor keys show secrets in descriptions and dumps")
    func descriptions() throws {
        let oauth = StubbedOAuth { _ in .status(.ok) }
        let client = try oauth.client(.post(secret: "s3cret"))
        let request = try client.authorizationRequest(redirectURI: "https://a.example/cb")
        let values: [Any] = [
            client, OAuthClientAuthentication.basic(secret: "s3cret"), OAuthGrant.refreshToken("s3cret"),
            OAuthGrant.jwtBearer("s3cret"), DPoPKey(), request,
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, "\(value)", String(reflecting: value)] {
                #expect(!text.contains("s3cret") && !text.contains("state=") && !text.contains("verifier"))
            }
        }
    }

    @Test("A response that is too large, and a server that cannot be reached, are typed errors without a body")
    func unreachable() async throws {
        let large = StubbedOAuth { _ in .json("{\"access_token\": \"\(String(repeating: "t", count: 300_000))\"}") }
        let first = try await #require(throws: OAuthError.self) {
            try await large.client().token(for: .clientCredentials())
        }
        #expect(first.reason == .unreachable && !first.description.contains("ttt"))
        let down = StubbedOAuth { _ in .timedOut() }
        let second = try await #require(throws: OAuthError.self) {
            try await down.client().token(for: .clientCredentials())
        }
        #expect(second.reason == .unreachable && (second.underlying as? NetworkError)?.isRetryable == true)
    }

    @Test("Revoking sends the refresh token, or the access token without one, and needs status 200")
    func revocation() async throws {
        let oauth = StubbedOAuth { request in
            StubbedOAuth.fields(request)["token"] == "bad" ? StubbedOAuth.error("unsupported_token_type") : .status(.ok)
        }
        let client = try oauth.client()
        try await client.revoke(AccessToken("a", refreshToken: "r"))
        try await client.revoke(AccessToken("a"))
        let error = try await #require(throws: OAuthError.self) { try await client.revoke(AccessToken("bad")) }
        #expect(error.code == "unsupported_token_type")
        let fields = oauth.transport.requests.map(StubbedOAuth.fields)
        #expect(fields[0] == ["token": "r", "token_type_hint": "refresh_token", "client_id": "tour"])
        #expect(fields[1] == ["token": "a", "token_type_hint": "access_token", "client_id": "tour"])
        #expect(oauth.transport.requests[0].url == "https://auth.example.com/revoke")
        let without = try OAuthClient(
            id: "a", server: OAuthServer(tokenEndpoint: "https://a.example/t"), over: oauth.api)
        let missing = try await #require(throws: OAuthError.self) { try await without.revoke(AccessToken("a")) }
        #expect(missing.reason == .unsupported)
    }
}

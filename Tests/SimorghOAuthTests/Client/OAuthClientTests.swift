// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghNIO
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
            ("https://a.example/\u{1}", false), ("https://a.example/\u{9b}2J", false),
            ("https://a.example/\u{202e}", false),
            ("https://a.example/a b", false), ("https://a.example/?\"", false), ("https://a.example/$(x)`", false),
            ("https://a.example/<", false), ("https://a.example/{x}", false), ("https://a.example/|\\^", false),
            ("https://a.example/%20?a=%22&b='(c)", true),
            ("https://a.example/" + String(repeating: "a", count: 5000), false),
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

    @Test("No error repeats the fields that a program adds, nor their percent-encoded form; registered codes stay")
    func echoedFields() async throws {
        let oauth = StubbedOAuth { request in
            StubbedOAuth.error("invalid_grant", "\(request.text) \(StubbedOAuth.fields(request)["api_key"] ?? "")")
        }
        let grant = OAuthGrant.custom(
            "urn:example:grant",
            parameters: [
                QueryItem(name: "api_key", value: "s3/cret"), QueryItem(name: "otp", value: "123456"),
                QueryItem(name: "kind", value: "grant"), QueryItem(name: "audience", value: "eggs"),
            ])
        let error = try await #require(throws: OAuthError.self) { try await oauth.client().token(for: grant) }
        #expect(error.code == "invalid_grant" && error.description.contains("eggs"))
        for secret in ["s3/cret", "s3%2Fcret", "123456"] { #expect(!error.description.contains(secret)) }
    }

    @Test("Requests for tokens take the limits for connecting from the caller's client, and have 30 seconds in all")
    func timeouts() async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let api = oauth.api.with {
            $0.timeouts.total = .seconds(1)
            $0.timeouts.head = .seconds(1)
            $0.timeouts.idle = .seconds(1)
            $0.timeouts.connect = .seconds(2)
            $0.timeouts.tls = .seconds(3)
        }
        _ = try await OAuthClient(id: "tour", server: StubbedOAuth.server, over: api).token(for: .clientCredentials())
        let timeouts = try #require(oauth.transport.requests.first?.options?.timeouts)
        #expect(timeouts.connect == .seconds(2) && timeouts.tls == .seconds(3))
        #expect(timeouts.head == Timeouts().head && timeouts.idle == Timeouts().idle)
        #expect(timeouts.total.map { $0 > .seconds(20) && $0 <= .seconds(30) } == true)
    }

    @Test("A token over http to this machine is not sent through a proxy")
    func clearText() async throws {
        let oauth = StubbedOAuth { _ in .status(.ok) }
        let token = RefreshingToken(AccessToken("t1")) { _ in nil }
        let api = oauth.api.with {
            $0.baseURL = nil
            $0.authentication = Authentication.refreshing(token).refusingClearText()
                .limited(to: ["http://127.0.0.1", "https://api.example.com"])
        }
        try await api.call(.get, "http://127.0.0.1/").void()
        try await api.call(.get, "https://api.example.com/").with { $0.route.proxy = .url("http://proxy.example:3128") }
            .void()
        #expect(oauth.transport.requests.map { $0.header(.authorization) } == ["Bearer t1", "Bearer t1"])
        let error = try await #require(throws: NetworkError.self) {
            try await api.call(.get, "http://127.0.0.1/").with { $0.route.proxy = .url("http://proxy.example:3128") }
                .void()
        }
        #expect((error.underlyingError as? OAuthError)?.reason == .insecureURL)
        #expect(oauth.transport.requestCount == 2)
    }

    @Test("A client with a certificate uses the endpoints for mutual TLS, and other clients the usual ones")
    func mutualTLS() async throws {
        let oauth = StubbedOAuth { request in request.path == "/token" ? StubbedOAuth.token("t1") : .status(.ok) }
        var server = StubbedOAuth.server
        var endpoints = OAuthServer.MutualTLSEndpoints()
        endpoints.tokenEndpoint = "https://mtls.example.com/token"
        endpoints.revocationEndpoint = "https://mtls.example.com/revoke"
        server.mutualTLSEndpoints = endpoints
        for (authentication, host) in [
            (OAuthClientAuthentication.mutualTLS(TestCertificate.loopback.identity), "mtls.example.com"),
            (.post(secret: "feather"), "auth.example.com"),
        ] {
            let client = try OAuthClient(id: "tour", server: server, authentication: authentication, over: oauth.api)
            let token = try await client.token(for: .clientCredentials())
            try await client.revokeSignIn(of: token.accessToken)
            #expect(
                oauth.transport.requests.suffix(2).map(\.url) == ["https://\(host)/token", "https://\(host)/revoke"])
        }
        let (first, last) = (try #require(oauth.transport.requests.first), try #require(oauth.transport.requests.last))
        #expect(first.options?.tls.identity == TestCertificate.loopback.identity && last.options?.tls.identity == nil)
        #expect(StubbedOAuth.fields(first)["client_id"] == "tour")
    }

    @Test("A server that requires a certificate gives a token to the client that has it")
    func certificate() async throws {
        var configuration = MockServer.Configuration()
        configuration.tls = .init(.loopback)
        configuration.tls?.clientAuthorityPEM = TestCertificate.loopback.authorityPEM
        try await MockServer.with(configuration) { mock in
            mock.on(.post, path: "/token", response: StubbedOAuth.token("t1"))
            let api = APIClient(transport: NIOTransport.shared).with {
                $0.tls = mock.clientConfiguration.tls
                $0.networkMonitor = nil
            }
            let server = OAuthServer(tokenEndpoint: mock.url + "/token")
            let identity = TestCertificate.loopback.identity
            let client = try OAuthClient(id: "tour", server: server, authentication: .mutualTLS(identity), over: api)
            #expect(try await client.token(for: .clientCredentials()).accessToken.value == "t1")
            let other = try OAuthClient(id: "tour", server: server, over: api)
            let error = try await #require(throws: OAuthError.self) { try await other.token(for: .clientCredentials()) }
            #expect(error.reason == .unreachable)
        }
    }

    @Test("An empty identifier is refused, and settings without newer members can be decoded")
    func identifiers() throws {
        let api = StubbedOAuth { _ in .status(.ok) }.api
        let error = try #require(throws: OAuthError.self) {
            try OAuthClient(id: "", server: StubbedOAuth.server, over: api)
        }
        #expect(error.reason == .unsupported)
        let server = try JSONDecoder().decode(
            OAuthServer.self, from: Data(#"{"tokenEndpoint": "https://a.example/t"}"#.utf8))
        #expect(server == OAuthServer(tokenEndpoint: "https://a.example/t"))
        let encoded = try JSONEncoder().encode(StubbedOAuth.server)
        #expect(try JSONDecoder().decode(OAuthServer.self, from: encoded) == StubbedOAuth.server)
    }

    @Test("A short value of a program's own field does not hide the error code of the server", arguments: ["1", "err"])
    func shortField(value: String) async throws {
        let oauth = StubbedOAuth { _ in StubbedOAuth.error("err_1042") }
        let grant = OAuthGrant.custom("urn:example:grant", parameters: [QueryItem(name: "v", value: value)])
        let error = try await #require(throws: OAuthError.self) { try await oauth.client().token(for: grant) }
        #expect(error.reason == .rejected && error.code == "err_1042")
    }

    @Test("Saved tokens belong to the issuer, which can move its endpoint, and without an issuer to the endpoint")
    func owner() throws {
        let api = StubbedOAuth { _ in .status(.ok) }.api
        func owner(_ issuer: String?, _ endpoint: String, id: String = "tour") throws -> String {
            let server = OAuthServer(issuer: issuer, tokenEndpoint: endpoint)
            return try OAuthClient(id: id, server: server, over: api).owner
        }
        let issuer = "https://auth.example.com"
        let owners = [
            try owner(issuer, "https://auth.example.com/token"), try owner(issuer, "https://auth.example.com/v2/token"),
            try owner(issuer, "https://auth.example.com/token", id: "job"),
            try owner("https://other.example.com", "https://auth.example.com/token"),
            try owner(nil, "https://auth.example.com/token"), try owner(nil, "https://auth.example.com/v2/token"),
        ]
        #expect(owners[0] == owners[1] && Set(owners).count == 5)
    }

    @Test("A client sends its tokens with proofs if it has a key, and as bearer tokens otherwise")
    func authentication() async throws {
        let oauth = StubbedOAuth { request in
            request.path == "/token" ? StubbedOAuth.token("t1", type: "DPoP") : .status(.ok)
        }
        let bound = try oauth.client(proof: DPoPKey())
        let token = bound.refreshingToken(.clientCredentials())
        try await oauth.api.with { $0.authentication = bound.authentication(token) }
            .call(.get, "https://api.example.com/a").void()
        let proven = try #require(oauth.transport.requests.last)
        #expect(proven.header(.authorization) == "DPoP t1" && proven.header(.known("DPoP")) != nil)
        let client = try oauth.client()
        let bearer = client.refreshingToken(from: AccessToken("t2"))
        try await oauth.api.with { $0.authentication = client.authentication(bearer) }
            .call(.get, "https://api.example.com/a").void()
        let plain = try #require(oauth.transport.requests.last)
        #expect(plain.header(.authorization) == "Bearer t2" && plain.header(.known("DPoP")) == nil)
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
        #expect(first.reason == .invalidResponse && !first.description.contains("ttt"))
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
        try await client.revokeSignIn(of: AccessToken("a", refreshToken: "r"))
        try await client.revokeSignIn(of: AccessToken("a"))
        let error = try await #require(throws: OAuthError.self) {
            try await client.revokeSignIn(of: AccessToken("bad"))
        }
        #expect(error.code == "unsupported_token_type")
        let fields = oauth.transport.requests.map(StubbedOAuth.fields)
        #expect(fields[0] == ["token": "r", "token_type_hint": "refresh_token", "client_id": "tour"])
        #expect(fields[1] == ["token": "a", "token_type_hint": "access_token", "client_id": "tour"])
        #expect(oauth.transport.requests[0].url == "https://auth.example.com/revoke")
        let without = try OAuthClient(
            id: "a", server: OAuthServer(tokenEndpoint: "https://a.example/t"), over: oauth.api)
        let missing = try await #require(throws: OAuthError.self) {
            try await without.revokeSignIn(of: AccessToken("a"))
        }
        #expect(missing.reason == .unsupported)
    }
}

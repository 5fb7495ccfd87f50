// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import CryptoExtras
import Foundation
import Simorgh
import SimorghOAuth
import SimorghTesting
import TestSupport
import Testing

/// Sign-ins at Tests/Peers/oauth/server.py, an authorization server of Authlib.
@Suite("An authorization server of Authlib", .timeLimit(.minutes(10)))
struct OAuthWitnessTests {
    private struct Answer: Decodable, Sendable {
        let user: String?
        let scope: String
    }

    private let folder = NSTemporaryDirectory() + "simorgh-oauth-\(UUID().uuidString)"

    private func api() throws -> APIClient { APIClient(baseURL: try Witness.oauth.url) }

    private func oauth(
        _ id: String, _ authentication: OAuthClientAuthentication = .none
    ) async throws -> (client: OAuthClient, api: APIClient) {
        let api = try api()
        let server = try await OAuthServer.discovered(issuer: try Witness.oauth.url, over: api)
        return (try OAuthClient(id: id, server: server, authentication: authentication, over: api), api)
    }

    /// Signs in as a browser does that follows the redirect of the server.
    private func signIn(_ oauth: OAuthClient, _ api: APIClient, hint: String = "") async throws -> OAuthToken {
        let parameters = [QueryItem(name: "login_hint", value: hint)]
        return try await oauth.signIn(scopes: ["birds"], parameters: parameters) { url in
            Task { try await APIClient().call(.get, url).status() }
        }
    }

    private func answer(_ api: APIClient, _ token: RefreshingToken) async throws -> Answer {
        try await api.with { $0.authentication = .refreshing(token) }.call(.get, "protected").decode(Answer.self)
    }

    @Test("Client credentials by Basic and by form give a token that the API accepts, and a wrong secret is an error")
    func clientCredentials() async throws {
        for authentication in [OAuthClientAuthentication.basic(secret: "feather:1 %"), .post(secret: "feather:1 %")] {
            let (client, api) = try await oauth("machine", authentication)
            let token = client.refreshingToken(.clientCredentials(scopes: ["birds"]))
            #expect(try await answer(api, token).scope == "birds")
        }
        let (client, _) = try await oauth("machine", .basic(secret: "wrong"))
        let error = try await #require(throws: OAuthError.self) { try await client.token(for: .clientCredentials()) }
        #expect(error.reason == .rejected && error.code == "invalid_client" && error.statusCode == 401)
    }

    @Test("A browser's sign-in gives a token; revoking it ends the access and the refresh token")
    func browser() async throws {
        let (client, api) = try await oauth("tour")
        let token = try await signIn(client, api)
        let refreshing = client.refreshingToken(from: token.accessToken)
        #expect(try await answer(api, refreshing).user == "zal")
        try await client.revokeSignIn(of: token.accessToken)
        let error = try await #require(throws: NetworkError.self) { try await answer(api, refreshing) }
        let cause = (error.underlyingError as? TokenRefreshError)?.underlying as? OAuthError
        #expect(cause?.reason == .signInRequired)
    }

    @Test(
        "Redirects that were tampered with are refused",
        arguments: [
            ("other-issuer", OAuthError.Reason.issuerMismatch), ("no-issuer", .issuerMismatch),
            ("twice", .invalidResponse), ("deny", .denied),
        ])
    func tampered(hint: String, reason: OAuthError.Reason) async throws {
        let (client, api) = try await oauth("tour")
        let error = try await #require(throws: OAuthError.self) { try await signIn(client, api, hint: hint) }
        #expect(error.reason == reason, "\(error)")
    }

    @Test("Redirects without the state of the sign-in change nothing", arguments: ["wrong-state", "no-state"])
    func foreign(hint: String) async throws {
        let clock = TestClock()
        let api = try api().with { $0.time = clock.timeSource }
        let server = try await OAuthServer.discovered(issuer: try Witness.oauth.url, over: api)
        let client = try OAuthClient(id: "tour", server: server, over: api)
        let parameters = [QueryItem(name: "login_hint", value: hint)]
        let browser = APIClient().with { $0.validation.statusCodes = .any }
        let error = try await #require(throws: OAuthError.self) {
            try await client.signIn(scopes: ["birds"], parameters: parameters) { url in
                let response = try await browser.call(.get, url).response().response
                #expect(response.statusCode == 400)
                try await clock.sleeping(for: .seconds(300))
                clock.advance(by: .seconds(300))
            }
        }
        #expect(error.reason == .stateMismatch, "\(error)")
    }

    @Test("A sign-in is bound to a key from its first request on, and so is its refresh token (RFC 9449)")
    func boundSignIn() async throws {
        let (api, url) = (try api(), try Witness.oauth.url)
        let server = OAuthServer(
            issuer: url, tokenEndpoint: url + "/dpop/token", authorizationEndpoint: url + "/authorize")
        let key = DPoPKey()
        let client = try OAuthClient(id: "tour", server: server, proof: key, over: api)
        let signedIn = try await signIn(client, api).accessToken
        let first = api.with { $0.authentication = .dpop(client.refreshingToken(from: signedIn), key: key) }
        #expect(try await first.call(.get, "dpop/protected").decode(Answer.self).user == "zal")
        // As after a restart, with the saved key.
        let restarted = try OAuthClient(
            id: "tour", server: server, proof: DPoPKey(rawRepresentation: key.rawRepresentation), over: api)
        let refresh = try #require(signedIn.refreshToken)
        let next = try await restarted.token(for: .refreshToken(refresh)).accessToken
        let again = api.with { $0.authentication = .dpop(client.refreshingToken(from: next), key: key) }
        #expect(try await again.call(.get, "dpop/protected").decode(Answer.self).user == "zal")

        // A thief of the code, or of the refresh token, has another key.
        let thief = try OAuthClient(id: "tour", server: server, proof: DPoPKey(), over: api)
        let stolen = try #require(next.refreshToken)
        let refused = try await #require(throws: OAuthError.self) {
            try await thief.token(for: .refreshToken(stolen))
        }
        #expect(refused.code == "invalid_grant")
        let request = try client.authorizationRequest(redirectURI: "http://127.0.0.1:9/callback")
        let browser = APIClient().with {
            $0.redirects = .none
            $0.validation.statusCodes = .any
        }
        let redirect = try #require(try await browser.call(.get, request.url).response().response.header("Location"))
        let intercepted = try await #require(throws: OAuthError.self) {
            try await thief.token(for: request, redirectedTo: redirect)
        }
        #expect(intercepted.code == "invalid_grant")
    }

    @Test("A client with a key revokes a token: the audience of its assertion is the issuer")
    func revokesByAssertion() async throws {
        let key = P256.Signing.PrivateKey()
        let api = try api()
        // A client of its own, whose key no other test replaces.
        try await api.call(.post, "keys", query: ["client": "revoker"], body: .text(key.publicKey.pemRepresentation))
            .void()
        let signing = try JWTSigningKey.es256(pem: key.pemRepresentation)
        let (client, _) = try await oauth("revoker", .privateKeyJWT(signing))
        let token = try await client.token(for: .clientCredentials()).accessToken
        _ = try await answer(api, RefreshingToken(token) { _ in nil })
        try await client.revokeSignIn(of: token)
        let error = try await #require(throws: NetworkError.self) {
            try await answer(api, RefreshingToken(token) { _ in nil })
        }
        #expect(error.statusCode == 401)
    }

    @Test("A code works once, and only with its verifier")
    func replayedCode() async throws {
        let (client, _) = try await oauth("tour")
        func redirect(_ request: AuthorizationRequest) async throws -> String {
            let browser = APIClient().with {
                $0.redirects = .none
                $0.validation.statusCodes = .any
            }
            return try #require(try await browser.call(.get, request.url).response().response.header("Location"))
        }
        let request = try client.authorizationRequest(redirectURI: "http://127.0.0.1:9/callback")
        let url = try await redirect(request)
        _ = try await client.token(for: request, redirectedTo: url)
        let replayed = try await #require(throws: OAuthError.self) {
            try await client.token(for: request, redirectedTo: url)
        }
        #expect(replayed.reason == .rejected && replayed.code == "invalid_grant")

        // An attacker with the code of another sign-in, but without its verifier.
        let other = try client.authorizationRequest(redirectURI: "http://127.0.0.1:9/callback")
        let stolen = try await redirect(try client.authorizationRequest(redirectURI: "http://127.0.0.1:9/callback"))
        let code = try #require(URLComponents(string: stolen)?.queryItems?.first { $0.name == "code" }?.value)
        let state = try #require(URLComponents(string: other.url)?.queryItems?.first { $0.name == "state" }?.value)
        let forged = "http://127.0.0.1:9/callback?code=\(code)&state=\(state)&iss=\(try Witness.oauth.url)"
        let injected = try await #require(throws: OAuthError.self) {
            try await client.token(for: other, redirectedTo: forged)
        }
        #expect(injected.code == "invalid_grant")
    }

    @Test("A refresh token that is used twice ends the sign-in: the server revokes all its tokens")
    func usedTwice() async throws {
        let (client, api) = try await oauth("tour")
        let token = try await signIn(client, api)
        let used = try #require(token.accessToken.refreshToken)
        let next = try await client.token(for: .refreshToken(used))
        #expect(next.accessToken.refreshToken != used)
        let reuse = try await #require(throws: OAuthError.self) { try await client.token(for: .refreshToken(used)) }
        #expect(reuse.reason == .signInRequired && reuse.code == "invalid_grant" && !reuse.description.contains(used))
        let error = try await #require(throws: NetworkError.self) {
            try await answer(api, client.refreshingToken(from: next.accessToken))
        }
        let cause = (error.underlyingError as? TokenRefreshError)?.underlying as? OAuthError
        #expect(cause?.reason == .signInRequired)
    }

    @Test("Twenty clients over a file refresh once when the server rejects their token")
    func oneRefresh() async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (client, api) = try await oauth("tour")
        let token = try await signIn(client, api)
        let path = folder + "/token.json"
        try await FileTokenStore(path: path).save(token.accessToken)
        try await api.call(.post, "forget", query: ["token": token.accessToken.value]).void()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                let refreshing = client.refreshingToken(store: FileTokenStore(path: path))
                group.addTask {
                    let found = try await answer(api, refreshing)
                    #expect(found.user == "zal")
                }
            }
            try await group.waitForAll()
        }
        // A second refresh with the old token would have revoked all tokens.
        let saved = try #require(try await FileTokenStore(path: path).load())
        #expect(saved.value != token.accessToken.value && saved.refreshToken != token.accessToken.refreshToken)
        _ = try await client.token(for: .refreshToken(try #require(saved.refreshToken)))
    }

    @Test("A device's sign-in waits for the user, also when it is told to slow down", arguments: ["birds", "eggs"])
    func device(scope: String) async throws {
        let clock = TestClock(movesItself: true)
        let api = try api().with { $0.time = clock.timeSource }
        let server = try await OAuthServer.discovered(issuer: try Witness.oauth.url, over: api)
        let client = try OAuthClient(id: "tour", server: server, over: api)
        let device = try await client.authorizeDevice(scopes: [scope])
        #expect(device.verificationURL.hasSuffix("/verify") && device.userCode.count == 9)
        let approval = Task {
            // After the third request, of which the second was too early.
            try await clock.skipWaits(upTo: .zero) { clock.waits.count { $0 < .seconds(30) && $0 >= .seconds(1) } >= 3 }
            try await api.call(.post, "approve", query: ["user_code": device.userCode, "approved": "1"]).void()
        }
        let token = try await client.token(for: device)
        try await approval.value
        #expect(token.scopes == [scope] && token.accessToken.refreshToken != nil)
        let intervals = Set(clock.waits.filter { $0 == .seconds(1) || $0 == .seconds(6) })
        #expect(intervals == (scope == "eggs" ? [.seconds(1), .seconds(6)] : [.seconds(1)]))
    }

    @Test("A device code that was denied or has expired is a typed error")
    func deviceEnds() async throws {
        let (client, api) = try await oauth("tour")
        let denied = try await client.authorizeDevice()
        try await api.call(.post, "approve", query: ["user_code": denied.userCode, "approved": "0"]).void()
        let first = try await #require(throws: OAuthError.self) { try await client.token(for: denied) }
        #expect(first.reason == .denied)
        let expired = try await client.authorizeDevice()
        try await api.call(.post, "expire", query: ["user_code": expired.userCode]).void()
        let second = try await #require(throws: OAuthError.self) { try await client.token(for: expired) }
        #expect(second.reason == .expired && second.code == "expired_token")
    }

    @Test(
        "Assertions of all algorithms are accepted, by servers whose clocks differ by 25 s, and not by one an hour ahead"
    )
    func assertions() async throws {
        let (ec, rsa) = (P256.Signing.PrivateKey(), try _RSA.Signing.PrivateKey(keySize: .bits2048))
        let ed = Curve25519.Signing.PrivateKey()
        let prefix = Data([0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20])
        let publicPrefix = Data([0x30, 0x2A, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 3, 0x21, 0])
        func pem(_ name: String, _ bytes: Data) -> String {
            "-----BEGIN \(name) KEY-----\n\(bytes.base64EncodedString())\n-----END \(name) KEY-----\n"
        }
        let keys: [(publicKey: String, key: JWTSigningKey)] = [
            (ec.publicKey.pemRepresentation, try .es256(pem: ec.pemRepresentation)),
            (rsa.publicKey.pemRepresentation, try .rs256(pem: rsa.pemRepresentation)),
            (
                pem("PUBLIC", publicPrefix + ed.publicKey.rawRepresentation),
                try .edDSA(pem: pem("PRIVATE", prefix + ed.rawRepresentation))
            ),
        ]
        let api = try api()
        for (publicKey, key) in keys {
            for id in ["signer", "behind", "ahead", "old"] {
                try await api.call(.post, "keys", query: ["client": id], body: .text(publicKey)).void()
                let (client, _) = try await oauth(id, .privateKeyJWT(key))
                if id == "old" {
                    let error = try await #require(throws: OAuthError.self) {
                        try await client.token(for: .clientCredentials())
                    }
                    #expect(error.code == "invalid_client" && key.algorithm != "")
                } else {
                    let token = try await client.token(for: .clientCredentials())
                    #expect(!token.accessToken.value.isEmpty, "\(key.algorithm) \(id)")
                }
            }
            let audience = try Witness.oauth.url + "/token"
            let assertion = JWTAssertion(issuer: "signer", subject: "zal", audience: audience)
            let (client, _) = try await oauth("signer")
            let token = client.refreshingToken(grant: { .jwtBearer(try await assertion.signed(by: key)) })
            #expect(try await answer(api, token).user == "zal")
            let other = JWTAssertion(issuer: "signer", subject: "zal", audience: "https://other.example")
            let error = try await #require(throws: OAuthError.self) {
                try await client.token(for: .jwtBearer(try await other.signed(by: key)))
            }
            #expect(error.code == "invalid_grant")
        }
    }

    @Test("A token is exchanged for another one")
    func exchange() async throws {
        let (tour, api) = try await oauth("tour")
        let subject = try await signIn(tour, api)
        let (machine, _) = try await oauth("machine", .basic(secret: "feather:1 %"))
        let token = try await machine.token(
            for: .tokenExchange(subject: subject.accessToken.value, requestedType: .accessToken, scopes: ["birds"]))
        #expect(token.issuedTokenType == OAuthTokenType.accessToken.uri)
        #expect(try await answer(api, machine.refreshingToken(from: token.accessToken)).user == "zal")
        let refused = try await #require(throws: OAuthError.self) {
            try await machine.token(for: .tokenExchange(subject: "unknown"))
        }
        #expect(refused.code == "invalid_request")
    }

    @Test("Tokens that are bound to a key are requested and used with proofs, through changes of the nonce")
    func proofs() async throws {
        let api = try api()
        let url = try Witness.oauth.url
        let server = OAuthServer(tokenEndpoint: url + "/dpop/token")
        let key = DPoPKey()
        let client = try OAuthClient(
            id: "machine", server: server, authentication: .basic(secret: "feather:1 %"), proof: key, over: api)
        let token = client.refreshingToken(.clientCredentials(scopes: ["birds"]))
        let bound = api.with { $0.authentication = .dpop(token, key: key) }
        for _ in 0..<10 {
            #expect(try await bound.call(.get, "dpop/protected").decode(Answer.self).scope == "birds")
        }
        // A thief of the token has another key.
        let value = try #require(try await token.current()).value
        let stolen = RefreshingToken(AccessToken(value)) { _ in nil }
        let thief = api.with { $0.authentication = .dpop(stolen, key: DPoPKey()) }
        let error = try await #require(throws: NetworkError.self) {
            try await thief.call(.get, "dpop/protected").void()
        }
        #expect(error.statusCode == 401)
    }

    @Test("The metadata of another issuer is refused, and that of a resource is read")
    func discovery() async throws {
        let (api, url) = (try api(), try Witness.oauth.url)
        let error = try await #require(throws: OAuthError.self) {
            try await OAuthServer.discovered(issuer: url + "/other", over: api)
        }
        #expect(error.reason == .issuerMismatch)
        let resource = try await ProtectedResource.discovered(url + "/protected", over: api)
        #expect(resource.authorizationServers == [url] && resource.scopes == ["birds", "eggs"])
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import SimorghOAuth
import SimorghTesting
import TestSupport
import Testing

@Suite("Signed assertions (RFC 7523) and proofs of possession (RFC 9449)", .timeLimit(.minutes(5)))
struct SigningTests {
    private static func part(_ text: Substring) throws -> Data {
        var text = String(text).replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return try #require(Data(base64Encoded: text))
    }

    /// Returns the header, the claims, the signed text and the signature of a token.
    private static func parts(_ token: String) throws -> (header: JSON, claims: JSON, input: Data, signature: Data) {
        let parts = token.split(separator: ".")
        try #require(parts.count == 3)
        return (
            try JSON(parsing: part(parts[0])), try JSON(parsing: part(parts[1])), Data("\(parts[0]).\(parts[1])".utf8),
            try part(parts[2])
        )
    }

    private static func edPEM(_ key: Curve25519.Signing.PrivateKey) -> String {
        let prefix = Data([0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20])
        let text = (prefix + key.rawRepresentation).base64EncodedString()
        return "-----BEGIN PRIVATE KEY-----\n\(text)\n-----END PRIVATE KEY-----\n"
    }

    @Test("A client assertion names the client, the issuer and a lifetime, and is new for each request")
    func assertion() async throws {
        let key = P256.Signing.PrivateKey()
        let oauth = StubbedOAuth { _ in StubbedOAuth.token("t1") }
        let signing = try JWTSigningKey.es256(pem: key.pemRepresentation, keyID: "k1")
        let client = try oauth.client(.privateKeyJWT(signing))
        for _ in 0..<2 { _ = try await client.token(for: .clientCredentials()) }
        let fields = oauth.transport.requests.map(StubbedOAuth.fields)
        #expect(fields[0]["client_id"] == "tour" && fields[0]["client_secret"] == nil)
        #expect(fields[0]["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        let tokens = try fields.map { try Self.parts(try #require($0["client_assertion"])) }
        let (first, now) = (tokens[0], Int(oauth.clock.date.timeIntervalSince1970))
        #expect(first.header == ["alg": "ES256", "kid": "k1", "typ": "JWT"])
        #expect(
            first.claims.iss == "tour" && first.claims.sub == "tour"
                && first.claims.aud == "https://auth.example.com")
        #expect(first.claims.iat.int == now - 30 && first.claims.exp.int == now + 120)
        #expect(first.claims.jti.string?.count == 43 && first.claims.jti != tokens[1].claims.jti)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: first.signature)
        #expect(key.publicKey.isValidSignature(signature, for: first.input))
    }

    @Test("The audience of an assertion is the issuer at each endpoint, and the URL without an issuer")
    func audience() async throws {
        let oauth = StubbedOAuth { _ in .status(.ok) }
        let key = try JWTSigningKey.es256(pem: P256.Signing.PrivateKey().pemRepresentation)
        try await oauth.client(.privateKeyJWT(key)).revokeSignIn(of: AccessToken("a"))
        try await oauth.client(.privateKeyJWT(key, audience: "auth")).revokeSignIn(of: AccessToken("a"))
        var server = StubbedOAuth.server
        server.issuer = nil
        try await OAuthClient(id: "tour", server: server, authentication: .privateKeyJWT(key), over: oauth.api)
            .revokeSignIn(of: AccessToken("a"))
        let audiences = try oauth.transport.requests.map { request in
            try Self.parts(try #require(StubbedOAuth.fields(request)["client_assertion"])).claims.aud.string
        }
        #expect(audiences == ["https://auth.example.com", "auth", "https://auth.example.com/revoke"])
    }

    @Test("An assertion with a lifetime or a clock skew out of bounds is not signed")
    func bounds() async throws {
        let key = JWTSigningKey(algorithm: "ES256") { _ in Data([1]) }
        for (lifetime, skew) in [(0, 0), (-1, 0), (86_401, 0), (60, -1), (60, 3601)] {
            var assertion = JWTAssertion(issuer: "a", audience: "c")
            assertion.lifetime = .seconds(lifetime)
            assertion.clockSkew = .seconds(skew)
            let bounded = assertion
            let error = try await #require(throws: OAuthError.self) { try await bounded.signed(by: key) }
            #expect(error.reason == .signingFailed)
        }
    }

    @Test("The thumbprint of a key is that of the example of RFC 9449")
    func thumbprint() throws {
        let jwk: [String: JSON] = [
            "kty": "EC", "x": "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
            "y": "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA", "crv": "P-256",
        ]
        #expect(try DPoPKey.thumbprint(of: jwk) == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    @Test("Ed25519 and RSA keys sign as their algorithms say")
    func algorithms() async throws {
        let assertion = JWTAssertion(issuer: "a", subject: "b", audience: "c", claims: ["scope": "x", "iss": "z"])
        let ed = Curve25519.Signing.PrivateKey()
        let first = try Self.parts(try await assertion.signed(by: .edDSA(pem: Self.edPEM(ed))))
        #expect(first.header == ["alg": "EdDSA", "typ": "JWT"] && first.claims.iss == "a" && first.claims.scope == "x")
        #expect(ed.publicKey.isValidSignature(first.signature, for: first.input))
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        for pem in [rsa.pemRepresentation, rsa.pkcs8PEMRepresentation] {
            let second = try Self.parts(try await assertion.signed(by: .rs256(pem: pem)))
            #expect(second.header["alg"] == "RS256")
            let signature = _RSA.Signing.RSASignature(rawRepresentation: second.signature)
            #expect(rsa.publicKey.isValidSignature(signature, for: second.input, padding: .insecurePKCS1v1_5))
        }
    }

    @Test(
        "Texts that are not keys are typed errors that do not repeat them",
        arguments: [
            "", "s3cret", "-----BEGIN PRIVATE KEY-----\ns3cret\n-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----",
        ])
    func keys(pem: String) {
        for make in [JWTSigningKey.es256, JWTSigningKey.edDSA, JWTSigningKey.rs256] {
            let error = #expect(throws: OAuthError.self) { try make(pem, nil) }
            #expect(error?.reason == .signingFailed && error?.description.contains("s3cret") == false)
        }
        #expect(throws: OAuthError.self) { try DPoPKey(rawRepresentation: Data(pem.utf8)) }
    }

    @Test("A key elsewhere that fails, or returns no signature, is a typed error")
    func elsewhere() async throws {
        struct Broken: Error {}
        let assertion = JWTAssertion(issuer: "a", audience: "c")
        for key in [
            JWTSigningKey(algorithm: "ES256") { _ in throw Broken() },
            JWTSigningKey(algorithm: "ES256") { _ in Data() },
        ] {
            let error = try await #require(throws: OAuthError.self) { try await assertion.signed(by: key) }
            #expect(error.reason == .signingFailed)
        }
    }

    @Test("A proof names the method, the URL without its query, and the token; a nonce is asked for once")
    func proof() async throws {
        let key = DPoPKey()
        let nonces = Counter()
        let oauth = StubbedOAuth { request in
            let claims = try Self.parts(request.header(.known("DPoP")) ?? "").claims
            if request.path == "/token" {
                guard claims.nonce == "n1" else {
                    return StubbedOAuth.error("use_dpop_nonce").header(.known("DPoP-Nonce"), value: "n1")
                }
                return StubbedOAuth.token("t1", type: "DPoP")
            }
            guard claims.nonce == "n2" else {
                _ = nonces.next()
                return StubResponse.status(.unauthorized).header(.known("DPoP-Nonce"), value: "n2")
                    .header(.wwwAuthenticate, value: "DPoP error=\"use_dpop_nonce\"")
            }
            return .status(.ok)
        }
        let token = try oauth.client(proof: key).refreshingToken(.clientCredentials())
        let api = oauth.api.with { $0.authentication = .dpop(token, key: key) }
        for _ in 0..<2 { try await api.call(.get, "https://api.example.com/a?b=c").void() }
        #expect(nonces.count == 1)
        let requests = oauth.transport.requests
        #expect(requests.map(\.path) == ["/token", "/token", "/a", "/a", "/a"])
        let last = requests[4]
        #expect(last.header(.authorization) == "DPoP t1")
        let parts = try Self.parts(last.header(.known("DPoP")) ?? "")
        #expect(parts.header.typ == "dpop+jwt" && parts.header["alg"] == "ES256" && parts.header.jwk["d"].isNull)
        #expect(
            parts.claims.htm == "GET" && parts.claims.htu == "https://api.example.com/a" && parts.claims.nonce == "n2")
        #expect(try parts.claims.ath.string.map { try Self.part($0[...]) } == Data(SHA256.hash(data: Data("t1".utf8))))
        let ids = try requests.map { try Self.parts($0.header(.known("DPoP")) ?? "").claims.jti }
        #expect(Set(ids).count == 5)
        let (x, y) = (parts.header.jwk.x.string ?? "", parts.header.jwk.y.string ?? "")
        let point = try Self.part(x[...]) + Self.part(y[...])
        let publicKey = try P256.Signing.PublicKey(rawRepresentation: point)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: parts.signature)
        #expect(publicKey.isValidSignature(signature, for: parts.input))
        #expect(try DPoPKey(rawRepresentation: key.rawRepresentation).thumbprint == key.thumbprint)
    }

    @Test("A server that asks for a nonce again and again is asked twice")
    func endlessNonces() async throws {
        let count = Counter()
        let oauth = StubbedOAuth { _ in
            StubbedOAuth.error("use_dpop_nonce").header(.known("DPoP-Nonce"), value: "n\(count.next())")
        }
        let error = try await #require(throws: OAuthError.self) {
            try await oauth.client(proof: DPoPKey()).token(for: .clientCredentials())
        }
        #expect(error.code == "use_dpop_nonce" && count.count == 2)
    }

    @Test("An API that asks for a nonce again and again is asked twice, and the token is not refreshed")
    func endlessNoncesOfAPI() async throws {
        let (key, count) = (DPoPKey(), Counter())
        let oauth = StubbedOAuth { request in
            if request.path == "/token" { return StubbedOAuth.token("t2", refresh: "r2", type: "DPoP") }
            return StubResponse.status(.unauthorized).header(.known("DPoP-Nonce"), value: "n\(count.next())")
                .header(.wwwAuthenticate, value: "DPoP error=\"use_dpop_nonce\"")
        }
        let token = try oauth.client(proof: key).refreshingToken(from: AccessToken("t1", refreshToken: "r1"))
        let api = oauth.api.with { $0.authentication = .dpop(token, key: key) }
        let error = try await #require(throws: NetworkError.self) {
            try await api.call(.get, "https://api.example.com/a").void()
        }
        #expect(error.statusCode == 401 && oauth.transport.requests.map(\.path) == ["/a", "/a"])
    }

    @Test("A redirect to another origin carries neither the token nor a proof")
    func redirect() async throws {
        let key = DPoPKey()
        let oauth = StubbedOAuth { request in
            request.path == "/a"
                ? StubResponse.status(.found).header(.location, value: "https://other.example/b") : .status(.ok)
        }
        let token = try oauth.client(proof: key).refreshingToken(from: AccessToken("t1"))
        let api = oauth.api.with { $0.authentication = .dpop(token, key: key) }
        try await api.call(.get, "https://api.test/a").void()
        let requests = oauth.transport.requests
        #expect(requests.map(\.url) == ["https://api.test/a", "https://other.example/b"])
        #expect(requests.map { $0.header(.authorization) != nil } == [true, false])
        #expect(requests.map { $0.header(.known("DPoP")) != nil } == [true, false])
    }

    @Test("Nonces with other characters are ignored, and those of many origins are forgotten")
    func nonces() {
        let key = DPoPKey()
        for nonce in ["", "a b", "a\"b", "a\u{7F}", String(repeating: "n", count: 1025)] {
            key.keep(nonce: nonce, for: "https://a.example/x")
            #expect(key.nonce(for: "https://a.example/y") == nil)
        }
        key.keep(nonce: "as", for: "https://a.example/token", role: .authorizationServer)
        key.keep(nonce: "rs", for: "https://a.example/birds")
        #expect(key.nonce(for: "https://a.example/token", role: .authorizationServer) == "as")
        #expect(key.nonce(for: "https://a.example/token") == "rs")
        for number in 0..<100 { key.keep(nonce: "n", for: "https://a\(number).example/") }
        #expect(key.nonce(for: "https://a35.example/") == nil && key.nonce(for: "https://a36.example/b") == "n")
    }
}

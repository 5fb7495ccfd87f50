// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghOAuth
import TestSupport
import Testing

@Suite("Token responses (RFC 6749, section 5)", .timeLimit(.minutes(5)))
struct TokenResponseTests {
    private let sent = Date(timeIntervalSince1970: 1_800_000_000)

    private func token(
        _ body: String, status: Int = 200, type: String = "Bearer"
    ) throws -> OAuthToken {
        try TokenResponse(status: status, body: Data(body.utf8)).token(sentAt: sent, type: type)
    }

    @Test("All members are read, and the expiration is counted from the time of the request")
    func members() throws {
        let token = try token(
            """
            {"access_token": "a", "token_type": "bEARER", "expires_in": 60, "refresh_token": "r", "scope": "x  y",
            "id_token": "i", "issued_token_type": "u", "other": {"a": [1]}}
            """)
        #expect(token.accessToken == AccessToken("a", expiration: sent.addingTimeInterval(60), refreshToken: "r"))
        #expect(token.scopes == ["x", "y"] && token.idToken == "i" && token.issuedTokenType == "u")
    }

    @Test(
        "The lifetime may be a text or missing, and is at most ten years",
        arguments: [
            ("", nil), (", \"expires_in\": null", nil), (", \"expires_in\": \"90\"", 90), (", \"expires_in\": 0", 0),
            (", \"expires_in\": 1.5", 1.5), (", \"expires_in\": 1e300", 315_360_000),
        ] as [(String, Double?)])
    func lifetime(member: String, seconds: Double?) throws {
        let token = try token("{\"access_token\": \"a\", \"token_type\": \"Bearer\"\(member)}")
        #expect(token.accessToken.expiration == seconds.map { sent.addingTimeInterval($0) })
    }

    @Test(
        "A body that does not follow the standard is refused",
        arguments: [
            "", "null", "[]", "\"a\"", "{", "{}", "access_token=a&token_type=bearer",
            #"{"access_token": "a"}"#, #"{"token_type": "Bearer"}"#, #"{"access_token": "", "token_type": "Bearer"}"#,
            #"{"access_token": 7, "token_type": "Bearer"}"#, #"{"access_token": "a", "token_type": "mac"}"#,
            #"{"access_token": "a", "token_type": "DPoP"}"#, #"{"access_token": "a b", "token_type": "Bearer"}"#,
            #"{"access_token": "a\r\nX: y", "token_type": "Bearer"}"#,
            #"{"access_token": "ä", "token_type": "Bearer"}"#,
            #"{"access_token": "a", "token_type": "Bearer", "expires_in": -1}"#,
            #"{"access_token": "a", "token_type": "Bearer", "expires_in": "soon"}"#,
            #"{"access_token": "a", "token_type": "Bearer", "expires_in": "nan"}"#,
            #"{"access_token": "a", "token_type": "Bearer", "expires_in": true}"#,
            #"{"access_token": "a", "token_type": "Bearer", "refresh_token": ["r"]}"#,
            "{\"access_token\": \"\(String(repeating: "a", count: 70_000))\", \"token_type\": \"Bearer\"}",
            String(repeating: "[", count: 10_000),
        ])
    func malformed(body: String) throws {
        let error = try #require(throws: OAuthError.self) { try token(body) }
        #expect(error.reason == .invalidResponse)
    }

    @Test("A token that is bound to a key is not replaced by a bearer token")
    func downgrade() throws {
        #expect(throws: OAuthError.self) { try token(#"{"access_token": "a", "token_type": "Bearer"}"#, type: "DPoP") }
        #expect(try token(#"{"access_token": "a", "token_type": "dpop"}"#, type: "DPoP").accessToken.value == "a")
    }

    @Test("A token of type N_A is accepted from a token exchange only, and is no access token")
    func notApplicable() throws {
        let body = Data(
            #"{"access_token": "a", "token_type": "N_A", "issued_token_type": "urn:ietf:params:oauth:token-type:id_token"}"#
                .utf8)
        let response = TokenResponse(status: 200, body: body)
        let token = try response.token(sentAt: sent, isExchange: true)
        #expect(!token.isAccessToken && token.accessToken.value == "a")
        #expect(throws: OAuthError.self) { try response.token(sentAt: sent) }
        let bearer = try TokenResponse(status: 200, body: Data(#"{"access_token": "a", "token_type": "Bearer"}"#.utf8))
            .token(sentAt: sent, isExchange: true)
        #expect(bearer.isAccessToken)
    }

    @Test(
        "Errors have a reason, also with status 200",
        arguments: [
            ("invalid_client", 401, OAuthError.Reason.rejected), ("invalid_grant", 400, .rejected),
            ("access_denied", 400, .denied), ("expired_token", 400, .expired), ("slow_down", 200, .rejected),
        ])
    func errors(code: String, status: Int, reason: OAuthError.Reason) throws {
        let error = try #require(throws: OAuthError.self) { try token("{\"error\": \"\(code)\"}", status: status) }
        #expect(error.reason == reason && error.code == code && error.statusCode == status)
    }

    @Test(
        "An error code with characters that the standard forbids, and a page, are not repeated",
        arguments: [
            #"{"error": "a\"b"}"#, #"{"error": "a\u001b[31m"}"#, #"{"error": ""}"#, #"{"error": 7}"#,
            "<html>secret</html>",
            "{\"error\": \"\(String(repeating: "e", count: 65))\"}",
        ])
    func invalidCodes(body: String) throws {
        let error = try #require(throws: OAuthError.self) { try token(body, status: 400) }
        #expect(error.reason == .invalidResponse && error.code == nil && error.statusCode == 400)
        #expect(!error.description.contains("secret") && !error.description.contains("\u{1b}"))
    }

    @Test("Random changes of a response never trap, and give a token or a typed error")
    func random() {
        var numbers = SeededNumbers(20)
        let valid = Array(
            #"{"access_token": "abc", "token_type": "Bearer", "expires_in": 60, "refresh_token": "r", "error": null}"#
                .utf8)
        for _ in 0..<5000 {
            var bytes = valid
            for _ in 0..<Int.random(in: 1...6, using: &numbers) {
                let index = Int.random(in: 0..<bytes.count, using: &numbers)
                bytes[index] = UInt8.random(in: 0...255, using: &numbers)
            }
            do {
                let token = try TokenResponse(status: 200, body: Data(bytes)).token(sentAt: sent).accessToken
                #expect(!token.value.isEmpty && token.value.utf8.allSatisfy { (0x21...0x7E).contains($0) })
                #expect(token.expiration.map { $0 >= sent } ?? true)
            } catch {
                #expect(error.reason == .invalidResponse || error.code != nil)
            }
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghSigning
import TestSupport
import Testing

/// Messages that Python's http-message-signatures verifies and signs (Tests/Peers/signing/server.py), with the keys of RFC
/// 9421.
@Suite("HTTP Message Signatures: a Python server", .timeLimit(.minutes(10)))
struct MessageSignaturePeerTests {
    private static func key(_ id: String) throws -> MessageSigningKey {
        switch id {
        case "test-key-ed25519":
            try MessageSigningKey(
                pem: """
                    -----BEGIN PRIVATE KEY-----
                    MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
                    -----END PRIVATE KEY-----
                    """)
        case "test-key-ecc-p256":
            try MessageSigningKey(
                pem: """
                    -----BEGIN EC PRIVATE KEY-----
                    MHcCAQEEIFKbhfNZfpDsW43+0+JjUr9K+bTeuxopu653+hBaXGA7oAoGCCqGSM49
                    AwEHoUQDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lfw0EkjqF7xB4FivAxzic30tMM
                    4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
                    -----END EC PRIVATE KEY-----
                    """)
        case "test-key-rsa": try MessageSigningKey(pem: Self.pem("rsa"))
        case "test-key-rsa-pss": try MessageSigningKey(pem: Self.pem("rsaPSS"))
        default:
            try MessageSigningKey(
                .hmacSHA256,
                bytes: Data(
                    base64Encoded:
                        "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="
                ) ?? Data())
        }
    }

    /// Returns a key of the tests of SimorghSigning, which the server reads, too.
    private static func pem(_ name: String) throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../SimorghSigningTests/Helpers/RFC9421Keys+RSA.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        let parts = text.split(separator: "\(name) = \"\"\"\n").dropFirst().first?.split(separator: "\"\"\"").first
        return try #require(parts).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: "\n")
    }

    static let keys = [
        "test-key-ed25519", "test-key-ecc-p256", "test-shared-secret", "test-key-rsa", "test-key-rsa-pss",
    ]

    private func client(
        _ id: String, _ change: (inout HTTPMessageSigner) -> Void = { _ in }
    ) throws -> APIClient {
        var signer = HTTPMessageSigner(key: try Self.key(id), keyID: id)
        change(&signer)
        return APIClient(baseURL: try Witness.signatures.url).with { $0.authentication = .signed(by: signer) }
    }

    @Test("The server accepts a signed request with all kinds of components", arguments: keys)
    func requests(id: String) async throws {
        let client = try client(id) {
            $0.components = [
                .method, .targetURI, .authority, .scheme, .path, .query, .queryItem("b c"), "content-type", "x-list",
                "@request-target",
            ]
        }
        let answer = try await client.call(
            .post, "messages", query: ["a": "1", "b c": "ü & é"], headers: ["X-List": "  a,  b "],
            body: .json(["bird": "simorgh"])
        ).json()
        // Also the digest and the parameters of the signature.
        #expect(answer.array?.count == 12, "\(answer)")
    }

    @Test("The server rejects another key")
    func wrongKey() async throws {
        var signer = HTTPMessageSigner(key: try Self.key("test-key-ed25519"), keyID: "test-shared-secret")
        signer.namesAlgorithm = false
        let client = APIClient(baseURL: try Witness.signatures.url).with { $0.authentication = .signed(by: signer) }
        let refused = try await client.call(.post, "messages", body: .text("a")).status()
        #expect(refused.statusCode == 401)
    }

    @Test("A response that the server has signed is valid, and a changed one is not", arguments: keys)
    func responses(id: String) async throws {
        var response = try await APIClient(baseURL: try Witness.signatures.url)
            .call(.get, "messages?\(id)", headers: ["Accept-Encoding": "identity"]).response().response
        let verifier = MessageSignatureVerifier { $0 == id ? try Self.key(id).verificationKey : nil }
        let found = try await verifier.verify(response)
        #expect(found.keyID == id && found.components == [.status, "content-type", .contentDigest])
        response.body = Data("other".utf8)
        let changed = response
        let error = await #expect(throws: MessageSignatureError.self) { try await verifier.verify(changed) }
        #expect(error?.reason == .digestMismatch)
    }

    @Test(
        "A server that knows only the draft accepts the second signature, and then the first",
        arguments: ["test-key-ed25519", "test-key-rsa"])
    func draft(id: String) async throws {
        let client = try client(id) { $0.fallsBackToDraft = true }
        for _ in 0..<2 {
            let text = try await client.call(.post, "draft?x=1", body: .text("feather")).data()
            #expect(String(decoding: text, as: UTF8.self) == "(request-target) host date digest")
        }
    }
}

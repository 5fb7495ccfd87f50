// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghREST
import SimorghSigning
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("HTTPMessageSigner: the draft after a rejection", .timeLimit(.minutes(1)))
struct DraftSignatureTests {
    private static let input = HTTPField.Name.known("Signature-Input")
    private static let signature = HTTPField.Name.known("Signature")

    private static func client(_ server: StubServer, fallsBack: Bool = true) throws -> APIClient {
        var signer = HTTPMessageSigner(
            key: try RFC9421Keys.signing("test-key-ed25519"), keyID: "https://birds.test/zal#key")
        signer.fallsBackToDraft = fallsBack
        let clock = TestClock()
        return APIClient.scripted(server) {
            $0.authentication = .signed(by: signer)
            $0.time = clock.timeSource
        }
    }

    /// Returns the kinds of the signatures that a server received.
    private static func kinds(_ server: StubServer) -> [String] {
        server.requests.map { $0.head.headerFields[input] == nil ? "draft" : "standard" }
    }

    @Test("A server that knows only the draft gets it once at first, and then at once")
    func fallback() async throws {
        let server = StubServer()
        _ = server.add(
            .custom(named: "the standard") { $0.head.headerFields[Self.input] != nil },
            response: .status(.unauthorized))
        server.answer(.text("ok"))
        let client = try Self.client(server)
        for _ in 0..<2 { try await client.call(.post, "inbox", body: .text("feather")).void() }
        #expect(Self.kinds(server) == ["standard", "draft", "draft"])
    }

    @Test("The draft signs the target, the host, the date and the digest")
    func draft() async throws {
        let server = StubServer()
        server.answer(inOrder: [.status(.unauthorized), .text("ok")])
        try await Self.client(server).call(.post, "inbox?x=1", body: .text("feather")).void()
        let head = try #require(server.requests.last?.head)
        let digest = try #require(head.headerFields[.known("Digest")])
        #expect(digest == "SHA-256=\(Data(ContentDigest(of: Data("feather".utf8)).bytes).base64EncodedString())")
        #expect(head.headerFields[.date] == "Thu, 01 Jan 2026 00:00:00 GMT")
        let value = try #require(head.headerFields[Self.signature])
        let start =
            "keyId=\"https://birds.test/zal#key\",algorithm=\"hs2019\",headers=\"(request-target) host date digest\",signature=\""
        #expect(value.hasPrefix(start))
        let text = """
            (request-target): post /inbox?x=1
            host: api.test
            date: Thu, 01 Jan 2026 00:00:00 GMT
            digest: \(digest)
            """
        let bytes = try #require(Data(base64Encoded: String(value.dropFirst(start.count).dropLast())))
        let key = try #require(try RFC9421Keys.verification("test-key-ed25519"))
        #expect(key.isValid(bytes, of: text))
    }

    @Test("A server that accepts neither gets two requests, and without the option one", arguments: [true, false])
    func rejected(fallsBack: Bool) async throws {
        let server = StubServer()
        server.answer(.status(.unauthorized))
        let client = try Self.client(server, fallsBack: fallsBack)
        await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect(Self.kinds(server) == (fallsBack ? ["standard", "draft"] : ["standard"]))
    }
}

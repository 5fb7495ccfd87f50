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

@Suite("HTTPMessageSigner: the draft after a rejection", .timeLimit(.minutes(5)))
struct DraftSignatureTests {
    private static let input = HTTPField.Name.known("Signature-Input")
    private static let signature = HTTPField.Name.known("Signature")

    private static let standard = StubCondition.custom(named: "the standard") { $0.head.headerFields[input] != nil }

    private static func client(
        _ server: StubServer, key: String = "test-key-ed25519", base: String = "https://api.test",
        fallsBack: Bool = true
    ) throws -> APIClient {
        var signer = HTTPMessageSigner(key: try RFC9421Keys.signing(key), keyID: "https://birds.test/zal#key")
        signer.fallsBackToDraft = fallsBack
        let clock = TestClock()
        return APIClient.scripted(server, baseURL: base) {
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
        server.answer(.text("ok"))
        let refusal = server.add(Self.standard, response: .status(.unauthorized))
        defer { refusal.remove() }
        let client = try Self.client(server)
        for _ in 0..<2 { try await client.call(.post, "inbox", body: .text("feather")).void() }
        #expect(Self.kinds(server) == ["standard", "draft", "draft"])
    }

    @Test("Simultaneous rejections all get the draft")
    func simultaneous() async throws {
        let (server, gate) = (StubServer(), Gate())
        server.answer(.text("ok"))
        let refusal = server.add(Self.standard, response: .status(.unauthorized).held(by: gate))
        defer { refusal.remove() }
        let client = try Self.client(server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { try await client.call(.post, "inbox", body: .text("feather")).void() }
            }
            try await gate.waiting(4)
            gate.open()
            try await group.waitForAll()
        }
        try await client.call(.post, "inbox", body: .text("feather")).void()
        #expect(Self.kinds(server).count { $0 == "standard" } == 4)
        #expect(Self.kinds(server).suffix(5) == ["draft", "draft", "draft", "draft", "draft"])
    }

    @Test(
        "A forbidden request has the response to the signature that the server knows, and changes no preference",
        arguments: [true, false])
    func forbidden(knowsStandard: Bool) async throws {
        let server = StubServer()
        server.answer(.status(knowsStandard ? .unauthorized : .forbidden))
        let refusal = server.add(Self.standard, response: .status(knowsStandard ? .forbidden : .unauthorized))
        defer { refusal.remove() }
        let client = try Self.client(server)
        for _ in 0..<2 {
            let error = try await #require(throws: NetworkError.self) { try await client.call(.get, "x").void() }
            #expect(error.statusCode == 403)
        }
        #expect(Self.kinds(server) == ["standard", "draft", "standard", "draft"])
    }

    @Test(
        "A POST is signed again after 403 only if the response names signatures, and never over plain HTTP",
        arguments: [
            (.forbidden, nil, "https://api.test", 1), (.badRequest, "Bearer", "https://api.test", 1),
            (.forbidden, "Signature realm=\"x\"", "https://api.test", 2),
            (.unauthorized, nil, "https://api.test", 2), (.unauthorized, nil, "http://api.test", 1),
        ] as [(HTTPResponse.Status, String?, String, Int)])
    func processed(status: HTTPResponse.Status, challenge: String?, base: String, count: Int) async throws {
        let server = StubServer()
        var response = StubResponse.status(status)
        if let challenge { response.headerFields[.wwwAuthenticate] = challenge }
        server.answer(response)
        let client = try Self.client(server, base: base)
        await #expect(throws: NetworkError.self) { try await client.call(.post, "x", body: .text("a")).void() }
        #expect(server.requestCount == count)
    }

    @Test(
        "The draft signs the target, the host, the date and the digest",
        arguments: [
            ("test-key-ed25519", "hs2019"), ("test-key-rsa", "rsa-sha256"), ("test-key-rsa-pss", "hs2019"),
        ])
    func draft(keyID: String, algorithm: String) async throws {
        let server = StubServer()
        server.answer(inOrder: [.status(.unauthorized), .text("ok")])
        try await Self.client(server, key: keyID).call(.post, "inbox?x=1", body: .text("feather")).void()
        let head = try #require(server.requests.last?.head)
        let digest = try #require(head.headerFields[.known("Digest")])
        #expect(digest == "SHA-256=\(Data(ContentDigest(of: Data("feather".utf8)).bytes).base64EncodedString())")
        #expect(head.headerFields[.date] == "Thu, 01 Jan 2026 00:00:00 GMT")
        let value = try #require(head.headerFields[Self.signature])
        let start =
            "keyId=\"https://birds.test/zal#key\",algorithm=\"\(algorithm)\",headers=\"(request-target) host date digest\",signature=\""
        #expect(value.hasPrefix(start))
        let text = """
            (request-target): post /inbox?x=1
            host: api.test
            date: Thu, 01 Jan 2026 00:00:00 GMT
            digest: \(digest)
            """
        let bytes = try #require(Data(base64Encoded: String(value.dropFirst(start.count).dropLast())))
        let key = try #require(try RFC9421Keys.verification(keyID))
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

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghREST
import SimorghSigning
import SimorghSupport
import TestSupport
import Testing

@Suite("MessageSignatureVerifier", .timeLimit(.minutes(5)))
struct MessageVerificationTests {
    private static let date = Date(timeIntervalSince1970: 1_700_000_000)
    private static let body = Data("feather".utf8)
    private static let input = HTTPField.Name.known("Signature-Input")
    private static let signature = HTTPField.Name.known("Signature")

    private static func signer(_ keyID: String = "test-key-ed25519") throws -> HTTPMessageSigner {
        HTTPMessageSigner(key: try RFC9421Keys.signing(keyID), keyID: keyID)
    }

    private static func request(_ body: Data = body) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: .post, scheme: "https", authority: "api.test", path: "/hook?x=1"),
            body: body.isEmpty ? .empty : .bytes(body))
    }

    private static func verify(
        _ head: HTTPRequest, body: Data = body, at date: Date = date,
        _ change: (inout MessageSignatureVerifier) -> Void = { _ in }
    ) async throws -> MessageSignatureVerifier.Verified {
        var verifier = MessageSignatureVerifier { try RFC9421Keys.verification($0) }
        change(&verifier)
        return try await verifier.verify(head, body: body, at: date)
    }

    private static func fails(
        _ reason: MessageSignatureError.Reason, _ head: HTTPRequest, body: Data = body, at date: Date = date,
        _ change: (inout MessageSignatureVerifier) -> Void = { _ in }
    ) async {
        let error = await #expect(throws: MessageSignatureError.self) {
            try await verify(head, body: body, at: date, change)
        }
        #expect(error?.reason == reason, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(
        "A signed request is valid with each algorithm",
        arguments: [
            "test-key-ed25519", "test-key-ecc-p256", "test-shared-secret", "test-key-rsa", "test-key-rsa-pss",
        ])
    func valid(keyID: String) async throws {
        let signed = try await Self.signer(keyID).signed(Self.request(), at: Self.date)
        let found = try await Self.verify(signed.head)
        #expect(found.keyID == keyID && found.created == Self.date && found.nonce != nil)
        #expect(found.components == [.method, .targetURI, .contentDigest])
        let bare = try await Self.signer(keyID).signed(Self.request(Data()), at: Self.date)
        #expect(try await Self.verify(bare.head, body: Data()).components == [.method, .targetURI])
    }

    @Test("A change of the method, the URL, the content or its digest is found")
    func changed() async throws {
        let head = try await Self.signer().signed(Self.request(), at: Self.date).head
        var other = head
        other.method = .put
        await Self.fails(.invalidSignature, other)
        for (keyPath, value) in [
            (\HTTPRequest.path, "/hook?x=2"), (\.authority, "evil.test"), (\.scheme, "http"),
        ] as [(WritableKeyPath<HTTPRequest, String?>, String)] {
            other = head
            other[keyPath: keyPath] = value
            await Self.fails(.invalidSignature, other)
        }
        await Self.fails(.digestMismatch, head, body: Data("other".utf8))
        other = head
        other.headerFields[.known("Content-Digest")] = "\(ContentDigest(of: Data("other".utf8)))"
        await Self.fails(.invalidSignature, other, body: Data("other".utf8))
    }

    @Test(
        "A signature is valid for its time only",
        arguments: [(-31, false), (-30, true), (0, true), (330, true), (331, false)])
    func dates(seconds: Int, isValid: Bool) async throws {
        let head = try await Self.signer().signed(Self.request(), at: Self.date).head
        let date = Self.date.addingTimeInterval(Double(seconds))
        if isValid {
            _ = try await Self.verify(head, at: date)
        } else {
            await Self.fails(.notCurrent, head, at: date)
        }
        var short = try Self.signer()
        short.lifetime = .seconds(10)
        let ended = try await short.signed(Self.request(), at: Self.date).head
        await Self.fails(.notCurrent, ended, at: Self.date.addingTimeInterval(41))
    }

    @Test("A signature must cover the required components and the content")
    func coverage() async throws {
        var signer = try Self.signer()
        signer.components = [.method]
        let head = try await signer.signed(Self.request(), at: Self.date).head
        await Self.fails(.notCovered, head)
        _ = try await Self.verify(head) { $0.requiredRequestComponents = [.method] }
        let bare = try await Self.signer().signed(Self.request(Data()), at: Self.date).head
        await Self.fails(.notCovered, bare, body: Self.body)
    }

    @Test("A key is found by its identifier, and its algorithm decides")
    func keys() async throws {
        var signer = try Self.signer()
        signer.keyID = "other"
        await Self.fails(.unknownKey, try await signer.signed(Self.request(), at: Self.date).head)
        // An attacker signs by HMAC with the public key, and says so.
        let publicKey = try #require(Data(base64Encoded: "JrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs="))
        var forger = HTTPMessageSigner(
            key: try MessageSigningKey(.hmacSHA256, bytes: publicKey), keyID: "test-key-ed25519")
        await Self.fails(.algorithmMismatch, try await forger.signed(Self.request(), at: Self.date).head)
        forger.namesAlgorithm = false
        await Self.fails(.invalidSignature, try await forger.signed(Self.request(), at: Self.date).head)
    }

    @Test("Of several signatures, the label or the tag selects one")
    func several() async throws {
        var (first, second) = (try Self.signer(), try Self.signer("test-shared-secret"))
        first.tag = "app-a"
        second.label = "sig2"
        second.tag = "app-b"
        let once = try await first.signed(Self.request(), at: Self.date)
        let both = try await second.signed(once, at: Self.date)
        #expect(try await second.signed(both, at: Self.date).head == both.head)
        await Self.fails(.malformed, both.head)
        #expect(try await Self.verify(both.head) { $0.label = "sig2" }.keyID == "test-shared-secret")
        #expect(try await Self.verify(both.head) { $0.tag = "app-a" }.keyID == "test-key-ed25519")
        await Self.fails(.missing, both.head) { $0.tag = "app-c" }
        await Self.fails(.missing, Self.request().head)
    }

    @Test(
        "A malformed field is a typed error",
        arguments: [
            ("sig1", "sig1=:AA==:", .malformed), ("sig1=(\"@method\")", "sig1=:AA==:", .malformed),
            ("sig1=(\"@method\");created=1700000000", "sig1=:AA==:", .malformed),
            ("sig1=(\"@method\");created=\"x\";keyid=\"k\"", "sig1=:AA==:", .malformed),
            ("sig1=(\"@METHOD\");created=1700000000;keyid=\"k\"", "sig1=:AA==:", .malformed),
            ("sig1=(\"@method\" \"@method\");created=1700000000;keyid=\"k\"", "sig1=:AA==:", .malformed),
            ("sig1=(\"date\";sf);created=1700000000;keyid=\"k\"", "sig1=:AA==:", .unsupported),
            ("sig1=(\"date\";tr);created=1700000000;keyid=\"k\"", "sig1=:AA==:", .unsupported),
            (
                "sig1=(\"@method\" \"@target-uri\");created=1700000000;keyid=\"test-key-ed25519\"", "sig2=:AA==:",
                .malformed
            ),
            ("sig1=(\"@method\" \"@target-uri\");created=1700000000;keyid=\"test-key-ed25519\"", "sig1=x", .malformed),
            (
                "sig1=(\"@method\" \"@target-uri\" \"x\");created=1700000000;keyid=\"test-key-ed25519\"", "sig1=:AA==:",
                .missingComponent
            ),
            (
                "sig1=(\"@method\" \"@target-uri\" \"@x\");created=1700000000;keyid=\"test-key-ed25519\"",
                "sig1=:AA==:", .unsupported
            ),
            (
                "sig1=(\"@method\" \"@target-uri\" \"@status\");created=1700000000;keyid=\"test-key-ed25519\"",
                "sig1=:AA==:", .missingComponent
            ),
            (
                "sig1=(\"@method\" \"@target-uri\" \"@signature-params\");created=1700000000;keyid=\"test-key-ed25519\"",
                "sig1=:AA==:", .malformed
            ),
            (
                "sig1=(\"@method\" \"@target-uri\");created=1700000000;keyid=\"test-key-ed25519\"", "sig1=:AA==:",
                .invalidSignature
            ),
            (
                "sig1=(\"@method\" \"@target-uri\");created=999999999999999;keyid=\"test-key-ed25519\"", "sig1=:AA==:",
                .notCurrent
            ),
        ] as [(String, String, MessageSignatureError.Reason)])
    func malformed(input: String, signature: String, reason: MessageSignatureError.Reason) async throws {
        var head = Self.request().head
        head.headerFields[Self.input] = input
        head.headerFields[Self.signature] = signature
        await Self.fails(reason, head, body: Data())
    }

    @Test("Fields, signatures and components have limits")
    func limits() async throws {
        var head = Self.request().head
        head.headerFields[Self.signature] = "sig1=:AA==:"
        head.headerFields[Self.input] = "sig1=(\"\(String(repeating: "x", count: 16 * 1024))\")"
        await Self.fails(.tooLarge, head, body: Data())
        head.headerFields[Self.input] = (0..<17).map { "s\($0)=()" }.joined(separator: ", ")
        await Self.fails(.tooLarge, head, body: Data())
        let names = (0..<65).map { "\"x\($0)\"" }.joined(separator: " ")
        head.headerFields[Self.input] = "sig1=(\(names))"
        await Self.fails(.tooLarge, head, body: Data())
    }

    @Test("A parameter that is unknown is part of the signed text, in its order")
    func unknownParameters() async throws {
        let signer = try Self.signer("test-shared-secret")
        var head = try await signer.signed(Self.request(Data()), at: Self.date).head
        let input = try #require(head.headerFields[Self.input])
        head.headerFields[Self.input] = input + ";new=1"
        await Self.fails(.invalidSignature, head, body: Data())
    }

    @Test("A changed byte of a field ends in a typed error, or changes nothing that was signed", arguments: 1...4)
    func mutations(seed: UInt64) async throws {
        var numbers = SeededNumbers(seed)
        let head = try await Self.signer("test-shared-secret").signed(Self.request(), at: Self.date).head
        let original = try await Self.verify(head)
        var accepted = 0
        for _ in 0..<500 {
            var other = head
            let name = Bool.random(using: &numbers) ? Self.input : Self.signature
            var bytes = Array((head.headerFields[name] ?? "").utf8)
            let index = Int.random(in: bytes.indices, using: &numbers)
            switch Int.random(in: 0..<3, using: &numbers) {
            case 0: bytes[index] = UInt8.random(in: 0x20..<0x7F, using: &numbers)
            case 1: bytes.remove(at: index)
            default: bytes.insert(UInt8.random(in: 0x20..<0x7F, using: &numbers), at: index)
            }
            other.headerFields[name] = String(decoding: bytes, as: UTF8.self)
            do {
                let found = try await Self.verify(other)
                #expect(found.components == original.components && found.created == original.created, "seed \(seed)")
                accepted += 1
            } catch {
                #expect(error is MessageSignatureError, "seed \(seed): \(error)")
            }
        }
        // A space, or the same byte again.
        #expect(accepted < 50, "seed \(seed)")
    }

    @Test("A response is signed and verified with components of its request")
    func responses() async throws {
        var signer = try Self.signer("test-key-ecc-p256")
        signer.components = [.status, .contentDigest, SignedComponent.targetURI.ofRequest()]
        let request = Self.request().head
        var response = HTTPResponse(status: .ok)
        response.headerFields[.known("Content-Digest")] = "\(ContentDigest(of: Self.body))"
        let fields = try signer.signatureFields(of: response, to: request, at: Self.date)
        response.headerFields[Self.input] = fields.input
        response.headerFields[Self.signature] = fields.signature
        let verifier = MessageSignatureVerifier { try RFC9421Keys.verification($0) }
        _ = try await verifier.verify(response, body: Self.body, to: request, at: Self.date)
        var other = request
        other.path = "/other"
        let error = await #expect(throws: MessageSignatureError.self) {
            try await verifier.verify(response, body: Self.body, to: other, at: Self.date)
        }
        #expect(error?.reason == .invalidSignature)
    }

    @Test("A key that is not one is a typed error, and no key is shown")
    func invalidKeys() throws {
        for algorithm in MessageSignatureAlgorithm.allCases {
            let error = #expect(throws: MessageSignatureError.self) {
                try MessageSigningKey(algorithm, bytes: Data(repeating: 1, count: 15))
            }
            #expect(error?.reason == .malformed)
            #expect(throws: MessageSignatureError.self) {
                try MessageVerificationKey(algorithm, bytes: Data(repeating: 1, count: 15))
            }
        }
        for text in ["", "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----", RFC9421Keys.ed25519Public] {
            #expect(throws: MessageSignatureError.self) { try MessageSigningKey(pem: text) }
        }
        #expect(throws: MessageSignatureError.self) { try MessageVerificationKey(pem: RFC9421Keys.ed25519) }
        var dumped = ""
        dump(try RFC9421Keys.signing("test-shared-secret"), to: &dumped)
        dump(try Self.signer(), to: &dumped)
        #expect(!dumped.contains("SymmetricKey") && !dumped.contains("PrivateKey("))
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghREST
import SimorghSigning
import SimorghSupport
import TestSupport
import Testing

/// Messages that try to mislead a verifier, or to keep it busy.
@Suite("MessageSignatureVerifier: hostile messages", .timeLimit(.minutes(5)))
struct ReceivedMessageTests {
    private static let date = Date(timeIntervalSince1970: 1_700_000_000)
    private static let input = HTTPField.Name.known("Signature-Input")
    private static let signature = HTTPField.Name.known("Signature")

    private static func signed(
        _ authority: String = "shop.test", path: String = "/pay", fields: [(String, String)] = [],
        _ change: (inout HTTPMessageSigner) -> Void = { _ in }
    ) async throws -> HTTPRequest {
        var signer = HTTPMessageSigner(key: try RFC9421Keys.signing("test-shared-secret"), keyID: "test-shared-secret")
        change(&signer)
        var head = HTTPRequest(method: .get, scheme: "https", authority: authority, path: path)
        for (name, value) in fields {
            head.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        return try await signer.signed(TransportRequest(head: head), at: date).head
    }

    private static func reason(
        _ head: HTTPRequest, _ change: (inout MessageSignatureVerifier) -> Void = { _ in }
    ) async -> MessageSignatureError.Reason? {
        var verifier = MessageSignatureVerifier { try RFC9421Keys.verification($0) }
        change(&verifier)
        do {
            _ = try await verifier.verify(head, body: Data(), at: date)
            return nil
        } catch {
            return (error as? MessageSignatureError)?.reason
        }
    }

    @Test(
        "A field Host must be equal to the authority",
        arguments: [
            ("shop.test", "shop.test", nil), ("shop.test:443", "Shop.test", nil),
            ("bank.test", "shop.test", .malformed),
            ("bank.test", "shop.test:443", .malformed),
        ] as [(String, String, MessageSignatureError.Reason?)])
    func host(authority: String, host: String, reason: MessageSignatureError.Reason?) async throws {
        var head = try await Self.signed("shop.test")
        head.authority = authority
        head.headerFields[.known("Host")] = host
        #expect(await Self.reason(head) == reason)
        // Also if no component needs the authority.
        var other = try await Self.signed { $0.components = [.method, .path] }
        other.authority = authority
        other.headerFields[.known("Host")] = host
        let found = await Self.reason(other) { $0.requiredRequestComponents = [.method, .path] }
        #expect(found == reason)
    }

    @Test("A request that a client signs may have another Host than its URL")
    func ownHost() async throws {
        var head = try await Self.signed("10.0.0.1", fields: [("Host", "shop.test")])
        head.authority = "shop.test"
        #expect(await Self.reason(head) == nil)
    }

    @Test("A request without a scheme has no URL that could be verified")
    func scheme() async throws {
        var head = try await Self.signed()
        head.scheme = nil
        #expect(await Self.reason(head) == .missingComponent)
    }

    /// Returns a request whose signature covers 64 components, most of them members of one field.
    private static func members(_ count: Int, covered: Int, separator: String = ",") -> HTTPRequest {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: "/pay")
        head.headerFields[.known("X-Members")] = (0..<count).map { "k\($0)" }.joined(separator: separator)
        let components = (0..<covered).map { "\"x-members\";key=\"k\($0)\"" }.joined(separator: " ")
        head.headerFields[input] =
            "sig1=(\"@method\" \"@target-uri\" \(components));created=1700000000;keyid=\"test-shared-secret\""
        head.headerFields[signature] = "sig1=:AAAA:"
        return head
    }

    @Test(
        "A field with many members is refused before it is parsed",
        arguments: [(257, .invalidSignature), (258, .tooLarge), (10_000, .tooLarge)]
            as [(Int, MessageSignatureError.Reason)])
    func members(count: Int, reason: MessageSignatureError.Reason) async {
        #expect(await Self.reason(Self.members(count, covered: 62)) == reason)
    }

    @Test("A Signature-Input with many members or parameters is refused before it is parsed", arguments: [",", ";"])
    func inputs(separator: String) async {
        var head = Self.members(1, covered: 0)
        let keys = (0..<2500).map { "k\($0)" }.joined(separator: separator)
        head.headerFields[Self.input] = "sig1=()\(separator)\(keys)"
        #expect(await Self.reason(head) == .tooLarge)
    }

    @Test("A covered item of the query that is not UTF-8 is refused, since its encoding would hide changes")
    func query() async throws {
        var head = try await Self.signed(path: "/pay?to=%EF%BF%BD") { $0.components.append(.queryItem("to")) }
        #expect(await Self.reason(head) == nil)
        for path in ["/pay?to=%FF", "/pay?to=%FE"] {
            head.path = path
            #expect(await Self.reason(head) { $0.requiredRequestComponents = [] } == .malformed)
        }
    }

    @Test("Cookies are signed as the one line in which they are sent")
    func cookies() async throws {
        var head = try await Self.signed(fields: [("Cookie", "a=1"), ("Cookie", "b=2")]) {
            $0.components.append("cookie")
        }
        head.headerFields[.cookie] = nil
        head.headerFields.append(HTTPField(name: .cookie, value: "a=1; b=2"))
        #expect(await Self.reason(head) == nil)
    }

    @Test("A huge negative age or date is an error", arguments: [Int64.min, -1])
    func dates(seconds: Int64) async {
        var head = Self.members(1, covered: 0)
        head.headerFields[Self.input] =
            "sig1=(\"@method\" \"@target-uri\");created=-999999999999999;keyid=\"test-shared-secret\""
        let reason = await Self.reason(head) {
            $0.maximumAge = .seconds(seconds)
            $0.clockTolerance = .seconds(seconds)
        }
        #expect(reason == .notCurrent)
    }

    @Test("A lifetime of less than a second is an invalid setting", arguments: [0, -1, 999])
    func lifetime(milliseconds: Int) async throws {
        let error = await #expect(throws: SigningError.self) {
            try await Self.signed { $0.lifetime = .milliseconds(milliseconds) }
        }
        #expect(error?.reason == .invalidSetting)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSigning
import SimorghSupport
import TestSupport
import Testing

/// The requests and the signatures that AWS has published: the suite `aws-sig-v4-test-suite`, and the examples in the
/// documentation of S3.
@Suite("AWS Signature Version 4: published vectors", .timeLimit(.minutes(5)))
struct SigV4VectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        var method = "GET"
        var target = "/"
        var fields: [[String]] = []
        var body = ""
        let signature: String
        var testDescription: String { name }
    }

    private static let alphabet =
        "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    private static let token = """
        AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflf\
        KD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd\
        8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3i\
        SIlTJabIQwj2ICCR/oLxBA==
        """

    static let suiteVectors: [Vector] = [
        Vector(
            name: "get-vanilla", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Vector(
            name: "post-vanilla", method: "POST",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Vector(
            name: "get-vanilla-query-order-key-case", target: "/?Param2=value2&Param1=value1",
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        Vector(
            name: "get-vanilla-empty-query-key", target: "/?Param1=value1",
            signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
        Vector(
            name: "get-vanilla-utf8-query", target: "/?ሴ=bar",
            signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
        Vector(
            name: "get-vanilla-query-unreserved", target: "/?\(alphabet)=\(alphabet)",
            signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
        Vector(
            name: "get-unreserved", target: "/\(alphabet)",
            signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
        Vector(
            name: "get-utf8", target: "/ሴ",
            signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
        Vector(
            name: "get-space", target: "/example space/",
            signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
        Vector(
            name: "get-relative", target: "/example/..",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Vector(
            name: "get-slash-dot-slash", target: "/./",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Vector(
            name: "get-slash-pointless-dot", target: "/./example",
            signature: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"),
        Vector(
            name: "get-slashes", target: "//example//",
            signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"),
        Vector(
            name: "get-header-key-duplicate",
            fields: [["My-Header1", "value2"], ["My-Header1", "value2"], ["My-Header1", "value1"]],
            signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
        Vector(
            name: "get-header-value-order",
            fields: [
                ["My-Header1", "value4"], ["My-Header1", "value1"], ["My-Header1", "value3"], ["My-Header1", "value2"],
            ], signature: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"),
        Vector(
            name: "get-header-value-trim", fields: [["My-Header1", " value1"], ["My-Header2", " \"a   b   c\""]],
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        Vector(
            name: "get-header-value-multiline", fields: [["My-Header1", "value1\n  value2\n     value3"]],
            signature: "cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd"),
        Vector(
            name: "get-vanilla-query-order-key", target: "/?Param1=value2&Param1=Value1",
            signature: "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"),
        Vector(
            name: "get-vanilla-query-order-value", target: "/?Param1=value2&Param1=value1",
            signature: "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"),
        Vector(
            name: "get-vanilla-query-order-encoded", target: "/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1",
            signature: "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac"),
        Vector(
            name: "post-sts-header-before", method: "POST", fields: [["X-Amz-Security-Token", token]],
            signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"),
        Vector(
            name: "post-header-key-sort", method: "POST", fields: [["My-Header1", "value1"]],
            signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
        Vector(
            name: "post-header-value-case", method: "POST", fields: [["My-Header1", "VALUE1"]],
            signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"),
        Vector(
            name: "post-vanilla-query", method: "POST", target: "/?Param1=value1",
            signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
        Vector(
            name: "post-x-www-form-urlencoded", method: "POST",
            fields: [["Content-Type", "application/x-www-form-urlencoded"]], body: "Param1=value1",
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
        Vector(
            name: "post-x-www-form-urlencoded-parameters", method: "POST",
            fields: [["Content-Type", "application/x-www-form-urlencoded; charset=utf8"]], body: "Param1=value1",
            signature: "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe"),
    ]

    @Test("The signature of a request of the suite is the published one", arguments: suiteVectors)
    func suite(vector: Vector) {
        let credentials = AWSCredentials(
            accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
        let date = SigV4Date(Date(timeIntervalSince1970: 1_440_938_160))
        #expect(date.text == "20150830T123600Z")
        let sigV4 = SigV4(credentials, region: "us-east-1", service: "service", date: date, usesS3Rules: false)
        let fields = [["host", "example.amazonaws.com"], ["x-amz-date", date.text]] + vector.fields
        let message = SigV4.Message(
            method: vector.method, target: vector.target, fields: fields.map { ($0[0], $0[1]) },
            payloadHash: SigV4.hash(Data(vector.body.utf8)))
        #expect(sigV4.signature(of: message) == vector.signature, "\(sigV4.canonicalRequest(message))")
    }

    @Test("The canonical request and the string to sign are those of the suite")
    func texts() {
        let credentials = AWSCredentials(
            accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
        let date = SigV4Date(Date(timeIntervalSince1970: 1_440_938_160))
        let sigV4 = SigV4(credentials, region: "us-east-1", service: "service", date: date, usesS3Rules: false)
        let message = SigV4.Message(
            method: "GET", target: "/", fields: [("Host", "example.amazonaws.com"), ("X-Amz-Date", date.text)],
            payloadHash: SigV4.hash(Data()))
        let canonical = """
            GET
            /

            host:example.amazonaws.com
            x-amz-date:20150830T123600Z

            host;x-amz-date
            e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
            """
        #expect(sigV4.canonicalRequest(message) == canonical)
        #expect(
            sigV4.stringToSign(canonical) == """
                AWS4-HMAC-SHA256
                20150830T123600Z
                20150830/us-east-1/service/aws4_request
                bb579772317eb040ac9ed261061d46c1f17a8133879d6129b6e1c25292927e63
                """)
        #expect(
            sigV4.authorization(message, signature: sigV4.signature(of: message))
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=host;x-amz-date, "
                + "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31")
    }

    private static let s3Credentials = AWSCredentials(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    private static let s3Date = Date(timeIntervalSince1970: 1_369_353_600)

    static let s3Vectors: [Vector] = [
        Vector(
            name: "GET Object", target: "/test.txt", fields: [["Range", "bytes=0-9"]],
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Vector(
            name: "PUT Object", method: "PUT", target: "/test$file.text",
            fields: [["Date", "Fri, 24 May 2013 00:00:00 GMT"], ["x-amz-storage-class", "REDUCED_REDUNDANCY"]],
            body: "Welcome to Amazon S3.",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Vector(
            name: "GET Bucket Lifecycle", target: "/?lifecycle",
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Vector(
            name: "GET Bucket", target: "/?max-keys=2&prefix=J",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]

    @Test("A signer for S3 computes the signatures of the documentation", arguments: s3Vectors)
    func s3(vector: Vector) async throws {
        let signer = SigV4Signer.s3(region: "us-east-1", credentials: .fixed(Self.s3Credentials))
        var request = TransportRequest(
            head: .init(
                method: try #require(.init(vector.method)), scheme: "https",
                authority: "examplebucket.s3.amazonaws.com", path: vector.target))
        if !vector.body.isEmpty { request.body = .bytes(Data(vector.body.utf8), contentType: nil) }
        for field in vector.fields { request.head.headerFields[try #require(.init(field[0]))] = field[1] }
        let signed = try await signer.signed(request, at: Self.s3Date)
        let authorization = try #require(signed.head.headerFields[.authorization])
        #expect(authorization.hasSuffix("Signature=\(vector.signature)"), "\(authorization)")
    }

    @Test(
        "S3 sees the decoded path: each form of a path has the same signature",
        arguments: [
            ("/caf%c3%a9", "/caf%C3%A9"), ("/café", "/caf%C3%A9"), ("/a%7Eb", "/a~b"), ("/a%2db", "/a-b"),
            ("/a+b", "/a%2Bb"), ("/a%2fb", "/a%2Fb"), ("/a%b", "/a%25b"), ("/a//./../b/", "/a//./../b/"), ("", "/"),
            ("/*;(b)", "/%2A%3B%28b%29"),
        ])
    func paths(path: String, canonical: String) {
        let sigV4 = SigV4(
            Self.s3Credentials, region: "us-east-1", service: "s3", date: SigV4Date(Self.s3Date), usesS3Rules: true)
        let message = SigV4.Message(method: "GET", target: path, fields: [], payloadHash: "UNSIGNED-PAYLOAD")
        let lines = sigV4.canonicalRequest(message).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[1] == canonical)
    }

    @Test("The text of a date is parsed")
    func dates() {
        #expect(SigV4Date.date("20130524T000000Z") == Self.s3Date)
        for text in [
            "", "20130524T000000", "2013-5-24T000000Z", "20131324T000000Z", "2013052aT000000Z", "2013+524T000000Z",
            "20130231T000000Z", "20130524T240000Z",
        ] {
            #expect(SigV4Date.date(text) == nil, "\(text)")
        }
    }

    @Test("A presigned URL is the one of the documentation")
    func presigned() async throws {
        let signer = SigV4Signer.s3(region: "us-east-1", credentials: .fixed(Self.s3Credentials))
        let url = try await signer.presignedURL(
            "https://examplebucket.s3.amazonaws.com/test.txt", expires: .seconds(86400), at: Self.s3Date)
        #expect(
            url == "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
                + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    }

    @Test("A body in chunks has the signatures of the documentation", arguments: [1, 1000, 64 * 1024, 100_000])
    func chunks(pieceBytes: Int) async throws {
        let content = Data(repeating: UInt8(ascii: "a"), count: 66_560)
        let pieces = stride(from: 0, to: content.count, by: pieceBytes).map {
            content[$0..<min($0 + pieceBytes, content.count)]
        }
        var signer = SigV4Signer.s3(region: "us-east-1", credentials: .fixed(Self.s3Credentials))
        signer.payload = .chunked
        var request = TransportRequest(
            head: .init(
                method: .put, scheme: "https", authority: "s3.amazonaws.com", path: "/examplebucket/chunkObject.txt"))
        request.head.headerFields[try #require(.init("x-amz-storage-class"))] = "REDUCED_REDUNDANCY"
        request.body = .stream(length: Int64(content.count), contentType: nil) { Pieces(pieces: pieces) }
        let signed = try await signer.signed(request, at: Self.s3Date)
        // The example also signs Content-Length, which a proxy may remove: the chunks are computed from its signature.
        let sigV4 = SigV4(
            Self.s3Credentials, region: "us-east-1", service: "s3", date: SigV4Date(Self.s3Date), usesS3Rules: true)
        let seed = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9"
        let body = try await Self.read(SigV4Chunks(request.body.makeChunks(), signer: sigV4, seed: seed))
        let text = String(decoding: body, as: UTF8.self)
        #expect(
            text.hasPrefix(
                "10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\na"))
        #expect(
            text.contains(
                "a\r\n400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\na"))
        #expect(
            text.hasSuffix(
                "a\r\n0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n"))
        #expect(body.count == 66_824)
        #expect(SigV4Chunks.encodedLength(66_560) == 66_824)
        #expect(signed.body.length == 66_824)
        // The body of the signed request begins with the signature of its own head.
        let own = try #require(signed.head.headerFields[.authorization]?.split(separator: "=").last.map(String.init))
        let expected = try await Self.read(SigV4Chunks(request.body.makeChunks(), signer: sigV4, seed: own))
        #expect(try await Self.read(signed.body.makeChunks()) == expected)
        #expect(expected != body)
        #expect(signed.head.headerFields[.contentEncoding] == "aws-chunked")
    }

    private struct Pieces: AsyncSequence, Sendable {
        let pieces: [Data]
        func makeAsyncIterator() -> AsyncThrowingStream<Data, any Error>.Iterator {
            AsyncThrowingStream { continuation in
                for piece in pieces { continuation.yield(piece) }
                continuation.finish()
            }.makeAsyncIterator()
        }
    }

    private static func read(_ chunks: any AsyncIteratorProtocol<Data, any Error>) async throws -> Data {
        var (chunks, data) = (chunks, Data())
        while let chunk = try await chunks.next(isolation: nil) { data.append(chunk) }
        return data
    }
}

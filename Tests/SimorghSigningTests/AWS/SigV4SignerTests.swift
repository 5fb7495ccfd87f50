// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSigning
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("SigV4Signer", .timeLimit(.minutes(5)))
struct SigV4SignerTests {
    static let credentials = AWSCredentials(
        accessKeyID: "AKID", secretAccessKey: "the-secret-key", sessionToken: "the-session-token")

    private static func signer(_ service: String = "s3") -> SigV4Signer {
        SigV4Signer(region: "eu-west-1", service: service, credentials: .fixed(credentials))
    }

    private static func field(_ name: String, of request: RecordedRequest?) -> String? {
        HTTPField.Name(name).flatMap { request?.head.headerFields[$0] }
    }

    @Test("A request is signed with its date, its hash and the session token, and the secret key is not sent")
    func fields() async throws {
        let (server, clock) = (StubServer(), TestClock())
        server.answer(.text("ok"))
        let client = APIClient.scripted(server, baseURL: "https://birds.s3.eu-west-1.amazonaws.com") {
            $0.authentication = .signed(by: Self.signer())
            $0.time = clock.timeSource
        }
        try await client.call(.put, "zal.txt", body: .text("feather")).void()
        let request = server.requests.first
        let authorization = try #require(Self.field("Authorization", of: request))
        #expect(authorization.hasPrefix("AWS4-HMAC-SHA256 Credential=AKID/20260101/eu-west-1/s3/aws4_request, "))
        #expect(
            authorization.contains(
                "SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token, "))
        #expect(Self.field("X-Amz-Date", of: request) == "20260101T000000Z")
        #expect(Self.field("X-Amz-Security-Token", of: request) == "the-session-token")
        #expect(Self.field("X-Amz-Content-SHA256", of: request) == SigV4.hash(Data("feather".utf8)))
        let sent = request.map { "\($0.head)" } ?? ""
        #expect(!sent.contains("the-secret-key"))
    }

    @Test("Other services get no field with the hash of the body")
    func otherServices() async throws {
        let server = StubServer()
        server.answer(.text("ok"))
        let client = APIClient.scripted(server) { $0.authentication = .signed(by: Self.signer("execute-api")) }
        try await client.call(.get, "x").void()
        #expect(Self.field("X-Amz-Content-SHA256", of: server.requests.first) == nil)
        #expect(Self.field("Authorization", of: server.requests.first)?.contains("/execute-api/aws4_request") == true)
    }

    @Test("Each retry has the date of its moment")
    func retries() async throws {
        let (server, clock) = (StubServer(), TestClock(movesItself: true))
        server.answer(inOrder: [.status(.serviceUnavailable), .status(.serviceUnavailable), .text("ok")])
        let client = APIClient.scripted(server) {
            $0.authentication = .signed(by: Self.signer())
            $0.time = clock.timeSource
            var policy = RetryPolicy()
            policy.jitter = .none
            policy.baseDelay = .seconds(5)
            $0.retry = policy
        }
        try await client.call(.get, "x").void()
        let dates = server.requests.map { Self.field("X-Amz-Date", of: $0) }
        #expect(dates.count == 3)
        #expect(Set(dates).count == 3)
        #expect(Set(server.requests.map { Self.field("Authorization", of: $0) }).count == 3)
    }

    @Test("A request's own Authorization field stays, and the request is not signed")
    func own() async throws {
        let server = StubServer()
        server.answer(.text("ok"))
        let client = APIClient.scripted(server) { $0.authentication = .signed(by: Self.signer()) }
        try await client.call(.get, "x", headers: ["Authorization": "Bearer y"]).void()
        #expect(Self.field("Authorization", of: server.requests.first) == "Bearer y")
        #expect(Self.field("X-Amz-Date", of: server.requests.first) == nil)
    }

    @Test(
        "A redirect to another origin is signed only if the program lists that origin",
        arguments: [
            ("https://api.test/again", nil, true), ("https://other.test/", nil, false),
            ("https://api.test:8443/", nil, false),
            ("https://other.test/", ["https://api.test", "https://other.test"], true),
            ("https://evil.test/", ["https://api.test", "https://other.test"], false),
        ] as [(String, [String]?, Bool)])
    func redirects(target: String, origins: [String]?, isSigned: Bool) async throws {
        let server = StubServer()
        server.answer(inOrder: [
            StubResponse(status: .temporaryRedirect, headerFields: [.location: target]), .text("ok"),
        ])
        let client = APIClient.scripted(server) {
            let authentication = Authentication.signed(by: Self.signer())
            $0.authentication = origins.map { authentication.limited(to: $0) } ?? authentication
        }
        try await client.call(.put, "x", body: .text("a")).void()
        #expect(server.requests.count == 2)
        let (first, second) = (server.requests.first, server.requests.last)
        #expect(Self.field("Authorization", of: first) != nil)
        for name in ["Authorization", "X-Amz-Security-Token", "X-Amz-Date", "X-Amz-Content-SHA256"] {
            #expect((Self.field(name, of: second) != nil) == isSigned, "\(name)")
        }
        if isSigned { #expect(Self.field("Authorization", of: second) != Self.field("Authorization", of: first)) }
    }

    @Test(
        "A streamed body for S3 is unsigned over TLS, and signed in chunks otherwise",
        arguments: [
            ("https://api.test", "UNSIGNED-PAYLOAD"), ("http://127.0.0.1:9000", "UNSIGNED-PAYLOAD"),
            ("http://api.test", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"),
        ])
    func streams(base: String, hash: String) async throws {
        let server = StubServer()
        server.answer(.text("ok"))
        let file = TemporaryFile(Data(repeating: 1, count: 70_000))
        let client = APIClient.scripted(server, baseURL: base) { $0.authentication = .signed(by: Self.signer()) }
        try await client.call(.put, "x", body: .file(file.path)).void()
        #expect(Self.field("X-Amz-Content-SHA256", of: server.requests.first) == hash)
        let isChunked = hash.hasPrefix("STREAMING")
        #expect(Self.field("X-Amz-Decoded-Content-Length", of: server.requests.first) == (isChunked ? "70000" : nil))
    }

    @Test("For other services a streamed body is read twice")
    func hashedStream() async throws {
        let file = TemporaryFile(Data(repeating: 1, count: 70_000))
        var request = try Self.request("https://api.test/x")
        request.body = try .file(file.path)
        let signed = try await Self.signer("es").signed(request, at: Date(timeIntervalSince1970: 0))
        var same = request
        same.body = .bytes(file.content)
        let other = try await Self.signer("es").signed(same, at: Date(timeIntervalSince1970: 0))
        #expect(signed.head.headerFields[.authorization] == other.head.headerFields[.authorization])
    }

    private static func request(_ url: String) throws -> TransportRequest {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return TransportRequest(
            head: HTTPRequest(
                method: .put, scheme: String(parts[0].dropLast()), authority: String(parts[2]), path: "/\(parts[3])"))
    }

    private struct Nothing: AsyncSequence, Sendable {
        func makeAsyncIterator() -> AsyncThrowingStream<Data, any Error>.Iterator {
            AsyncThrowingStream { $0.finish() }.makeAsyncIterator()
        }
    }

    struct Invalid: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: SigningError.Reason
        var region = "eu-west-1"
        var service = "s3"
        var id = "AKID"
        var token: String?
        var url = "http://api.test/x"
        var payload = SigV4Signer.Payload.automatic
        var body = RequestBody.empty
        var hash: String?
    }

    static let invalid: [Invalid] = [
        Invalid(testDescription: "an empty region", reason: .invalidSetting, region: ""),
        Invalid(testDescription: "a region with a line break", reason: .invalidSetting, region: "eu\r\nX: y"),
        Invalid(testDescription: "a service with a slash", reason: .invalidSetting, service: "s3/x"),
        Invalid(testDescription: "a key identifier with a comma", reason: .invalidSetting, id: "A, Signature=0"),
        Invalid(testDescription: "a token with a line break", reason: .invalidSetting, token: "a\nb"),
        Invalid(testDescription: "no signature of the body over http", reason: .insecure, payload: .unsigned),
        Invalid(
            testDescription: "a stream without a length over http", reason: .bodyNotSignable,
            body: .stream { Nothing() }),
        Invalid(
            testDescription: "a stream that can be read once, for another service", reason: .bodyNotSignable,
            service: "es", body: .once(Nothing(), length: 0)),
        Invalid(
            testDescription: "chunks for another service", reason: .bodyNotSignable, service: "es", payload: .chunked),
        Invalid(testDescription: "a hash with a line break", reason: .missingComponent, hash: "a b"),
        Invalid(testDescription: "an own text for no signature over http", reason: .insecure, hash: "UNSIGNED-PAYLOAD"),
        Invalid(
            testDescription: "an own text for unsigned chunks over http", reason: .insecure,
            hash: "STREAMING-UNSIGNED-PAYLOAD-TRAILER"),
        Invalid(
            testDescription: "an own text for signed chunks", reason: .bodyNotSignable, url: "https://api.test/x",
            hash: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"),
    ]

    @Test("An invalid setting or body is a SigningError", arguments: invalid)
    func errors(invalid: Invalid) async throws {
        let credentials = AWSCredentials(
            accessKeyID: invalid.id, secretAccessKey: "s", sessionToken: invalid.token)
        var signer = SigV4Signer(region: invalid.region, service: invalid.service, credentials: .fixed(credentials))
        signer.payload = invalid.payload
        var request = try Self.request(invalid.url)
        request.body = invalid.body
        if let hash = invalid.hash { request.head.headerFields[try #require(.init("X-Amz-Content-SHA256"))] = hash }
        let error = await #expect(throws: SigningError.self) { try await signer.signed(request, at: Date()) }
        #expect(error?.reason == invalid.reason)
    }

    @Test("The error of a signer is the cause of the call's error, and the call is not retried")
    func callError() async throws {
        let server = StubServer()
        let client = APIClient.scripted(server) {
            $0.authentication = .signed(
                by: SigV4Signer(region: "", service: "s3", credentials: .fixed(Self.credentials)))
            $0.retry = RetryPolicy()
        }
        let error = try await #require(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        #expect((error.underlyingError as? SigningError)?.reason == .invalidSetting)
        #expect(server.requestCount == 0)
    }

    @Test("The fields for AppSync have all that its server signs again, with the names of its documentation")
    func appSync() async throws {
        let host = "abc.appsync-api.eu-west-1.amazonaws.com"
        var fields = try await Self.signer("appsync").appSyncFields(host: host, path: "/graphql/connect", body: "{}")
        #expect(
            Set(fields.keys) == [
                "accept", "content-encoding", "content-type", "Authorization", "x-amz-date", "x-amz-security-token",
            ])
        let removed = fields.removeValue(forKey: "Authorization")
        let authorization = try #require(removed)
        let date = try #require(fields["x-amz-date"].flatMap(SigV4Date.date))
        let sigV4 = SigV4(
            Self.credentials, region: "eu-west-1", service: "appsync", date: SigV4Date(date), usesS3Rules: false)
        fields["host"] = host
        let message = SigV4.Message(
            method: "POST", target: "/graphql/connect", fields: fields.map { ($0.key, $0.value) },
            payloadHash: SigV4.hash(Data("{}".utf8)))
        #expect(authorization == sigV4.authorization(message, signature: sigV4.signature(of: message)))
    }

    @Test("The fields for another client are without Host, which the client sets itself")
    func headerFields() async throws {
        let fields = try await Self.signer().headerFields(
            for: "https://10.0.0.1/x", method: .get, headers: ["Host": "birds.test", "If-Match": "1"])
        #expect(
            Set(fields.keys) == [
                "If-Match", "Authorization", "X-Amz-Date", "X-Amz-Security-Token", "X-Amz-Content-SHA256",
            ])
        #expect(fields["Authorization"]?.contains("SignedHeaders=host;if-match;") == true)
    }

    @Test("The fields for another client have the given date, and replace a given Authorization")
    func headerFieldsOfADate() async throws {
        let url = "https://api.test/x"
        let fields = try await Self.signer().headerFields(
            for: url, method: .put, headers: ["Authorization": "own"], body: Data("a".utf8),
            at: Date(timeIntervalSince1970: 0))
        var request = try Self.request(url)
        request.body = .bytes(Data("a".utf8))
        let signed = try await Self.signer().signed(request, at: Date(timeIntervalSince1970: 0))
        #expect(fields["X-Amz-Date"] == "19700101T000000Z")
        #expect(fields["Authorization"] == signed.head.headerFields[.authorization])
    }

    @Test("A body without a signature is named in a field for other services, too")
    func unsignedElsewhere() async throws {
        var signer = Self.signer("es")
        signer.payload = .unsigned
        var request = try Self.request("https://api.test/x")
        request.body = .bytes(Data("a".utf8))
        let signed = try await signer.signed(request, at: Date(timeIntervalSince1970: 0))
        #expect(signed.head.headerFields[.known("X-Amz-Content-SHA256")] == "UNSIGNED-PAYLOAD")
        #expect(signed.head.headerFields[.authorization]?.contains("x-amz-content-sha256;") == true)
    }

    @Test("Cookies are signed as the one line in which they are sent")
    func cookies() async throws {
        var request = try Self.request("https://api.test/x")
        request.head.headerFields.append(HTTPField(name: .cookie, value: "a=1"))
        request.head.headerFields.append(HTTPField(name: .cookie, value: "b=2"))
        let signed = try await Self.signer().signed(request, at: Date(timeIntervalSince1970: 0))
        request.head.headerFields = [:]
        request.head.headerFields.append(HTTPField(name: .cookie, value: "a=1; b=2"))
        let same = try await Self.signer().signed(request, at: Date(timeIntervalSince1970: 0))
        #expect(signed.head.headerFields[.authorization] == same.head.headerFields[.authorization])
    }

    @Test("No log, description or error shows a signature, the secret key or the session token")
    func secrets() async throws {
        let (server, log) = (StubServer(), LogBox())
        server.answer(.status(.forbidden))
        let client = APIClient.scripted(server) {
            $0.authentication = .signed(by: Self.signer())
            $0.logging.level = .verbose
            $0.logging.logger = log.writing()
        }
        let url = try await Self.signer().presignedURL("https://api.test/x", expires: .seconds(60))
        var texts: [String] = []
        for call in [client.call(.get, "y"), client.call(.get, url)] {
            let error = try await #require(throws: NetworkError.self) { try await call.void() }
            texts += ["\(error)", String(reflecting: error)]
        }
        texts += ["\(Self.credentials)", String(reflecting: Self.credentials), log.all]
        var dumped = ""
        dump(Self.signer(), to: &dumped)
        dump(Self.credentials, to: &dumped)
        texts.append(dumped)
        let signature = try #require(url.split(separator: "=").last)
        let header = try #require(
            Self.field("Authorization", of: server.requests.first)?.split(separator: "=").last)
        for text in texts {
            for secret in ["the-secret-key", "the-session-token", String(signature), String(header)] {
                #expect(!text.contains(secret), "\(text)")
            }
        }
    }
}

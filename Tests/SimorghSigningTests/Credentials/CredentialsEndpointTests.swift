// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSigning
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("AWSCredentialsSource: endpoints", .timeLimit(.minutes(5)))
struct CredentialsEndpointTests {
    private static let answer = """
        {"Code": "Success", "AccessKeyId": "AKIDROLE", "SecretAccessKey": "secret", "Token": "token",
         "Expiration": "2027-01-01T12:30:45.5Z", "RoleArn": "x"}
        """

    private static func containerSource(_ server: StubServer, _ variables: [String: String]) -> AWSCredentialsSource {
        .container(over: APIClient.scripted(server), variables: { variables })
    }

    private static func field(_ name: String, of request: RecordedRequest) -> String? {
        HTTPField.Name(name).flatMap { request.head.headerFields[$0] }
    }

    @Test(
        "The endpoint of a container is asked with its token",
        arguments: [
            (["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/x?y=1"], "http://169.254.170.2/v2/x?y=1"),
            (["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:81/x"], "http://127.0.0.1:81/x"),
            (["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://localhost/x"], "http://localhost/x"),
            (["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://[::1]/x"], "http://[::1]/x"),
            (["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.23/v1/x"], "http://169.254.170.23/v1/x"),
            (["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://[fd00:ec2::23]/v1"], "http://[fd00:ec2::23]/v1"),
            (["AWS_CONTAINER_CREDENTIALS_FULL_URI": "https://sts.example/x"], "https://sts.example/x"),
        ])
    func container(variables: [String: String], url: String) async throws {
        let server = StubServer()
        server.answer(.json(Self.answer))
        let found = try await Self.containerSource(
            server, variables.merging(["AWS_CONTAINER_AUTHORIZATION_TOKEN": "abc\n"]) { $1 }
        ).current()
        #expect(found.accessKeyID == "AKIDROLE" && found.secretAccessKey == "secret" && found.sessionToken == "token")
        #expect(found.expiration == Date(timeIntervalSince1970: 1_798_806_645))
        let request = try #require(server.requests.first)
        #expect("\(request.head.scheme ?? "")://\(request.head.authority ?? "")\(request.head.path ?? "")" == url)
        #expect(Self.field("Authorization", of: request) == "abc")
    }

    @Test("The token of a container is read from its file each time")
    func tokenFile() async throws {
        let (server, file) = (StubServer(), TemporaryFile(Data("first".utf8)))
        server.answer(.json(Self.answer))
        for token in ["first", "second"] {
            TemporaryFile.replace(file, with: Data(token.utf8))
            _ = try await Self.containerSource(
                server,
                [
                    "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1/x",
                    "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": file.path,
                ]
            ).current()
        }
        #expect(server.requests.map { Self.field("Authorization", of: $0) } == ["first", "second"])
    }

    @Test(
        "An endpoint that is neither on this machine nor encrypted is not asked",
        arguments: [
            ("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://evil.example/x", .untrustedEndpoint),
            ("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://169.254.169.254/x", .untrustedEndpoint),
            ("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://10.0.0.1/x", .untrustedEndpoint),
            ("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1.evil.example/x", .untrustedEndpoint),
            ("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://localhost.evil.example/x", .untrustedEndpoint),
            ("AWS_CONTAINER_CREDENTIALS_FULL_URI", "file:///etc/passwd", .malformed),
            ("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1@evil.example/", .malformed),
            ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "@evil.example/x", .malformed),
            ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", ".evil.example/x", .malformed),
            ("OTHER", "x", .notFound),
        ] as [(String, String, AWSCredentialsError.Reason)])
    func refused(name: String, value: String, reason: AWSCredentialsError.Reason) async throws {
        let server = StubServer()
        let error = await #expect(throws: AWSCredentialsError.self) {
            try await Self.containerSource(server, [name: value]).current()
        }
        #expect(error?.reason == reason)
        #expect(server.requestCount == 0)
    }

    @Test(
        "An invalid response, a redirect and a rejection of the endpoint are typed errors",
        arguments: [
            (StubResponse.json("{}"), .malformed), (.text("no"), .malformed),
            (.json(#"{"Code": "AssumeRoleUnauthorizedAccess", "Message": "no"}"#), .unavailable),
            (.json(answer.replacing("\"token\"", with: "null")), .malformed),
            (.json(answer.replacing("2027-01-01T12:30:45.5Z", with: "2027-02-30T00:00:00Z")), .malformed),
            (.json(answer.replacing("2027", with: "2020")), .expired),
            (.json(answer.replacing("\"secret\"", with: "\"\"")), .malformed),
            (StubResponse(status: .found, headerFields: [.location: "http://evil.example/"]), .unavailable),
            (.status(.notFound), .unavailable), (.status(.internalServerError), .unavailable),
            (.bytes(Data(repeating: 0x20, count: 65 * 1024)), .unavailable), (.timedOut(), .unavailable),
        ] as [(StubResponse, AWSCredentialsError.Reason)])
    func answers(response: StubResponse, reason: AWSCredentialsError.Reason) async throws {
        let server = StubServer()
        server.answer(response)
        let error = await #expect(throws: AWSCredentialsError.self) {
            try await Self.containerSource(server, ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1/x"])
                .current()
        }
        #expect(error?.reason == reason)
        #expect(server.requestCount == 1)
    }

    @Test(
        "The expiration of credentials may name UTC in two ways",
        arguments: ["2027-01-01T12:30:45Z", "2027-01-01T12:30:45+00:00", "2027-01-01T12:30:45.123+00:00"])
    func expiration(text: String) async throws {
        let server = StubServer()
        server.answer(.json(Self.answer.replacing("2027-01-01T12:30:45.5Z", with: text)))
        let found = try await Self.containerSource(
            server, ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1/x"]
        ).current()
        #expect(found.expiration == Date(timeIntervalSince1970: 1_798_806_645))
    }

    @Test("A token with a line break is not sent")
    func tokenInjection() async throws {
        let server = StubServer()
        let error = await #expect(throws: AWSCredentialsError.self) {
            try await Self.containerSource(
                server,
                [
                    "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1/x",
                    "AWS_CONTAINER_AUTHORIZATION_TOKEN": "a\r\nX: y",
                ]
            ).current()
        }
        #expect(error?.reason == .malformed)
        #expect(server.requestCount == 0)
    }

    private static func instanceSource(_ server: StubServer, _ variables: [String: String] = [:])
        -> AWSCredentialsSource
    {
        .instance(over: APIClient.scripted(server), variables: { variables })
    }

    @Test(
        "The endpoint of an instance is asked by version 2 of its protocol, without settings of the client",
        arguments: [
            ([:], "http://169.254.169.254"),
            (["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE": "IPv6"], "http://[fd00:ec2::254]"),
            (["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:1338/"], "http://127.0.0.1:1338"),
        ] as [([String: String], String)])
    func instance(variables: [String: String], base: String) async throws {
        let server = StubServer()
        server.answer(inOrder: [.text("the-token"), .text("birds-role\nother"), .json(Self.answer)])
        let client = APIClient.scripted(server) {
            $0.headers = ["X-Secret": "s"]
            $0.authentication = .bearer("never")
        }
        let source = AWSCredentialsSource.instance(over: client, variables: { variables })
        #expect(try await source.current().accessKeyID == "AKIDROLE")
        let role = "/latest/meta-data/iam/security-credentials/"
        #expect(
            server.requests.map {
                "\($0.head.method.rawValue) \($0.head.scheme ?? "")://\($0.head.authority ?? "")\($0.head.path ?? "")"
            } == [
                "PUT \(base)/latest/api/token", "GET \(base)\(role)", "GET \(base)\(role)birds-role",
            ])
        #expect(Self.field("X-aws-ec2-metadata-token-ttl-seconds", of: server.requests[0]) == "21600")
        #expect(
            server.requests.map { Self.field("X-aws-ec2-metadata-token", of: $0) } == [nil, "the-token", "the-token"])
        for request in server.requests {
            #expect(Self.field("Authorization", of: request) == nil && Self.field("X-Secret", of: request) == nil)
        }
    }

    @Test(
        "An instance without the endpoint or a role has no credentials, and version 1 is never asked",
        arguments: [
            ([StubResponse.status(.notFound)], .notFound, 1), ([.timedOut(.connect)], .notFound, 1),
            ([.timedOut()], .unavailable, 1), ([.timedOut(.tls)], .unavailable, 1),
            ([.timedOut(.total)], .unavailable, 1),
            ([.bytes(Data(repeating: 0x20, count: 65 * 1024))], .unavailable, 1),
            ([.text("t"), .timedOut(.connect)], .unavailable, 2),
            ([.text("t"), .text("role"), .status(.notFound)], .unavailable, 3),
            ([.status(.forbidden)], .unavailable, 1), ([.text("t"), .status(.notFound)], .notFound, 2),
            ([.text("t"), .text("../../user-data")], .malformed, 2), ([.text("t"), .text("")], .malformed, 2),
            ([.text("a\rb")], .malformed, 1), ([.text("t"), .text("role"), .json("{}")], .malformed, 3),
        ] as [([StubResponse], AWSCredentialsError.Reason, Int)])
    func instanceErrors(responses: [StubResponse], reason: AWSCredentialsError.Reason, count: Int) async throws {
        let server = StubServer()
        server.answer(inOrder: responses)
        let error = await #expect(throws: AWSCredentialsError.self) { try await Self.instanceSource(server).current() }
        #expect(error?.reason == reason)
        #expect(server.requestCount == count)
    }

    @Test(
        "The address of an instance endpoint may not lead away from this machine",
        arguments: [
            ("http://evil.example", .untrustedEndpoint), ("http://10.0.0.1", .untrustedEndpoint),
            ("ftp://127.0.0.1", .malformed), ("http://127.0.0.1/?x=", .malformed),
        ] as [(String, AWSCredentialsError.Reason)])
    func instanceAddress(url: String, reason: AWSCredentialsError.Reason) async throws {
        let server = StubServer()
        let error = await #expect(throws: AWSCredentialsError.self) {
            try await Self.instanceSource(server, ["AWS_EC2_METADATA_SERVICE_ENDPOINT": url]).current()
        }
        #expect(error?.reason == reason)
        let off = await #expect(throws: AWSCredentialsError.self) {
            try await Self.instanceSource(server, ["AWS_EC2_METADATA_DISABLED": "true"]).current()
        }
        #expect(off?.reason == .notFound)
        #expect(server.requestCount == 0)
    }
}

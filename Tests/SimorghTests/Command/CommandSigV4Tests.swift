// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import HTTPTypes
import SimorghCommand
import SimorghSigning
import SimorghTesting
import TestSupport
import Testing

@Suite("simorgh --aws-sigv4", .timeLimit(.minutes(10)))
struct CommandSigV4Tests {
    private static let user = ["--user", "AKIDTEST:the-secret"]

    /// Returns the request that a server received from a command.
    private func request(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> RecordedRequest {
        try await MockServer.with { server in
            server.on("/a", response: .text("ok"))
            let outcome = try await CommandTool.run(["get", "\(server.url)/a"] + arguments, environment: environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try #require(server.requests.first)
        }
    }

    @Test("The region, the service and the access key are in the signature, and the secret is not sent")
    func signed() async throws {
        let head = try await request(["--aws-sigv4", "aws:amz:eu-west-1:s3"] + Self.user).head
        let value = try #require(head.headerFields[.authorization])
        #expect(value.contains("Credential=AKIDTEST/") && value.contains("/eu-west-1/s3/aws4_request, "))
        #expect(head.headerFields[.init("X-Amz-Date") ?? .date] != nil)
        #expect(!"\(head)".contains("the-secret"))
    }

    @Test("Without --user the credentials are those of the environment")
    func environment() async throws {
        let variables = [
            "AWS_ACCESS_KEY_ID": "AKIDENV", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "the-token",
        ]
        let head = try await request(["--aws-sigv4", "aws:amz:eu-west-1:es"], environment: variables).head
        #expect(head.headerFields[.authorization]?.contains("Credential=AKIDENV/") == true)
        #expect(head.headerFields[.init("X-Amz-Security-Token") ?? .date] == "the-token")
    }

    @Test("--verbose shows no signature")
    func verbose() async throws {
        try await MockServer.with { server in
            server.on("/a", response: .text("ok"))
            let outcome = try await CommandTool.run(
                ["get", "\(server.url)/a", "-v", "--aws-sigv4", "aws:amz:eu-west-1:s3"] + Self.user)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let value = try #require(server.requests.first?.head.headerFields[.authorization])
            let signature = try #require(value.split(separator: "=").last)
            #expect(!outcome.errors.contains(signature) && outcome.errors.contains("Authorization: "))
        }
    }

    @Test("No description, mirror or dump of the argument shows the secret key")
    func dumped() throws {
        let argument = try AWSSignature("aws:amz:r:s3", user: "AKIDTEST:the-secret", url: "https://a.test/")
        var text = "\(argument) \(String(reflecting: argument))"
        dump(argument, to: &text)
        #expect(text.contains("AKIDTEST") && !text.contains("the-secret"))
    }

    @Test("--curl prints the option for curl, which needs --user")
    func curl() async throws {
        let url = "https://ec2.eu-west-1.amazonaws.com/"
        let printed = try await CommandTool.run(["get", url, "--curl", "--aws-sigv4", "aws:amz"] + Self.user)
        #expect(
            printed.text.contains("--aws-sigv4 aws:amz:eu-west-1:ec2 --user AKIDTEST:the-secret"), "\(printed.text)")
        let refused = try await CommandTool.run(["get", url, "--curl", "--aws-sigv4", "aws:amz"])
        #expect(refused.status == 2)
    }

    @Test(
        "An invalid argument is a usage error that shows no secret",
        arguments: [
            ["--aws-sigv4", "aws"], ["--aws-sigv4", "goog:goog:a:b"], ["--aws-sigv4", "aws:amz:a:b:c"],
            ["--aws-sigv4", "aws:amz"], ["--aws-sigv4", "aws:amz:a"], ["--aws-sigv4", "aws:amz::s3"],
            ["--aws-sigv4", "aws:amz:a:s3", "--bearer", "the-secret"], ["--aws-sigv4", "aws:amz:a:s3", "--digest"],
            ["--aws-sigv4", "aws:amz:a:s3", "--user", "the-secret"],
        ])
    func invalid(arguments: [String]) async throws {
        let outcome = try await CommandTool.run(["get", "http://127.0.0.1:1/a"] + arguments)
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(!outcome.errors.contains("the-secret"))
    }
}
#endif

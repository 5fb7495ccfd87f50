// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghSigning
import TestSupport
import Testing

@Suite("AWSCredentialsSource: environment and profiles", .timeLimit(.minutes(1)))
struct ProfileFileTests {
    private static let credentials = """
        # The first line.
        [default]
        aws_access_key_id = AKIDDEFAULT
        aws_secret_access_key = secret/with+signs=
        [birds]
        AWS_ACCESS_KEY_ID=AKIDBIRDS ; a comment
        aws_secret_access_key=s1 # another
        aws_session_token = tok#en
        s3 =
            aws_access_key_id = nested
        [empty]
        region = eu-west-1
        [half]
        aws_access_key_id = AKIDHALF
        [birds]
        aws_secret_access_key = s2
        """
    private static let configuration = """
        [default]
        region = eu-west-1
        [profile zal]
        aws_access_key_id = AKIDZAL
        aws_secret_access_key = s3
        [plain]
        aws_access_key_id = AKIDPLAIN
        aws_secret_access_key = s4
        [profile role]
        role_arn = arn:aws:iam::1:role/x
        source_profile = default
        [profile process]
        credential_process = /bin/echo
        """

    private static func source(_ name: String?, variables: [String: String] = [:]) -> (
        AWSCredentialsSource, [TemporaryFile]
    ) {
        let files = [TemporaryFile(Data(credentials.utf8)), TemporaryFile(Data(configuration.utf8))]
        let all = [
            "AWS_SHARED_CREDENTIALS_FILE": files[0].path, "AWS_CONFIG_FILE": files[1].path,
        ].merging(variables) { $1 }
        return (.profile(name, variables: { all }), files)
    }

    @Test(
        "A profile of both files is read, with comments, repeated sections and names in any case",
        arguments: [
            ("default", "AKIDDEFAULT", "secret/with+signs=", nil), ("birds", "AKIDBIRDS", "s2", "tok#en"),
            ("zal", "AKIDZAL", "s3", nil),
        ] as [(String, String, String, String?)])
    func profiles(name: String, id: String, secret: String, token: String?) async throws {
        let (source, files) = Self.source(name)
        let found = try await source.current()
        #expect(found == AWSCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token))
        withExtendedLifetime(files) {}
    }

    @Test("A random text is a profile, none, or a typed error", arguments: 1...4)
    func random(seed: UInt64) throws {
        var numbers = SeededNumbers(seed)
        let pieces = [
            "[", "]", "default", "profile ", "\n", "\r\n", "=", " ", "\t", "#", ";", "aws_access_key_id", "é", "\u{0}",
        ]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0..<30, using: &numbers)).map { _ in
                pieces.randomElement(using: &numbers) ?? ""
            }
            .joined()
            do {
                let found = try AWSProfileFile.profile("default", in: text, isConfiguration: true, path: "a")
                #expect(found == nil || text.contains("default"), "seed \(seed): \(text)")
            } catch {
                #expect((error as? AWSCredentialsError)?.reason == .malformed, "seed \(seed): \(text)")
            }
        }
    }

    @Test("AWS_PROFILE selects the profile")
    func variable() async throws {
        let (source, files) = Self.source(nil, variables: ["AWS_PROFILE": "zal"])
        #expect(try await source.current().accessKeyID == "AKIDZAL")
        withExtendedLifetime(files) {}
    }

    @Test(
        "A profile without usable credentials is a typed error",
        arguments: [
            ("empty", .notFound), ("other", .notFound), ("half", .malformed), ("plain", .notFound),
            ("role", .unsupported), ("process", .unsupported),
        ] as [(String, AWSCredentialsError.Reason)])
    func errors(name: String, reason: AWSCredentialsError.Reason) async throws {
        let (source, files) = Self.source(name)
        let error = await #expect(throws: AWSCredentialsError.self) { try await source.current() }
        #expect(error?.reason == reason)
        withExtendedLifetime(files) {}
    }

    @Test(
        "An invalid file is a typed error with its line",
        arguments: [("[default\n", ".malformed", "line 1"), ("[default]\nx\n", ".malformed", "line 2")])
    func malformed(text: String, reason: String, line: String) async throws {
        let file = TemporaryFile(Data(text.utf8))
        let source = AWSCredentialsSource.profile(credentialsFile: file.path, configurationFile: "/nonexistent")
        let error = await #expect(throws: AWSCredentialsError.self) { try await source.current() }
        #expect(error?.reason == .malformed)
        #expect(error?.description.contains(line) == true)
    }

    @Test("A file of more than 1 MiB, and a folder in its place, are unreadable")
    func unreadable() async throws {
        let file = TemporaryFile(Data(repeating: UInt8(ascii: "#"), count: 1024 * 1024 + 1))
        for path in [file.path, FileManager.default.temporaryDirectory.path] {
            let source = AWSCredentialsSource.profile(credentialsFile: path, configurationFile: "/nonexistent")
            let error = await #expect(throws: AWSCredentialsError.self) { try await source.current() }
            #expect(error?.reason == .unreadable)
        }
    }

    @Test(
        "The environment has an access key, a secret and perhaps a token",
        arguments: [
            (["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "S"], nil),
            (["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "S", "AWS_SESSION_TOKEN": "T"], nil),
            (["AWS_ACCESS_KEY_ID": "A"], .malformed),
            (["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": ""], .malformed),
            (["AWS_SECRET_ACCESS_KEY": "S"], .notFound), ([:], .notFound),
        ] as [([String: String], AWSCredentialsError.Reason?)])
    func environment(variables: [String: String], reason: AWSCredentialsError.Reason?) async throws {
        let source = AWSCredentialsSource.environment(in: { variables })
        if let reason {
            let error = await #expect(throws: AWSCredentialsError.self) { try await source.current() }
            #expect(error?.reason == reason)
        } else {
            let found = try await source.current()
            #expect(found.accessKeyID == "A" && found.secretAccessKey == "S")
            #expect(found.sessionToken == variables["AWS_SESSION_TOKEN"])
        }
    }

    @Test("A chain uses the first source with credentials, and stops at a source that cannot read its own")
    func chain() async throws {
        let empty = AWSCredentialsSource.environment(in: { [:] })
        let broken = AWSCredentialsSource.environment(in: { ["AWS_ACCESS_KEY_ID": "A"] })
        let full = AWSCredentialsSource.fixed(AWSCredentials(accessKeyID: "B", secretAccessKey: "S"))
        #expect(try await AWSCredentialsSource.chain([empty, full, broken]).current().accessKeyID == "B")
        let stopped = await #expect(throws: AWSCredentialsError.self) {
            try await AWSCredentialsSource.chain([empty, broken, full]).current()
        }
        #expect(stopped?.reason == .malformed)
        let none = await #expect(throws: AWSCredentialsError.self) {
            try await AWSCredentialsSource.chain([empty, empty]).current()
        }
        #expect(none?.reason == .notFound)
    }
}

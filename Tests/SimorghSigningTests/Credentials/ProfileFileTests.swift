// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghSigning
import TestSupport
import Testing

@Suite("AWSCredentialsSource: environment and profiles", .timeLimit(.minutes(5)))
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
        [both]
        aws_access_key_id = AKIDBASE
        aws_secret_access_key = s5
        [two words] # a comment
        aws_access_key_id: AKIDTWO
        aws_secret_access_key: s6
        [program]
        aws_access_key_id = AKIDPROGRAM
        aws_secret_access_key = s7
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
        [profile both]
        role_arn = arn:aws:iam::1:role/x
        source_profile = both
        [profile program]
        credential_process = /bin/echo
        [profile keys]
        credential_process = /bin/echo
        aws_access_key_id = AKIDKEYS
        aws_secret_access_key = s8
        [profile "quoted name"]
        aws_access_key_id = AKIDQUOTED
        aws_secret_access_key = s9
        [profile\tspaced ]
        aws_access_key_id = AKIDSPACED
        aws_secret_access_key = s10
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
            ("zal", "AKIDZAL", "s3", nil), ("two words", "AKIDTWO", "s6", nil),
            ("quoted name", "AKIDQUOTED", "s9", nil), ("spaced", "AKIDSPACED", "s10", nil),
            ("program", "AKIDPROGRAM", "s7", nil),
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
            "[", "]", "default", "profile ", "\n", "\r\n", "=", ":", " ", "\t", "#", ";", "[default]",
            "aws_access_key_id", "é", "\u{0}",
        ]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0..<30, using: &numbers)).map { _ in
                pieces.randomElement(using: &numbers) ?? ""
            }
            .joined()
            do {
                let found = try AWSProfileFile.profile("default", in: text, isConfiguration: true, path: "a")
                // A profile begins with a section of its own, and each setting has a line of its own.
                let sections = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }
                    .map { String($0).filter { $0 != " " && $0 != "\t" } }
                    .filter { $0.hasPrefix("[default]") || $0.hasPrefix("[profiledefault]") }
                #expect(found == nil || !sections.isEmpty, "seed \(seed): \(text)")
                #expect((found?.count ?? 0) <= text.count { $0 == "=" || $0 == ":" }, "seed \(seed): \(text)")
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
            ("empty", .notFound), ("other", .malformed), ("half", .malformed), ("plain", .malformed),
            ("role", .unsupported), ("process", .unsupported), ("both", .unsupported), ("keys", .unsupported),
        ] as [(String, AWSCredentialsError.Reason)])
    func errors(name: String, reason: AWSCredentialsError.Reason) async throws {
        let (source, files) = Self.source(name)
        let error = await #expect(throws: AWSCredentialsError.self) { try await source.current() }
        #expect(error?.reason == reason)
        withExtendedLifetime(files) {}
    }

    @Test(
        "An invalid file is a typed error with its line",
        arguments: [
            ("[default\n", "line 1"), ("[default]\nx\n", "line 2"), ("[default] x\n", "line 1"),
            ("# x\r[default]\rx\r", "line 3"),
        ])
    func malformed(text: String, line: String) async throws {
        let file = TemporaryFile(Data(text.utf8))
        let source = AWSCredentialsSource.profile(credentialsFile: file.path, configurationFile: "/nonexistent")
        let error = await #expect(throws: AWSCredentialsError.self) { try await source.current() }
        #expect(error?.reason == .malformed)
        #expect(error?.description.contains(line) == true)
    }

    @Test(
        "A byte order mark, other line ends and the longer section name are read",
        arguments: [
            ("\u{FEFF}[default]\naws_access_key_id=A\naws_secret_access_key=S", false),
            ("[default]\raws_access_key_id=A\raws_secret_access_key=S\r", false),
            ("[default]\r\naws_access_key_id=A\r\naws_secret_access_key=S\r\n", false),
            ("[default];x\naws_access_key_id=A\naws_secret_access_key=S", false),
            (
                "[profile default]\naws_access_key_id=A\naws_secret_access_key=S\n[default]\naws_access_key_id=B",
                true
            ),
        ])
    func forms(text: String, isConfiguration: Bool) throws {
        let found = try AWSProfileFile.profile("default", in: text, isConfiguration: isConfiguration, path: "a")
        #expect(found == ["aws_access_key_id": "A", "aws_secret_access_key": "S"])
    }

    @Test("Without files, the default profile has no credentials, and a named one is an error")
    func absent() async throws {
        for (variables, name, reason) in [
            (["HOME": "/dev/null"], nil, .notFound), (["HOME": "/nonexistent"], nil, .notFound), ([:], nil, .notFound),
            (["HOME": "/dev/null", "AWS_PROFILE": "typo"], nil, .malformed),
            (["HOME": "/dev/null"], "typo", .malformed),
        ] as [([String: String], String?, AWSCredentialsError.Reason)] {
            let source = AWSCredentialsSource.profile(name, variables: { variables })
            let error = await #expect(throws: AWSCredentialsError.self) { try await source.current() }
            #expect(error?.reason == reason, "\(variables)")
        }
    }

    @Test("A path that begins with a tilde is in the home folder")
    func home() async throws {
        let file = TemporaryFile(Data(Self.credentials.utf8))
        let url = URL(fileURLWithPath: file.path)
        let variables = [
            "HOME": url.deletingLastPathComponent().path,
            "AWS_SHARED_CREDENTIALS_FILE": "~/\(url.lastPathComponent)", "AWS_CONFIG_FILE": "/nonexistent",
        ]
        let source = AWSCredentialsSource.profile("birds", variables: { variables })
        #expect(try await source.current().accessKeyID == "AKIDBIRDS")
        withExtendedLifetime(file) {}
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
            (["AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": "arn:x"], .unsupported),
            (
                [
                    "AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "S", "AWS_SESSION_TOKEN": "T",
                    "AWS_WEB_IDENTITY_TOKEN_FILE": "/token",
                ], nil
            ),
        ] as [([String: String], AWSCredentialsError.Reason?)])
    func environment(variables: [String: String], reason: AWSCredentialsError.Reason?) async throws {
        let source = AWSCredentialsSource.environment(in: { variables })
        if let reason {
            let error = try await #require(throws: AWSCredentialsError.self) { try await source.current() }
            #expect(error.reason == reason)
            let mayBeRetried = RetryFailure(error) != nil
            #expect(!mayBeRetried)
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
        let role = AWSCredentialsSource.environment(in: { ["AWS_WEB_IDENTITY_TOKEN_FILE": "/token"] })
        let ended = await #expect(throws: AWSCredentialsError.self) {
            try await AWSCredentialsSource.chain([role, full]).current()
        }
        #expect(ended?.reason == .unsupported)
        let none = await #expect(throws: AWSCredentialsError.self) {
            try await AWSCredentialsSource.chain([empty, empty]).current()
        }
        #expect(none?.reason == .notFound)
    }
}

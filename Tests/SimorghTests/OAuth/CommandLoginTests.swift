// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import HTTPTypes
import Simorgh
import SimorghTesting
import TestSupport
import Testing

/// The command at Tests/Peers/oauth/server.py.
@Suite("simorgh login and --oauth", .timeLimit(.minutes(10)))
struct CommandLoginTests {
    private let folder = NSTemporaryDirectory() + "simorgh-login-\(UUID().uuidString)"
    private var environment: [String: String] { ["XDG_CONFIG_HOME": folder] }
    private var files: String { folder + "/simorgh/oauth" }

    private func run(_ arguments: [String]) async throws -> ChildProcess.Outcome {
        try await CommandTool.run(arguments, environment: environment)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("A browser's sign-in is saved in private files, used and refreshed by --oauth, and ended by logout")
    func browser() async throws {
        let server = try Witness.oauth.url
        let login = try ChildProcess(
            CommandTool.path, arguments: ["login", "birds", "--issuer", server, "--client-id", "tour", "--no-browser"],
            environment: environment)
        let url = try await login.line()
        try #require(url.hasPrefix(server + "/authorize?"))
        _ = try await APIClient().call(.get, url).status()
        let signedIn = try await login.outcome()
        #expect(signedIn.status == 0 && signedIn.errors.contains("signed in as birds"), "\(signedIn.errors)")
        #expect(
            try mode(files) == 0o700 && mode(files + "/birds.json") == 0o600 && mode(files + "/birds.token") == 0o600)

        let first = try await run(["get", server + "/protected", "--oauth", "birds"])
        #expect(first.status == 0 && first.text.contains("zal"), "\(first.errors)")
        let token = try JSON(parsing: Data(contentsOf: URL(filePath: files + "/birds.token")))
        let value = try #require(token["access_token"].string)
        try await APIClient().call(.post, server + "/forget", query: ["token": value]).void()
        let second = try await run(["get", server + "/protected", "--oauth", "birds", "-v"])
        #expect(second.status == 0 && second.text.contains("zal"), "\(second.errors)")
        let next = try JSON(parsing: Data(contentsOf: URL(filePath: files + "/birds.token")))
        #expect(next["access_token"] != token["access_token"] && next["refresh_token"] != token["refresh_token"])
        for secret in [token["access_token"], next["access_token"], next["refresh_token"]].compactMap(\.string) {
            #expect(!second.errors.contains(secret) && !second.text.contains(secret))
        }

        let ended = try await run(["logout", "birds"])
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(!FileManager.default.fileExists(atPath: files + "/birds.json"))
        #expect(!FileManager.default.fileExists(atPath: files + "/birds.token"))
        let after = try await run(["get", server + "/protected", "--oauth", "birds"])
        #expect(after.status == 2 && after.errors.contains("simorgh login birds"))
        let revoked = try await APIClient().with { $0.validation.statusCodes = .any }
            .call(
                .get, server + "/protected", headers: ["Authorization": "Bearer \(next["access_token"].string ?? "")"]
            )
            .response().response
        #expect(revoked.statusCode == 401)
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test("A device's sign-in prints the URL and the code, and ends when the user decides", arguments: [true, false])
    func device(isApproved: Bool) async throws {
        let server = try Witness.oauth.url
        let login = try ChildProcess(
            CommandTool.path, arguments: ["login", "tv", "--issuer", server, "--client-id", "tour", "--device"],
            environment: environment)
        #expect(try await login.line() == server + "/verify")
        let code = try await login.line()
        let query: QueryItems = ["user_code": code, "approved": isApproved ? "1" : "0"]
        try await APIClient().call(.post, server + "/approve", query: query).void()
        let outcome = try await login.outcome()
        #expect(outcome.status == (isApproved ? 0 : 4), "\(outcome.errors)")
        #expect(FileManager.default.fileExists(atPath: files + "/tv.token") == isApproved)
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test("A machine's sign-in needs no user; its secret is in a private file only")
    func machine() async throws {
        let server = try Witness.oauth.url
        let login = try await run([
            "login", "job", "--token-url", server + "/token", "--client-id", "machine", "--client-secret",
            "feather:1 %",
            "--machine", "--scope", "birds",
        ])
        #expect(login.status == 0 && login.output.isEmpty, "\(login.errors)")
        #expect(!login.errors.contains("feather"))
        let outcome = try await run(["get", server + "/protected", "--oauth", "job"])
        #expect(outcome.status == 0 && outcome.text.contains("machine"), "\(outcome.errors)")
        // Another server does not get the secret, and the failed sign-in changes nothing.
        try await MockServer.with { mock in
            mock.on(.post, path: "/token", response: .json(#"{"error": "invalid_client"}"#, status: .badRequest))
            let other = try await run(["login", "job", "--token-url", mock.url + "/token", "--machine"])
            #expect(other.status == 4, "\(other.errors)")
            let received = try #require(mock.requests.first)
            #expect(mock.requestCount == 1 && received.text.contains("client_id=machine"))
            #expect(received.header(.authorization) == nil && !received.text.contains("feather"))
        }
        let still = try await run(["get", server + "/protected", "--oauth", "job"])
        #expect(still.status == 0, "\(still.errors)")
        let wrong = try await run([
            "login", "job", "--token-url", server + "/token", "--client-id", "machine", "--client-secret", "wrong",
            "--machine",
        ])
        #expect(wrong.status == 4 && wrong.errors.contains("invalid_client") && !wrong.errors.contains("wrong"))
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test("Processes that share a sign-in refresh once when the server rejects its token")
    func processes() async throws {
        let server = try Witness.oauth.url
        let login = try ChildProcess(
            CommandTool.path, arguments: ["login", "five", "--issuer", server, "--client-id", "tour", "--no-browser"],
            environment: environment)
        _ = try await APIClient().call(.get, try await login.line()).status()
        #expect(try await login.outcome().status == 0)
        let token = try JSON(parsing: Data(contentsOf: URL(filePath: files + "/five.token")))
        let value = try #require(token["access_token"].string)
        try await APIClient().call(.post, server + "/forget", query: ["token": value]).void()
        try await withThrowingTaskGroup(of: ChildProcess.Outcome.self) { group in
            for _ in 0..<5 {
                group.addTask { try await run(["get", server + "/protected", "--oauth", "five"]) }
            }
            for try await outcome in group {
                #expect(outcome.status == 0 && outcome.text.contains("zal"), "\(outcome.errors)")
            }
        }
        // A second refresh with the old token would have revoked all tokens of the sign-in.
        let after = try await run(["get", server + "/protected", "--oauth", "five"])
        #expect(after.status == 0, "\(after.errors)")
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test("A token over http to this machine does not go through a proxy")
    func proxied() async throws {
        let server = try Witness.oauth.url
        let login = try await run([
            "login", "job", "--token-url", server + "/token", "--client-id", "machine", "--client-secret",
            "feather:1 %", "--machine",
        ])
        #expect(login.status == 0, "\(login.errors)")
        try await MockServer.with { proxy in
            let outcome = try await run(["get", server + "/protected", "--oauth", "job", "--proxy", proxy.url])
            #expect(outcome.status != 0 && outcome.errors.contains("clear text"), "\(outcome.errors)")
            #expect(proxy.requestCount == 0)
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test("Signing out removes the token, and says if it could not be revoked")
    func notRevoked() async throws {
        let server = try Witness.oauth.url
        let login = [
            "login", "job", "--token-url", server + "/token", "--client-id", "machine", "--client-secret",
            "feather:1 %", "--machine",
        ]
        #expect(try await run(login).status == 0)
        let silent = try await run(["logout", "job"])
        #expect(silent.status == 0 && silent.errors.contains("not revoked"), "\(silent.errors)")
        #expect(!FileManager.default.fileExists(atPath: files + "/job.token"))

        #expect(try await run(login + ["--revoke-url", server + "/revoke"]).status == 0)
        let token = try JSON(parsing: Data(contentsOf: URL(filePath: files + "/job.token")))
        let value = try #require(token["access_token"].string)
        let revoked = try await run(["logout", "job"])
        #expect(revoked.status == 0 && !revoked.errors.contains("not revoked"), "\(revoked.errors)")
        let client = APIClient().with { $0.validation.statusCodes = .any }
        let answer = try await client.call(
            .get, server + "/protected", headers: ["Authorization": "Bearer \(value)"]
        ).response().response
        #expect(answer.statusCode == 401)

        // A file that cannot be read is removed, too.
        #expect(try await run(login + ["--revoke-url", server + "/revoke"]).status == 0)
        try Data("damaged".utf8).write(to: URL(filePath: files + "/job.token"))
        let damaged = try await run(["logout", "job"])
        #expect(damaged.status != 0 && damaged.errors.contains("may still be valid"), "\(damaged.errors)")
        #expect(!FileManager.default.fileExists(atPath: files + "/job.token"))
        #expect(!FileManager.default.fileExists(atPath: files + "/job.json"))
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test("The token goes to https, to this machine, and to the origins of the sign-in only")
    func origins() async throws {
        let server = try Witness.oauth.url
        let login = try await run([
            "login", "job", "--token-url", server + "/token", "--client-id", "machine", "--client-secret",
            "feather:1 %",
            "--machine", "--origin", "https://api.example.com",
        ])
        #expect(login.status == 0, "\(login.errors)")
        for (url, message) in [
            ("http://api.example.com/", "use https"), (server + "/protected", "only for https://api.example.com"),
        ] {
            let outcome = try await run(["get", url, "--oauth", "job"])
            #expect(outcome.status == 2 && outcome.errors.contains(message), "\(outcome.errors)")
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test(
        "Arguments that cannot work are usage errors",
        arguments: [
            ["login", "a/b", "--issuer", "https://a.example", "--client-id", "a"],
            ["login", "..", "--issuer", "https://a.example", "--client-id", "a"], ["login", "new"],
            ["login", "a", "--issuer", "http://a.example", "--client-id", "a"],
            ["login", "a", "--issuer", "https://a.example", "--token-url", "https://a.example"],
            ["login", "a", "--authorize-url", "https://a.example"], ["login", "a", "--device", "--machine"],
            ["login", "a", "--revoke-url", "https://a.example"], ["login", "a", "--device", "--browser"],
            ["login", "a", "--token-url", "https://a.example/t"],
            ["login", "a", "--token-url", "https://a.example/t", "--client-id", "a", "--origin", "http://a.example"],
            ["logout", "new"], ["get", "https://a.example", "--oauth", "new"],
            ["get", "https://a.example", "--oauth", "new", "--bearer", "t"],
            ["get", "https://a.example", "--oauth", "new", "--curl"],
        ])
    func usage(arguments: [String]) async throws {
        let outcome = try await run(arguments)
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("Settings that other users can read, or that are damaged, are refused")
    func exposed() async throws {
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        let path = files + "/a.json"
        for (text, mode, message) in [("{}", 0o644, "chmod 600"), ("{}", 0o600, "is damaged")] {
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let outcome = try await run(["get", "https://a.example", "--oauth", "a"])
            #expect(outcome.status == 2 && outcome.errors.contains(message), "\(outcome.errors)")
        }
        try FileManager.default.removeItem(atPath: folder)
    }
}
#endif

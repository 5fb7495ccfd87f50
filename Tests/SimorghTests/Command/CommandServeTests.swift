// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandServeTests {
    @Test(
        "serve prints its address first, answers requests there, and exits with success on a signal",
        arguments: [SIGINT, SIGTERM])
    func plain(signal: Int32) async throws {
        let tool = try CommandTool.start(["serve"])
        let url = try await tool.line()
        #expect(url.hasPrefix("http://127.0.0.1:"))
        let echo = try await APIClient().call(.get, url + "/get", query: ["q": "1"]).json()
        #expect(echo.args.q == "1")
        tool.signal(signal)
        let outcome = try await tool.outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.isEmpty)
        #expect(outcome.text == url + "\n")
    }

    @Test("serve --tls saves its CA certificate, and deletes the file at exit")
    func tls() async throws {
        let tool = try CommandTool.start(["serve", "--tls"])
        #expect(try await tool.line().hasPrefix("http://"))
        let url = try await tool.line()
        let file = try await tool.line()
        var configuration = APIClient.Configuration()
        configuration.tls.additionalRoots = [try String(contentsOfFile: file, encoding: .utf8)]
        try await APIClient(baseURL: url, configuration: configuration).call(.get, "get").void()
        tool.signal(SIGTERM)
        #expect(try await tool.outcome().status == 0)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("serve --print-ca prints the CA certificate instead of saving it")
    func printCA() async throws {
        let tool = try CommandTool.start(["serve", "--tls", "--print-ca"])
        _ = try await tool.line()
        _ = try await tool.line()
        #expect(try await tool.line() == "-----BEGIN CERTIFICATE-----")
        tool.signal(SIGTERM)
        #expect(try await tool.outcome().status == 0)
    }

    @Test("serve reports a port that is in use in one line")
    func taken() async throws {
        let first = try CommandTool.start(["serve"])
        let port = try #require(try await first.line().split(separator: ":").last)
        let second = try await CommandTool.run(["serve", "--port", String(port)])
        #expect(second.status == 6)
        #expect(second.errors.split(separator: "\n").count == 1)
        first.signal(SIGTERM)
        #expect(try await first.outcome().status == 0)
    }
}
#endif

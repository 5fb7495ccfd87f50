// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import SimorghCommand
import TestSupport
import Testing

/// The errors of the command for arguments that it cannot use.
@Suite(.timeLimit(.minutes(10)))
struct CommandUsageTests {
    @Test(
        "A word that is no command is answered with the one that is meant, or with the help",
        arguments: [
            (["downlaod", "http://a.test/"], "no command simorgh downlaod; did you mean simorgh download?"),
            (["help", "nosuch"], "there is no command simorgh nosuch (try: simorgh --help)"),
            (["GET", "http://a.test/"], "did you mean simorgh get?"),
            (["sub", "x"], "did you mean simorgh subscribe?"),
            (["hlep"], "did you mean simorgh help?"), (["cache", "purg"], "did you mean simorgh cache purge?"),
            (["help", "cache", "nosuch"], "there is no command simorgh cache nosuch (try: simorgh cache --help)"),
            (["help", "strem"], "did you mean simorgh stream?"), (["zzzzzz"], "(try: simorgh --help)"),
            ([""], "there is no command"),
        ])
    func names(arguments: [String], hint: String) async throws {
        let outcome = try await CommandTool.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.text.isEmpty)
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test("help and the version still answer", arguments: [["help"], ["help", "get"], ["--help"], ["--version"], []])
    func help(arguments: [String]) async throws {
        let outcome = try await CommandTool.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.text.isEmpty)
    }

    @Test(
        "An error of usage names the help of its own command",
        arguments: [
            (["get"], "(try: simorgh get --help)"), (["stream", "--nope"], "(try: simorgh stream --help)"),
            (["cache", "ls", "--nope"], "(try: simorgh cache ls --help)"), (["--nope"], "(try: simorgh --help)"),
        ])
    func pointer(arguments: [String], hint: String) async throws {
        let outcome = try await CommandTool.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
    }

    @Test("A list of values is one line of words")
    func list() async throws {
        let outcome = try await CommandTool.run(["subscribe", "ws://a.test/", "x", "--protocol", "nope"])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("graphql-transport-ws, graphql-ws, appsync"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("\u{FFFD}"))
    }

    @Test(
        "A number below zero is told by its bounds",
        arguments: [
            (["serve", "--port", "-1"], "0 to 65535"), (["serve", "--tls", "--tls-port", "-1"], "0 to 65535"),
            (["ws", "ws://a.test/", "--reconnect", "-1"], "0 to 1000000"),
            (["ws", "ws://a.test/", "--ping", "-1"], "above 0"),
            (["subscribe", "ws://a.test/", "x", "--count", "-1"], "above 0"),
            (["network", "--watch", "--count", "-1"], "above 0"),
            (["get", "http://a.test/", "--retry", "-1"], "0 to 1000"),
            (["download", "http://a.test/", "--parallel", "-1"], "1 to 64"),
            (["download", "http://a.test/", "--segments", "-1"], "--segments"),
            (["download", "http://a.test/", "--limit-rate", "-1"], "--limit-rate"),
        ])
    func negative(arguments: [String], bounds: String) async throws {
        let outcome = try await CommandTool.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(bounds), "\(outcome.errors)")
        #expect(!outcome.errors.contains("Missing value"))
    }

    @Test(
        "A user in a URL is answered with --user, and not shown",
        arguments: [
            ["get", "http://zal:sesame@a.test/"], ["ws", "ws://zal:sesame@a.test/", "--listen"],
            ["subscribe", "ws://zal:sesame@a.test/", "x"], ["stream", "zal:sesame@a.test"],
        ])
    func user(arguments: [String]) async throws {
        let outcome = try await CommandTool.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("--user"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("sesame"))
    }

    @Test("A file to upload that is not there is told so")
    func missingFile() async throws {
        let folder = FileManager.default.temporaryDirectory.path
        for more in [[], ["--resumable"]] {
            let outcome = try await CommandTool.run(["upload", "\(folder)/no-such-file", "http://127.0.0.1:1/"] + more)
            #expect(outcome.status == 2, "\(outcome.errors)")
            #expect(outcome.errors.contains("No such file or directory"), "\(outcome.errors)")
        }
    }

    @Test(
        "A connection that the server resets is told in the system's words, with the name of the error",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"])
    func reset(answer: String) async throws {
        let server = try await RawServer { _ in (answer.isEmpty ? [] : [.send(answer)]) + [.reset] }
        let outcome = try await CommandTool.run(["get", "http://127.0.0.1:\(server.port)/"])
        #expect(outcome.status == ProgramStatus.brokenResponse.rawValue, "\(outcome.errors)")
        #expect(outcome.errors.contains("Connection reset by peer (ECONNRESET)"), "\(outcome.errors)")
    }

    @Test("A taken port is told in the system's words, with the name of the error")
    func takenPort() async throws {
        let first = try CommandTool.start(["serve"])
        let port = try #require(try await first.line().split(separator: ":").last)
        let second = try await CommandTool.run(["serve", "--port", String(port)])
        #expect(second.errors == "simorgh: cannot listen on the port: Address already in use (EADDRINUSE)\n")
        first.signal(SIGTERM)
        #expect(try await first.outcome().status == 0)
    }

    @Test(
        "A time limit is told rounded, with the option that sets it",
        arguments: [(["--timeout", "0.2"], "the total phase took longer than 200 milliseconds (--timeout)")])
    func limit(arguments: [String], message: String) async throws {
        let server = try CommandTool.start(["serve"])
        let url = try await server.line()
        let outcome = try await CommandTool.run(["get", url + "/delay/60"] + arguments)
        #expect(outcome.status == 8)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        server.signal(SIGTERM)
        #expect(try await server.outcome().status == 0)
    }
}
#endif

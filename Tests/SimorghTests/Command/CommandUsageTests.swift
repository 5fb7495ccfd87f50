// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import SimorghCommand
import TestSupport
import Testing

/// The errors of the command for invalid arguments.
@Suite(.timeLimit(.minutes(10)))
struct CommandUsageTests {
    @Test(
        "An unknown subcommand is answered with the closest match, or with a pointer to the help",
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

    @Test(
        "The help and version options succeed", arguments: [["help"], ["help", "get"], ["--help"], ["--version"], []])
    func help(arguments: [String]) async throws {
        let outcome = try await CommandTool.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!outcome.text.isEmpty)
    }

    @Test(
        "A usage error points to the help of its subcommand",
        arguments: [
            (["get"], "(try: simorgh get --help)"), (["stream", "--nope"], "(try: simorgh stream --help)"),
            (["cache", "ls", "--nope"], "(try: simorgh cache ls --help)"), (["--nope"], "(try: simorgh --help)"),
        ])
    func pointer(arguments: [String], hint: String) async throws {
        let outcome = try await CommandTool.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
    }

    @Test("An invalid value is answered with one line that lists the allowed values")
    func list() async throws {
        let outcome = try await CommandTool.run(["subscribe", "ws://a.test/", "x", "--protocol", "nope"])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("graphql-transport-ws, graphql-ws, appsync"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("\u{FFFD}"))
    }

    @Test(
        "A negative number is answered with the allowed range",
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
        "Credentials in a URL are rejected with a pointer to --user, and are not shown",
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

    @Test("upload reports a missing file")
    func missingFile() async throws {
        let folder = FileManager.default.temporaryDirectory.path
        for more in [[], ["--resumable"]] {
            let outcome = try await CommandTool.run(["upload", "\(folder)/no-such-file", "http://127.0.0.1:1/"] + more)
            #expect(outcome.status == 2, "\(outcome.errors)")
            #expect(outcome.errors.contains("No such file or directory"), "\(outcome.errors)")
        }
    }

    @Test(
        "A connection reset by the server is reported with the system's message and error name",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"])
    func reset(answer: String) async throws {
        let server = try await RawServer { _ in (answer.isEmpty ? [] : [.send(answer)]) + [.reset] }
        let outcome = try await CommandTool.run(["get", "http://127.0.0.1:\(server.port)/"])
        #expect(outcome.status == ProgramStatus.brokenResponse.rawValue, "\(outcome.errors)")
        #expect(outcome.errors.contains("Connection reset by peer (ECONNRESET)"), "\(outcome.errors)")
    }

    @Test("serve reports a port in use with the system's message and error name")
    func takenPort() async throws {
        let first = try CommandTool.start(["serve"])
        let port = try #require(try await first.line().split(separator: ":").last)
        let second = try await CommandTool.run(["serve", "--port", String(port)])
        #expect(
            second.errors == "simorgh: cannot listen on 127.0.0.1:\(port): Address already in use (EADDRINUSE)\n")
        first.signal(SIGTERM)
        #expect(try await first.outcome().status == 0)
    }

    @Test(
        "A timeout is reported rounded, with the option that sets it",
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

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import SimorghCommand
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandCurlTests {
    static let hostile = [
        "", "plain", "two words", "it's", "''", "'; echo owned; '", "$(echo owned)", "`echo owned`", "${IFS}", "\\",
        "\\'",
        "\"", "a\nb", "\t", "!!", "~", "*", "?", "[a]", "{a,b}", "#x", "a;b", "a&b", "a|b", "<a>", "-n", "--data",
        "é 雪 🕊",
        "a'b\"c$d`e\\f", "%s%n", "=x", "@/etc/passwd",
        // A combining mark that forms one character with the preceding quote.
        "a'\u{301}; echo owned; '\u{301}",
    ]

    @Test("Any hostile text is quoted as one shell word that expands to the same text", arguments: hostile)
    func quoting(text: String) async throws {
        let outcome = try await CommandTool.shell("printf '%s\\0' \(ShellQuoting.quoted(text)) end")
        #expect(outcome.output == Data("\(text)\0end\0".utf8))
        #expect(outcome.errors.isEmpty)
    }

    @Test("Random text is quoted as one shell word that expands to the same text")
    func randomQuoting() async throws {
        var generator = SystemRandomNumberGenerator()
        let texts = (0..<300).map { _ in
            String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                        Unicode.Scalar(UInt8.random(in: 1...127, using: &generator))
                    }))
        }
        let words = texts.map(ShellQuoting.quoted).joined(separator: " ")
        let outcome = try await CommandTool.shell("printf '%s\\0' \(words)")
        #expect(outcome.output == Data(texts.map { "\($0)\0" }.joined().utf8))
    }

    @Test("--curl prints inert text: the shell parses it into exactly the intended arguments")
    func inert() async throws {
        let body = #"{"it's": "$(echo owned) `id` \\ !"}"#
        let arguments = [
            "post", "http://localhost:1/a b/{x}[1]", "--query", "q=';$(id)", "-H", "X-A: '$(id)'", "-H", "X-E:",
            "--json", body, "--output", "$(id)", "--timeout", "1.5", "--curl",
        ]
        let command = try await CommandTool.run(arguments)
        #expect(command.status == 0, "\(command.errors)")
        #expect(command.text.hasPrefix("curl ") && command.text.hasSuffix("\n"))
        let outcome = try await CommandTool.shell("curl() { printf '%s\\0' \"$@\"; }; \(command.text)")
        let words = outcome.text.split(separator: "\0").map(String.init)
        #expect(
            words == [
                "--max-time", "1.5", "--output", "$(id)", "--globoff", "--path-as-is", "--compressed",
                "--header", "Content-Type: application/json", "--header", "X-A: '$(id)'", "--header", "X-E;",
                "--data-raw", body, "http://localhost:1/a%20b/%7Bx%7D%5B1%5D?q=%27%3B%24%28id%29",
            ])
    }

    @Test(
        "--curl: curl sends the same request as simorgh",
        arguments: [
            ["get", "/anything?x=1", "--query", "q=a&b =c"],
            ["delete", "/anything/x"],
            ["post", "/anything", "--json", #"{"a": ["'", "é", 1.50]}"#, "-H", "X-Empty:", "-H", "X-A: 'b'"],
            ["put", "/anything", "--form", "a=b c&d", "--form", "e='+'"],
            ["patch", "/anything", "--data", "@not a file"],
            ["post", "/anything", "--data", "plain", "-H", "Content-Type: text/x-own", "-H", "Accept: text/plain"],
            ["get", "/anything", "--data", "body of a GET"],
            ["post", "/anything"],
        ])
    func same(arguments: [String]) async throws {
        // The file name contains a space; the folder belongs to this test.
        let folder = FileManager.default.temporaryDirectory.appending(path: "curl-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "not a file").path
        try Data("bytes of a file\n".utf8).write(to: URL(filePath: file))

        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            var arguments = arguments.map { $0 == "@not a file" ? "@\(file)" : $0 }
            arguments[1] = server.url + arguments[1]
            let ours = try await CommandTool.run(arguments)
            #expect(ours.status == 0, "\(ours.errors)")
            let command = try await CommandTool.run(arguments + ["--curl"])
            let theirs = try await CommandTool.shell(command.text)
            #expect(theirs.status == 0, "\(theirs.errors)")
            #expect(try Echo(ours.output) == Echo(theirs.output))
        }
    }

    /// The request that the server saw, without the header fields that identify each program.
    private struct Echo: Equatable {
        let value: JSON

        init(_ data: Data) throws {
            guard case .object(var members) = try JSON(parsing: data) else {
                value = .null
                return
            }
            if case .object(var headers)? = members["headers"] {
                for name in ["User-Agent", "Accept-Encoding"] { headers[name] = nil }
                // curl sends no Content-Length for an empty body.
                if headers["Content-Length"] == "0" { headers["Content-Length"] = nil }
                members["headers"] = .object(headers)
            }
            value = .object(members)
        }
    }

    @Test(
        "--curl of a resumed stream includes the last event id, from the option or from a header field",
        arguments: [
            ["--last-event-id", "7"], ["-H", "last-event-id: 7"], ["-H", "Last-Event-ID: 1", "--last-event-id", "7"],
        ])
    func resumedStream(arguments: [String]) async throws {
        let command = try await CommandTool.run(["stream", "http://localhost:1/x", "--resume", "--curl"] + arguments)
        #expect(command.status == 0, "\(command.errors)")
        let ids = command.text.lowercased().split(separator: "last-event-id: ", omittingEmptySubsequences: false)
        #expect(ids.count == 2 && ids[1].hasPrefix("7'"), "\(command.text)")
        #expect(command.text.contains("Accept: text/event-stream"))
    }
}
#endif

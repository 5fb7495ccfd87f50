// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import HTTPTypes
import Simorgh
import SimorghTesting
import TestSupport
import Testing

@Suite(.enabled(if: Terminal.isAvailable), .timeLimit(.minutes(10)))
struct CommandTerminalTests {
    @Test("On a terminal JSON is laid out in colour")
    func json() async throws {
        let shown = try await Terminal.show(.json(#"{"b":1.0,"a":["x"]}"#))
        #expect(
            shown.text == """
                {
                  \u{1B}[34m"b"\u{1B}[0m: \u{1B}[36m1.0\u{1B}[0m,
                  \u{1B}[34m"a"\u{1B}[0m: [
                    \u{1B}[32m"x"\u{1B}[0m
                  ]
                }

                """)
        #expect(shown.status == 0)
    }

    @Test("NO_COLOR takes the colour away, and nothing else")
    func noColour() async throws {
        let shown = try await Terminal.show(.json(#"{"a":1}"#), environment: ["NO_COLOR": "1"])
        #expect(shown.text == "{\n  \"a\": 1\n}\n")
    }

    @Test("What says it is JSON and is not comes as it is")
    func broken() async throws {
        #expect(try await Terminal.show(.json(#"{"a":1"#)).text == "{\"a\":1\n")
    }

    @Test("JSON too large to lay out comes as it is, whole")
    func large() async throws {
        let text = "[" + String(repeating: "\"0123456789\",\n", count: 400_000) + "0]"
        let shown = try await Terminal.show(.json(text))
        #expect(shown.text == text + "\n")
    }

    @Test("Text comes as it is, with an end to its last line")
    func text() async throws {
        #expect(try await Terminal.show(.text("a\n b")).text == "a\n b\n")
    }

    @Test("A binary body is refused with a hint, unless one insists")
    func binary() async throws {
        let bytes = Data([0x41, 0x00, 0x42])
        let refused = try await Terminal.show(.bytes(bytes))
        #expect(refused.status == 10)
        #expect(refused.text.contains("--output FILE"))
        #expect(!refused.text.contains("\0"))
        let insisted = try await Terminal.show(.bytes(bytes), arguments: ["--output", "-"])
        #expect(insisted.text == "A\0B")
        #expect(insisted.status == 0)
    }

    /// Of some builds these are decoded, of others not; this one is decoded by none.
    private static let unknown = StubResponse.bytes(Data("not for people".utf8)).header(.contentEncoding, "x-plume")

    @Test("A body in a coding that nobody asked for is not shown on a terminal: status 9, and what to do")
    func unaskedCoding() async throws {
        let refused = try await Terminal.show(Self.unknown)
        #expect(refused.status == 9)
        #expect(
            refused.text
                == "simorgh: the body has the content coding x-plume, which was not requested and is not decoded here; "
                + "`simorgh get --output FILE` saves it unchanged\n")
        let insisted = try await Terminal.show(Self.unknown, arguments: ["--output", "-"])
        #expect(insisted.status == 0)
        #expect(insisted.text.hasSuffix("it is written unchanged\nnot for people"))
        // Who asked for it gets it.
        let asked = try await Terminal.show(Self.unknown, arguments: ["--header", "Accept-Encoding: x-plume"])
        #expect(asked.status == 0)
        #expect(asked.text == "not for people\n")
        // What the server refused is told by its status, and an answer without a body has nothing to decode.
        let missing = try await Terminal.show(
            .bytes(Data("not for people".utf8), status: .notFound).header(.contentEncoding, "x-plume"))
        #expect(missing.status == 4)
        #expect(!missing.text.contains("not for people"))
        let empty = try await Terminal.show(StubResponse.bytes(Data()).header(.contentEncoding, "x-plume"))
        #expect(empty.status == 0)
        #expect(empty.text.isEmpty)
    }

    #if !Brotli && !Zstd
    @Test("br and zstd without their traits are such codings", arguments: ["br", "zstd", "gzip, br"])
    func withoutTraits(coding: String) async throws {
        let shown = try await Terminal.show(
            .bytes(Data("not for people".utf8)).header(.contentEncoding, coding))
        #expect(shown.status == 9)
        #expect(shown.text.contains("br") || shown.text.contains("zstd"))
        #expect(!shown.text.contains("not for people"))
    }
    #endif

    @Test("An upload shows its bar, which ends its line before the answer; NO_COLOR leaves it", arguments: ["", "1"])
    func upload(noColor: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "up \(UUID()).txt")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("The birds set out.".utf8).write(to: file)
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let shown = try await Terminal.run(
                ["upload", file.path, server.url + "/put"], environment: ["NO_COLOR": noColor])
            #expect(shown.status == 0)
            #expect(shown.text.contains("[##############################] 100%"))
            #expect(shown.text.contains("\n{\n"))
            #expect(shown.text.contains("\u{1B}[3") == noColor.isEmpty)
        }
    }

    @Test("The network is told in colour, which NO_COLOR takes away", arguments: ["", "1"])
    func network(noColor: String) async throws {
        let shown = try await Terminal.run(["network"], environment: ["NO_COLOR": noColor])
        #expect(shown.status == 0)
        #expect(shown.text.contains("connected"))
        #expect(shown.text.contains("\u{1B}") == noColor.isEmpty)
        let json = try await Terminal.run(["network", "--json"], environment: ["NO_COLOR": noColor])
        #expect(json.text.hasPrefix("{"))
        #expect(!json.text.contains("\u{1B}"))
    }

    @Test("Events of a subscription are never coloured", arguments: ["", "1"])
    func subscription(noColor: String) async throws {
        let url = try Witness.subscriptions.url + "/app/key"
        let shown = try await Terminal.run(
            ["subscribe", url, "--protocol", "pusher", "--event", "tick", "--count", "1", "a"],
            environment: ["NO_COLOR": noColor])
        #expect(shown.text == "{\"n\":0}\n")
        #expect(shown.status == 0)
    }

    @Test("What is kept is never told in colour", arguments: ["", "1"])
    func cache(noColor: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cache \(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await MockServer.with { server in
            let url = server.url + "/x"
            server.on("/x") { _ in .text("body").header(.cacheControl, "max-age=300") }
            let first = try await CommandTool.run(["get", url, "--cache", "--cache-path", folder])
            #expect(first.status == 0, "\(first.errors)")
            let asked = [
                (["ls"], url), (["show", url], "max-age=300"), (["stats"], "responses"),
                (["ls", "--json"], "\"status\":200"),
            ]
            for (arguments, word) in asked {
                let shown = try await Terminal.run(
                    ["cache"] + arguments + ["--cache-path", folder], environment: ["NO_COLOR": noColor])
                #expect(shown.status == 0)
                #expect(shown.text.contains(word), "\(arguments)")
                #expect(!shown.text.contains("\u{1B}"), "\(arguments)")
            }
        }
    }
}
#endif

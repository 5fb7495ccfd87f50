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
    @Test("On a terminal JSON is indented and colored")
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

    @Test("NO_COLOR removes only the color")
    func noColor() async throws {
        let shown = try await Terminal.show(.json(#"{"a":1}"#), environment: ["NO_COLOR": "1"])
        #expect(shown.text == "{\n  \"a\": 1\n}\n")
    }

    @Test("Invalid JSON with a JSON media type is printed unchanged")
    func broken() async throws {
        #expect(try await Terminal.show(.json(#"{"a":1"#)).text == "{\"a\":1\n")
    }

    @Test("JSON that is too large to format is printed unchanged and complete")
    func large() async throws {
        let text = "[" + String(repeating: "\"0123456789\",\n", count: 400_000) + "0]"
        let shown = try await Terminal.show(.json(text))
        #expect(shown.text == text + "\n")
    }

    @Test("Text is printed unchanged, with a final line end")
    func text() async throws {
        #expect(try await Terminal.show(.text("a\n b")).text == "a\n b\n")
    }

    @Test("A binary body is refused on a terminal with a hint, unless --output - is given")
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

    /// A coding that no build decodes, unlike `br` and `zstd`, which some builds do.
    private static let unknown = StubResponse.bytes(Data("not for people".utf8)).header(
        .contentEncoding, value: "x-plume")

    @Test("An unrequested content coding is not shown on a terminal: exit status 9, with a hint")
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
        // A coding that the caller requested is printed.
        let asked = try await Terminal.show(Self.unknown, arguments: ["--header", "Accept-Encoding: x-plume"])
        #expect(asked.status == 0)
        #expect(asked.text == "not for people\n")
        // A refused request reports its HTTP status, and an empty body needs no decoding.
        let missing = try await Terminal.show(
            .bytes(Data("not for people".utf8), status: .notFound).header(.contentEncoding, value: "x-plume"))
        #expect(missing.status == 4)
        #expect(!missing.text.contains("not for people"))
        let empty = try await Terminal.show(StubResponse.bytes(Data()).header(.contentEncoding, value: "x-plume"))
        #expect(empty.status == 0)
        #expect(empty.text.isEmpty)
    }

    #if !Brotli && !Zstd
    @Test(
        "br and zstd count as unrequested content codings without their traits", arguments: ["br", "zstd", "gzip, br"])
    func withoutTraits(coding: String) async throws {
        let shown = try await Terminal.show(
            .bytes(Data("not for people".utf8)).header(.contentEncoding, value: coding))
        #expect(shown.status == 9)
        #expect(shown.text.contains("br") || shown.text.contains("zstd"))
        #expect(!shown.text.contains("not for people"))
    }
    #endif

    @Test("An upload ends its progress bar line before the response; NO_COLOR keeps the bar", arguments: ["", "1"])
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

    @Test("simorgh network is colored on a terminal, unless NO_COLOR is set", arguments: ["", "1"])
    func network(noColor: String) async throws {
        let shown = try await Terminal.run(["network"], environment: ["NO_COLOR": noColor])
        #expect(shown.status == 0)
        #expect(shown.text.contains("connected"))
        #expect(shown.text.contains("\u{1B}") == noColor.isEmpty)
        let json = try await Terminal.run(["network", "--json"], environment: ["NO_COLOR": noColor])
        #expect(json.text.hasPrefix("{"))
        #expect(!json.text.contains("\u{1B}"))
    }

    @Test("Subscription events are never colored", arguments: ["", "1"])
    func subscription(noColor: String) async throws {
        let url = try Witness.subscriptions.url + "/app/key"
        let shown = try await Terminal.run(
            ["subscribe", url, "--protocol", "pusher", "--event", "tick", "--count", "1", "a"],
            environment: ["NO_COLOR": noColor])
        #expect(shown.text == "{\"n\":0}\n")
        #expect(shown.status == 0)
    }

    @Test("Cache listings are never colored", arguments: ["", "1"])
    func cache(noColor: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cache \(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await MockServer.with { server in
            let url = server.url + "/x"
            server.on("/x") { _ in .text("body").header(.cacheControl, value: "max-age=300") }
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

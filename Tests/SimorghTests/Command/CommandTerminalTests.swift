// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
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
}

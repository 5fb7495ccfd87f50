// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LogPiecesTests {
    @Test(
        "A text is split at its lines if possible, otherwise at the limit",
        arguments: [
            ("", [""]), ("short", ["short"]), ("12345678", ["12345678"]), ("123456789", ["12345678", "9"]),
            ("1234\n6789", ["1234", "6789"]), ("12345678\n9", ["12345678", "9"]), ("\n23456789", ["\n2345678", "9"]),
            ("a\nb\nc\nd\ne", ["a\nb\nc\nd", "e"]), ("12345678\n", ["12345678"]),
        ])
    func split(text: String, pieces: [String]) {
        #expect(LogPieces.split(text, limit: 8).map(String.init) == pieces)
    }

    @Test("No piece is larger than its limit or ends within a character, and nothing is lost except line breaks")
    func whole() {
        var random = SeededNumbers(11)
        for _ in 0..<500 {
            let letters = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                ["a", "é", "\u{1F985}", "\n", "سی"].randomElement(using: &random) ?? ""
            }
            let text = letters.joined()
            let limit = Int.random(in: 4...40, using: &random)
            let pieces = LogPieces.split(text, limit: limit)
            #expect(pieces.allSatisfy { $0.utf8.count <= limit })
            #expect(pieces.joined().filter { $0 != "\n" } == text.filter { $0 != "\n" })
        }
    }
}

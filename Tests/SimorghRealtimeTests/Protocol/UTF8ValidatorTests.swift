// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import TestSupport
import Testing

@Suite("UTF8Validator: incremental UTF-8 validation", .timeLimit(.minutes(5)))
struct UTF8ValidatorTests {
    private static func isText(_ pieces: [ArraySlice<UInt8>]) -> Bool {
        var check = UTF8Validator()
        for piece in pieces {
            guard piece.withUnsafeBytes({ check.take($0) }) else { return false }
        }
        return check.isComplete
    }

    /// The bytes at which the rules of UTF-8 change.
    private static let boundaryBytes: [UInt8] = [
        0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5,
        0xFF,
    ]

    @Test("Every Unicode scalar is valid, whole and split at any byte")
    func characters() {
        for value in stride(from: UInt32(0), through: 0x10FFFF, by: 7) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let bytes = Array(String(Character(scalar)).utf8)
            #expect(Self.isText([bytes[...]]))
            // With four bytes behind it, so that the check reads a whole word.
            #expect(Self.isText([(bytes + Array("abcd".utf8))[...]]))
            for cut in bytes.indices { #expect(Self.isText([bytes[..<cut], bytes[cut...]])) }
        }
    }

    @Test("Every four-byte sequence is judged as the standard library judges it, whole and split after the first byte")
    func beginnings() {
        for first in UInt8(0x7F)...0xFF {
            for second in UInt8.min...UInt8.max {
                for third: UInt8 in [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xF0, 0xFF] {
                    for fourth: UInt8 in [0x41, 0x80, 0xBF, 0xC0] {
                        let bytes = [first, second, third, fourth]
                        let isText = String(validating: bytes, as: UTF8.self) != nil
                        guard isText != Self.isText([bytes[...]]) || isText != Self.isText([bytes[..<1], bytes[1...]])
                        else { continue }
                        Issue.record("\(bytes) is \(isText ? "" : "no ")text")
                        return
                    }
                }
            }
        }
    }

    @Test(
        "An invalid byte is detected at that byte",
        arguments: [
            [0x80], [0xC0], [0xC1], [0xF5], [0xFF], [0xC2, 0x41], [0xE0, 0x9F], [0xED, 0xA0], [0xF0, 0x8F],
            [0xF4, 0x90], [0xE2, 0x82, 0x41], [0xF1, 0x80, 0x80, 0xC0],
        ] as [[UInt8]])
    func early(bytes: [UInt8]) {
        for prefix in [[], Array("plain text of more than sixty-four bytes, so that it is skipped in one step".utf8)] {
            var check = UTF8Validator()
            let before = prefix + bytes.dropLast()
            #expect(before.withUnsafeBytes { check.take($0) })
            #expect(!bytes.suffix(1).withUnsafeBytes { check.take($0) })
        }
    }

    @Test(
        "Long text of any script is valid wherever it is split, and one invalid byte is detected at any position",
        arguments: [
            "Съешь же ещё этих мягких булок, ", "天地玄黃宇宙洪荒日月盈昃，辰宿列張。", "𝄞𝄢 and 😀, ", "naïve façade – ",
        ])
    func long(phrase: String) {
        let bytes = Array(String(repeating: phrase, count: 4).utf8)
        for start in 0..<20 {
            // Each position of a character in a block.
            let text = Array(repeating: UInt8(0x61), count: start) + bytes
            #expect(Self.isText([text[...]]))
            for cut in text.indices { #expect(Self.isText([text[..<cut], text[cut...]])) }
        }
        for place in bytes.indices {
            for wrong in Self.boundaryBytes {
                var other = bytes
                other[place] = wrong
                let isText = String(validating: other, as: UTF8.self) != nil
                guard Self.isText([other[...]]) != isText else { continue }
                Issue.record("\(wrong) at \(place) makes \(isText ? "" : "no ")text")
                return
            }
        }
    }

    @Test("Long random text with invalid bytes is judged as the standard library judges it", arguments: 1...8)
    func blocks(seed: UInt64) {
        var random = SeededNumbers(seed)
        let alphabet = [
            "я", "天", "𝄞", "a", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{10000}", "\u{10FFFF}", "ascii only, and long ",
        ]
        for _ in 0..<1000 {
            var bytes = (0..<Int.random(in: 20...200, using: &random)).flatMap { _ in
                Array(alphabet[Int.random(in: 0..<alphabet.count, using: &random)].utf8)
            }
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = Self.boundaryBytes[Int.random(in: 0..<Self.boundaryBytes.count, using: &random)]
            }
            let cut = Int.random(in: 0...bytes.count, using: &random)
            let isText = String(validating: bytes, as: UTF8.self) != nil
            #expect(Self.isText([bytes[...]]) == isText)
            #expect(Self.isText([bytes[..<cut], bytes[cut...]]) == isText)
        }
    }

    @Test("Random bytes in random pieces are judged as the standard library judges them", arguments: 1...8)
    func random(seed: UInt64) {
        var random = SeededNumbers(seed)
        let alphabet = ["a", "é", "€", "𝄞", "z", "0", "\u{7FF}", "\u{D7FF}", "\u{E000}", "\u{10FFFF}"]
        for _ in 0..<4000 {
            var bytes = (0..<Int.random(in: 0...60, using: &random)).flatMap { _ in
                Array(alphabet[Int.random(in: 0..<alphabet.count, using: &random)].utf8)
            }
            if !bytes.isEmpty, Bool.random(using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var pieces: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...rest.count, using: &random)
                pieces.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(Self.isText(pieces) == (String(validating: bytes, as: UTF8.self) != nil))
        }
    }
}

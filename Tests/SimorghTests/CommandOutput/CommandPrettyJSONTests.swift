// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import SimorghCommand
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandPrettyJSONTests {
    private func layout(_ text: String, _ palette: Palette = .plain) -> String? {
        PrettyJSON.layout(Data(text.utf8), palette: palette).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "Pretty JSON is indented, and each number, name and string keeps its spelling",
        arguments: [
            (
                #"{"b":1.50,"a":[1,2e+10,{}],"b":[]}"#,
                "{\n  \"b\": 1.50,\n  \"a\": [\n    1,\n    2e+10,\n    {}\n  ],\n  \"b\": []\n}"
            ),
            (" [ ] ", "[]"), ("\t{\r\n}", "{}"), ("-0", "-0"), ("1E400", "1E400"), (#""a\u00e9\/é""#, #""a\u00e9\/é""#),
            ("true", "true"), ("[[[]]]", "[\n  [\n    []\n  ]\n]"), ("null", "null"),
            ("123456789012345678901234567890.10", "123456789012345678901234567890.10"),
        ])
    func layouts(text: String, expected: String) {
        #expect(layout(text) == expected)
    }

    @Test(
        "Invalid JSON is left unchanged",
        arguments: [
            "", " ", "{", "}", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "{1:2}", "01",
            "1.", ".5",
            "+1", "-", "1e", "1e+", "tru", "nulll", "True", "NaN", "\"", "\"\\\"", "\"\\x\"", "\"\\u12g4\"", "\"\\u12",
            "\"a\nb\"",
            "[1]]", "[1}", "{\"a\":1]", "1 2", "'a'", "// x\n1", "\u{FEFF}1", "[\"\u{0}\"]",
        ])
    func refused(text: String) {
        #expect(layout(text) == nil)
        #expect(!PrettyJSON.isJSON(text))
    }

    @Test("Invalid UTF-8 is left unchanged")
    func invalidUTF8() {
        #expect(PrettyJSON.layout(Data([0x22, 0xFF, 0x22])) == nil)
    }

    @Test("Depth and size are limited")
    func bounds() {
        let deepest = String(repeating: "[", count: 128) + "1" + String(repeating: "]", count: 128)
        #expect(layout(deepest) != nil)
        #expect(layout("[\(deepest)]") == nil)
        let object = String(repeating: "[", count: 128) + #"{"a":1}"# + String(repeating: "]", count: 128)
        #expect(layout(object) == nil)
        #expect(layout(String(repeating: "[", count: 1_000_000)) == nil)
        #expect(layout("\"" + String(repeating: "a", count: PrettyJSON.maximumInput) + "\"") == nil)
        // Small, but each of its numbers would be indented by 254 spaces.
        let wide = String(repeating: "[", count: 127) + "1" + String(repeating: ",1", count: 150_000)
        #expect(layout(wide + String(repeating: "]", count: 127)) == nil)
    }

    @Test("Control characters become equivalent JSON escapes")
    func controls() throws {
        let text = "[\"a\u{7F}b\u{9B}31mc\u{C2}é\"]"
        let pretty = try #require(layout(text))
        #expect(pretty == "[\n  \"a\\u007fb\\u009b31mc\u{C2}é\"\n]")
        #expect(try JSON(parsing: Data(pretty.utf8)) == JSON(parsing: Data(text.utf8)))
    }

    @Test("Color adds only escape sequences")
    func color() throws {
        let text = #"{"a":[1,"x",true,null]}"#
        let colored = try #require(layout(text, .colored))
        #expect(colored.contains("\u{1B}[34m\"a\"\u{1B}[0m: "))
        #expect(colored.replacing(/\x{1B}\[[0-9]+m/, with: "") == layout(text))
    }

    @Test("Random documents keep their meaning and differ only in white space", arguments: 0..<8)
    func fuzz(seed: UInt64) throws {
        var random = SeededNumbers(seed)
        for _ in 0..<25 {
            let text = Self.value(depth: 4, &random)
            let pretty = try #require(layout(text), "seed \(seed): \(text)")
            #expect(Self.compact(pretty) == Self.compact(text), "seed \(seed): \(text)")
            #expect(try JSON(parsing: Data(pretty.utf8)) == JSON(parsing: Data(text.utf8)), "seed \(seed): \(text)")
            #expect(layout(pretty) == pretty)
        }
    }

    @Test("Random bytes never crash, and formatted output keeps everything but white space", arguments: 0..<8)
    func noise(seed: UInt64) throws {
        var random = SeededNumbers(seed)
        for _ in 0..<100 {
            var bytes = Array(Self.value(depth: 3, &random).utf8)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = Array(#"{}[]",:\u0189-+.eEtfn "#.utf8).randomElement(using: &random) ?? 0
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let pretty = layout(text) else { continue }
            #expect(Self.compact(pretty) == Self.compact(text), "seed \(seed): \(text)")
        }
    }

    private static func value(depth: Int, _ random: inout SeededNumbers) -> String {
        func space() -> String { ["", "", " ", "\n", "\t ", "\r\n"].randomElement(using: &random) ?? "" }
        let texts = [#""""#, #""a""#, #""é 雪""#, #""\"[{,:}]\\""#, #""\u00e9\n\/""#, #""  ""#]
        let simple = ["null", "true", "false", "0", "-1", "1.50", "12e3", "1E-7"] + texts
        let kind = depth == 0 ? 0 : Int.random(in: 0...2, using: &random)
        let count = Int.random(in: 0...4, using: &random)
        let inner: String =
            switch kind {
            case 0: simple.randomElement(using: &random) ?? "0"
            case 1:
                "[" + (0..<count).map { _ in value(depth: depth - 1, &random) }.joined(separator: ",") + space() + "]"
            default:
                "{"
                    + (0..<count).map { index in
                        "\(space())\"k\(index)\"\(space()):\(value(depth: depth - 1, &random))"
                    }.joined(separator: ",") + space() + "}"
            }
        return space() + inner + space()
    }

    /// Returns the document without the white space between its tokens.
    private static func compact(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var isInString = false
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if scalar == "\\" {
                    isEscaped = true
                } else if scalar == "\"" {
                    isInString = false
                }
            } else if scalar == "\"" {
                isInString = true
            } else if " \n\r\t".unicodeScalars.contains(scalar) {
                continue
            }
            result.append(scalar)
        }
        return String(result)
    }
}
#endif

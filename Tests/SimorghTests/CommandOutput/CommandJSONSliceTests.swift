// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import SimorghCommand
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CommandJSONSliceTests {
    @Test(
        "JSONSlice.text returns a value as it is written in the document",
        arguments: [
            (#"{"a":{"b":1.10}}"#, ["a", "b"], "1.10"), (#"{"a":{"b":1e400}}"#, ["a"], #"{"b":1e400}"#),
            (#" [1, [2 , "x,]" ] , 3]"#, ["1"], #"[2 , "x,]" ]"#), (#"{"x":"a\"b","y":-0.0 }"#, ["y"], "-0.0"),
            (#"{"\u0061":1}"#, ["a"], "1"), (#"{"a":1,"a":2}"#, ["a"], "1"), ("7", [], "7"), (" true ", [], "true"),
            (#"{"4":"four"}"#, ["4"], #""four""#), ("[[],{},null]", ["2"], "null"),
            ("{\"a\": [ 1,\n\t\"b \\\" \\n\" ]}", ["a"], "[1,\"b \\\" \\n\"]"),
        ] as [(String, [String], String)])
    func values(document: String, path: [String], value: String) {
        #expect(JSONSlice.text(in: Data(document.utf8), at: path) == value)
    }

    @Test(
        "JSONSlice.text returns nil for invalid JSON and for a missing path",
        arguments: [
            ("", []), ("{", []), ("[1,]", []), ("{}", ["a"]), ("[]", ["0"]), ("[1]", ["1"]), ("[1]", ["-1"]),
            ("[1]", ["x"]), ("1", ["0"]), (#""a""#, ["a"]), (#"{"a":1}x"#, ["a"]), ("NaN", []),
        ] as [(String, [String])])
    func nothing(document: String, path: [String]) {
        #expect(JSONSlice.text(in: Data(document.utf8), at: path) == nil)
    }

    @Test("JSONSlice.text returns nil for invalid UTF-8 and for excessive nesting")
    func hostile() {
        #expect(JSONSlice.text(in: Data([0x22, 0xFF, 0x22]), at: []) == nil)
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(JSONSlice.text(in: Data(deep.utf8), at: ["0"]) == nil)
    }
}
#endif

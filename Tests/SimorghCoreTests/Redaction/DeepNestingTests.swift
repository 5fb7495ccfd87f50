// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

/// HAR files and cassettes hide values of sensitive names in JSON inside JSON strings, and every level stays JSON.
@Suite("NestedSecretFinder: nested JSON", .timeLimit(.minutes(10)))
struct DeepNestingTests {
    private static let values: [JSON] = [
        "s3cret", "pa\"ss s3cret", "a\\s3cret", "s3cret\\", "s3cret\n\\\"x", 1_234_567, ["s3cret", "s3cret"],
        ["user": "s3cret", "x": ["s3cret}", ["y": "]s3cret"]]],
    ]

    @Test(
        "A value of a sensitive name is hidden at each level, and each level stays valid JSON",
        arguments: ["password", "cookie", "authorization", "credentials"], 0...5)
    func layers(name: String, depth: Int) throws {
        for value in Self.values {
            var json: JSON = .object([name: value, "n": 1])
            for _ in 0..<depth { json = ["a": .string(String(decoding: try json.data(), as: UTF8.self)), "b": "c"] }
            let text = String(decoding: try json.data(), as: UTF8.self)
            let shown = Redactor(.standard, finder: NestedSecretFinder()).text(text)
            #expect(!shown.contains("s3cret") && !shown.contains("1234567"), "\(text)")
            #expect(Redactor(.standard, finder: NestedSecretFinder()).text(shown) == shown)
            var left = try JSON(parsing: Data(shown.utf8))
            for _ in 0..<depth {
                #expect(left["b"].string == "c")
                left = try JSON(parsing: Data(try #require(left["a"].string).utf8))
            }
            #expect(left[name].string == "[hidden]")
            #expect(left["n"].int == 1)
        }
    }

    @Test(
        "Quotes written as \\u0022 delimit nested strings",
        arguments: [
            (
                #"{"a":"{\u0022password\u0022:\u0022s3cret\u0022}"}"#,
                #"{"a":"{\u0022password\u0022:\u0022[hidden]\u0022}"}"#
            ),
            (
                #"{"a":"{\"b\":\"{\\u0022cookie\\u0022: \\u0022a=s3cret\\u0022}\"}"}"#,
                #"{"a":"{\"b\":\"{\\u0022cookie\\u0022: \\u0022[hidden]\\u0022}\"}"}"#
            ),
            (
                #"{"a":"{\u0022tokens\u0022:[\u0022s3cret]\u0022],\u0022n\u0022:1}"}"#,
                #"{"a":"{\u0022tokens\u0022:\u0022[hidden]\u0022,\u0022n\u0022:1}"}"#
            ),
            (
                #"{"a":"\u0022eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig\u0022"}"#, #"{"a":"\u0022[hidden]\u0022"}"#
            ),
        ])
    func codes(text: String, shown: String) {
        #expect(Redactor(.standard, finder: NestedSecretFinder()).text(text) == shown)
    }

    @Test("null, true and false of a sensitive name are shown in nested JSON", arguments: ["null", "true", "false"])
    func literals(word: String) {
        let text = #"{"a":"{\"password\":\#(word),\"n\":1}"}"#
        #expect(Redactor(.standard, finder: NestedSecretFinder()).text(text) == text)
    }

    @Test("A quoted cookie is hidden in text", arguments: ["'", "\""])
    func quoted(quote: String) {
        let text = "{'cookie': \(quote)a=s3cret; b\(quote), 'n': 1}"
        #expect(
            Redactor(.standard, finder: NestedSecretFinder()).text(text)
                == "{'cookie': \(quote)[hidden]\(quote), 'n': 1}")
    }
}

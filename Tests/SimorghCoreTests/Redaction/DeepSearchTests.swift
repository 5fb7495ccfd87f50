// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import Testing

/// HAR files and cassettes hide copies of known secrets through several levels of escaping.
@Suite("NestedSecretFinder: copies of secrets", .timeLimit(.minutes(10)))
struct DeepSearchTests {
    @Test(
        "A copy is hidden in every escaped form",
        arguments: [
            "s3/cret+&\"é", #"s3\/cret+&\"é"#, #"s3\u002Fcret\u002b\u0026\u0022\u00E9"#, "s3%2Fcret%2B%26%22%C3%A9",
            "s3%2fcret%2b%26%22%c3%a9", "s3%252Fcret%252B%2526%2522%25C3%25A9", #"s3\\\/cret+&\\\"é"#,
            #"s3\\\\\\\/cret+\\u0026\\\\\\\"é"#, "s3/cret%2B&%22é",
        ])
    func escaped(copy: String) {
        let search = NestedSecretFinder().search(for: ["other-one", "s3/cret+&\"é"])
        #expect(search.hidden(in: "<\(copy)>") == "<[hidden]>")
        #expect(search.hidden(in: copy) == "[hidden]")
        #expect(search.hidden(in: "\(copy)\(copy)") == "[hidden][hidden]")
    }

    @Test(
        "Spaces, line breaks, backslashes and percent signs are found in their escaped forms",
        arguments: [
            ("two words", "two+words"), ("two words", "two%20words"), ("a\\b\\c", #"a\\b\\c"#), ("a\\b\\c", #"a\b\c"#),
            ("line\nline", #"line\nline"#), ("tab\tr\r", #"tab\tr\r"#), ("smile-😀", #"smile-\ud83d\uDE00"#),
            ("/first", #"\/first"#), ("+first", "%2Bfirst"), ("a%2Fb", "a%2Fb"),
            ("a%2Fb", "a%252Fb"), ("a%25b", "a%2525b"), ("50%off", "50%25off"), ("50%off", "50%2525off"),
            ("a+b+", "a+b+"), ("a+b+", "a%2Bb%2B"), (#"a\n\"#, #"a\n\"#), ("a%2", "a%2"), ("%2", "%2"), ("%", "%"),
        ])
    func others(secret: String, copy: String) {
        #expect(NestedSecretFinder().search(for: [secret]).hidden(in: copy) == "[hidden]")
    }

    @Test(
        "Text that is not a copy stays unchanged",
        arguments: [
            "s3/cre", #"s3\cret"#, "s3%2", "s3%2Gcret", #"s3\u002"#, #"s3\u00"#, "%", "\\", "%25", #"\ud83d"#,
            #"\ud83d\u0041"#, "",
        ])
    func different(text: String) { #expect(NestedSecretFinder().search(for: ["s3/cret"]).hidden(in: text) == text) }

    @Test(
        "A secret is found whatever follows it",
        arguments: ["abc%2", "abc%252", "abc%", "abc+", "abc\\", #"abc\u00"#], ["5", "52", "2", "x", "+", "u002B"])
    func followed(secret: String, rest: String) {
        #expect(NestedSecretFinder().search(for: [secret]).hidden(in: "<\(secret)\(rest)").hasPrefix("<[hidden]"))
    }

    @Test("Text that consists of escapes is searched in linear time")
    func flood() {
        let search = NestedSecretFinder().search(for: ["/secret", "%secret", "\\secret"])
        for piece in ["\\", "%25", "+", "1"] {
            let text = String(repeating: piece, count: 20_000)
            #expect(search.hidden(in: text) == text)
        }
        let digits = String(repeating: "123456", count: 2_000)
        #expect(!NestedSecretFinder().search(for: ["123456"]).hidden(in: digits, numbersAs: "0").contains("1"))
    }
}

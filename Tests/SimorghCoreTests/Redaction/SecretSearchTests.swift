// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import Testing

/// Copies of known secrets in text, literal or escaped once, and the JSON that remains.
@Suite("SecretSearch", .timeLimit(.minutes(10)))
struct SecretSearchTests {
    @Test(
        "A copy is hidden, also escaped once, as in a URL, a form or a JSON string",
        arguments: [
            "s3/cret+&\"é", #"s3\/cret+&\"é"#, #"s3\u002Fcret\u002b\u0026\u0022\u00E9"#, "s3%2Fcret%2B%26%22%C3%A9",
            "s3%2fcret%2b%26%22%c3%a9", "s3/cret%2B&%22é",
        ])
    func escaped(copy: String) {
        let search = SecretSearch(["other-one", "s3/cret+&\"é"])
        #expect(search.hidden(in: "<\(copy)>") == "<[hidden]>")
        #expect(search.hidden(in: copy) == "[hidden]")
        #expect(search.hidden(in: "\(copy)\(copy)") == "[hidden][hidden]")
    }

    @Test(
        "Spaces, line breaks, backslashes and percent signs are found in their escaped forms",
        arguments: [
            ("two words", "two+words"), ("two words", "two%20words"), ("a\\b\\c", #"a\\b\\c"#), ("a\\b\\c", #"a\b\c"#),
            ("line\nline", #"line\nline"#), ("tab\tr\r", #"tab\tr\r"#), ("smile-😀", #"smile-\ud83d\uDE00"#),
            ("/first", #"\/first"#), ("+first", "%2Bfirst"), ("a%2Fb", "a%2Fb"), ("a%2Fb", "a%252Fb"),
            ("50%off", "50%25off"), ("a+b+", "a+b+"), ("a+b+", "a%2Bb%2B"), (#"a\n\"#, #"a\n\"#), ("a%2", "a%2"),
            ("%2", "%2"), ("%", "%"),
        ])
    func others(secret: String, copy: String) { #expect(SecretSearch([secret]).hidden(in: copy) == "[hidden]") }

    @Test(
        "Text that is not a copy stays unchanged",
        arguments: [
            "s3/cre", #"s3\cret"#, "s3%2", "s3%2Gcret", #"s3\u002"#, #"s3\u00"#, "%", "\\", "%25", #"\ud83d"#,
            #"\ud83d\u0041"#, "",
        ])
    func different(text: String) { #expect(SecretSearch(["s3/cret"]).hidden(in: text) == text) }

    @Test(
        "A secret is found whatever follows it",
        arguments: ["abc%2", "abc%252", "abc%", "abc+", "abc\\", #"abc\u00"#], ["5", "52", "2", "x", "+", "u002B"])
    func followed(secret: String, rest: String) {
        #expect(SecretSearch([secret]).hidden(in: "<\(secret)\(rest)").hasPrefix("<[hidden]"))
    }

    @Test("Text that consists of escapes is searched in linear time")
    func flood() {
        let search = SecretSearch(["/secret", "%secret", "\\secret"])
        for piece in ["\\", "%25", "+", "1"] {
            let text = String(repeating: piece, count: 20_000)
            #expect(search.hidden(in: text) == text)
        }
        let digits = String(repeating: "123456", count: 2_000)
        #expect(!SecretSearch(["123456"]).hidden(in: digits, numbersAs: "0").contains("1"))
    }

    @Test(
        "JSON whose numbers are secrets stays valid JSON",
        arguments: [
            (#"{"n":123456}"#, #"{"n":"[hidden]"}"#), (#"{"n": 91234567 , "m": 1}"#, #"{"n": "[hidden]" , "m": 1}"#),
            (#"[1,-123456.5e3,2]"#, #"[1,"[hidden]",2]"#), (#"["a: 123456, b"]"#, #"["a: [hidden], b"]"#),
            (#"{"123456":[123456]}"#, #"{"[hidden]":["[hidden]"]}"#), ("123456", #""[hidden]""#),
            (#"["\"",123456123456]"#, #"["\"","[hidden]"]"#), ("call 123456 or 7", "call [hidden] or 7"),
            ("a 5\" disk\n[123456]", "a 5\" disk\n[\"[hidden]\"]"),
        ])
    func numbers(text: String, shown: String) throws {
        let search = SecretSearch(["123456"])
        #expect(search.hidden(in: text, numbersAs: #""[hidden]""#) == shown)
        guard (try? JSON(parsing: Data(text.utf8))) != nil else { return }
        _ = try JSON(parsing: Data(shown.utf8))
        _ = try JSON(parsing: Data(search.hidden(in: text, numbersAs: "0").utf8))
    }

    @Test(
        "A number that is the whole data of a server-sent event stays valid JSON",
        arguments: [
            ("data: 123456\n\n", "data: \"[hidden]\"\n\n"), ("data:-123456", "data:\"[hidden]\""),
            ("event: x\r\ndata: 123456\r\nid: 123456\r\n", "event: x\r\ndata: \"[hidden]\"\r\nid: [hidden]\r\n"),
            ("data: [\ndata: 123456\ndata: ]\n", "data: [\ndata: \"[hidden]\"\ndata: ]\n"),
            ("data: 123456 or 7", "data: [hidden] or 7"), ("mydata: 123456", "mydata: [hidden]"),
            ("ta: 123456", "ta: [hidden]"),
        ])
    func eventData(text: String, shown: String) {
        #expect(SecretSearch(["123456"]).hidden(in: text, numbersAs: #""[hidden]""#) == shown)
    }

    @Test("A numeric code of the request is hidden in JSON that repeats it, which stays valid JSON")
    func code() throws {
        let field = try #require(HTTPField.Name("X-OTP"))
        let request = TransportRequest(
            head: HTTPRequest(
                method: .get, scheme: "https", authority: "a.test", path: "/", headerFields: [field: "123456"]))
        let body = Data(#"{"sent":123456,"text":"123456","count":7}"#.utf8)
        let shown = Redactor(.standard, request: request).body(body, type: "application/json", upTo: 1000).text
        #expect(shown == #"{"sent":"[hidden]","text":"[hidden]","count":7}"#)
        #expect(try JSON(parsing: Data(shown.utf8))["count"].int == 7)
    }
}

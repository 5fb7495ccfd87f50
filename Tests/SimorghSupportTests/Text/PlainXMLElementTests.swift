// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import TestSupport
import Testing

@Suite("Small XML documents", .timeLimit(.minutes(5)))
struct PlainXMLElementTests {
    private static func text(_ element: PlainXMLElement) -> String {
        "\(element.name)(\(element.text.debugDescription)\(element.children.map { " " + text($0) }.joined()))"
    }

    @Test(
        "Elements, text, CDATA and references are read",
        arguments: [
            ("<a/>", #"a("")"#), ("<a>b</a>", #"a("b")"#), ("<a b='c>d' e=\"f/\">g</a >", #"a("g")"#),
            ("\u{FEFF}<?xml version=\"1.0\"?><!-- <x> --><a><b>1</b>t<c/></a>\n<!-- end -->", #"a("t" b("1") c(""))"#),
            ("<x:a xmlns:x='urn:y'><x:b>1</x:b></x:a>", #"a("" b("1"))"#),
            ("<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F426;</a>", #"a("<>&\"\'A🐦")"#),
            ("<a>x<![CDATA[<&]]]>y</a>", #"a("x<&]y")"#), ("<a><?p <x ?>b</a>", #"a("b")"#),
            ("<a><a><a>1</a></a></a>", #"a("" a("" a("1")))"#),
        ])
    func reads(document: String, expected: String) throws {
        let root = try #require(PlainXMLElement.parse(document))
        #expect(Self.text(root) == expected)
    }

    @Test(
        "Malformed documents, declarations and unknown entities are rejected",
        arguments: [
            "", " ", "a", "<", "<a", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a/>x", "x<a/>", "<a><b></a></b>", "<>x</>",
            "< a/>", "<a b=\"<\"/>", "<a b=\"c/>", "<!-- <a/>", "<a><![CDATA[x</a>", "<![CDATA[x]]><a/>",
            "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>",
            "<a><!ENTITY x \"y\"></a>", "<a>&x;</a>", "<a>&lt</a>", "<a>& b;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>",
            "<a>&#x110000;</a>", "<a>&#;</a>", "<a>&#x;</a>", "<a>&#-1;</a>", "<a>&#99999999999999999999;</a>",
        ])
    func rejects(document: String) {
        #expect(PlainXMLElement.parse(document) == nil)
    }

    @Test("Depth and number of elements are limited")
    func limits() {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(PlainXMLElement.parse(nested(32)) != nil)
        #expect(PlainXMLElement.parse(nested(33)) == nil)
        #expect(PlainXMLElement.parse(nested(100_000)) == nil)
        #expect(PlainXMLElement.parse("<r>" + String(repeating: "<a/>", count: 4095) + "</r>") != nil)
        #expect(PlainXMLElement.parse("<r>" + String(repeating: "<a/>", count: 4096) + "</r>") == nil)
    }

    @Test("Random markup ends, and written text is read back", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) throws {
        var numbers = SeededNumbers(seed)
        let pieces = [
            "<a>", "</a>", "<a/>", "<", ">", "&", ";", "&lt;", "&#65;", "<!--", "-->", "<![CDATA[", "]]>", "é", " ",
            "\"", "'",
        ]
        for _ in 0..<2000 {
            let count = Int.random(in: 0..<20, using: &numbers)
            let text = (0..<count).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined()
            _ = PlainXMLElement.parse(text)
            let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            #expect(PlainXMLElement.parse("<a>\(escaped)</a>")?.text == text, "seed \(seed): \(text)")
        }
    }
}

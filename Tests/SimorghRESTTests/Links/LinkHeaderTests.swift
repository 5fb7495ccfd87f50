// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghREST
import TestSupport
import Testing

@Suite("Link (RFC 8288)", .timeLimit(.minutes(5)))
struct LinkHeaderTests {
    private static let base = "https://api.example.com/v1/birds?page=1"

    /// A field value, and the links in it as text: relations, URL, and the title.
    struct Case: Sendable, CustomTestStringConvertible {
        let value: String
        let links: [String]
        var testDescription: String { value }

        init(_ value: String, _ links: String...) { (self.value, self.links) = (value, links) }
    }

    private static func text(_ link: WebLink) -> String {
        let title = link.title.map { " “\($0)”" } ?? ""
        return "[\(link.relations.joined(separator: " "))] \(link.url)\(title)\(link.isFromResponse ? "" : " foreign")"
    }

    private static let examples = [
        // RFC 8288, section 3.5.
        Case(
            "<http://example.com/TheBook/chapter2>; rel=\"previous\"; title=\"previous chapter\"",
            "[previous] http://example.com/TheBook/chapter2 “previous chapter”"),
        Case("</>; rel=\"http://example.net/foo\"", "[http://example.net/foo] https://api.example.com/"),
        Case(
            "</terms>; rel=\"copyright\"; anchor=\"#foo\"",
            "[copyright] https://api.example.com/terms foreign"),
        Case(
            "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, "
                + "</TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel",
            "[previous] https://api.example.com/TheBook/chapter2 “letztes Kapitel”",
            "[next] https://api.example.com/TheBook/chapter4 “nächstes Kapitel”"),
        Case(
            "<http://example.org/>; rel=\"start http://example.net/relation/other\"",
            "[start http://example.net/relation/other] http://example.org/"),
        Case(
            "<https://example.org/>; rel=\"start\", <https://example.org/index>; rel=\"index\"",
            "[start] https://example.org/", "[index] https://example.org/index"),
        // GitHub.
        Case(
            "<https://api.github.com/repositories/1/issues?page=2>; rel=\"next\", "
                + "<https://api.github.com/repositories/1/issues?page=7>; rel=\"last\"",
            "[next] https://api.github.com/repositories/1/issues?page=2",
            "[last] https://api.github.com/repositories/1/issues?page=7"),
    ]

    private static let grammar = [
        Case("<a>;rel=next", "[next] https://api.example.com/v1/a"),
        Case("<?page=2>; rel=next", "[next] https://api.example.com/v1/birds?page=2"),
        Case("<>; rel=next", "[next] https://api.example.com/v1/birds?page=1"),
        Case("<../x>; rel=next", "[next] https://api.example.com/x"),
        Case("<//evil.example/x>; rel=next", "[next] https://evil.example/x"),
        Case("<a>; REL=\"NEXT\"; Title=T", "[next] https://api.example.com/v1/a “T”"),
        Case("<a> ; rel = next ; title = t", "[next] https://api.example.com/v1/a “t”"),
        Case("<a,b;c>; rel=next", "[next] https://api.example.com/v1/a,b;c"),
        Case("<a>; title=\"x, <y>; rel=next\"; rel=prev", "[prev] https://api.example.com/v1/a “x, <y>; rel=next”"),
        Case("<a>; title=\"q\\\"u\\o\\\\te\"; rel=next", "[next] https://api.example.com/v1/a “q\"uo\\te”"),
        Case("<a>; rel=\"next\tlast  first\"", "[next last first] https://api.example.com/v1/a"),
        // Only the first of repeated parameters counts (section 3.3).
        Case("<a>; rel=next; rel=prev", "[next] https://api.example.com/v1/a"),
        Case("<a>; title*=UTF-8''e%CC%81; title=plain; rel=next", "[next] https://api.example.com/v1/a “e\u{301}”"),
        Case("<a>; title*=UTF-8''%FF; title=plain; rel=next", "[next] https://api.example.com/v1/a “plain”"),
        Case("<a>; title*=koi8-r''%C1; rel=next", "[next] https://api.example.com/v1/a"),
        Case("<a>; title*=iso-8859-1'en'%A3%20rates; rel=next", "[next] https://api.example.com/v1/a “£ rates”"),
        Case("<a>", "[] https://api.example.com/v1/a"),
        Case("<a>;;rel=next;", "[next] https://api.example.com/v1/a"),
        Case("<a>; rel", "[] https://api.example.com/v1/a"),
        Case(
            ", ,<a>; rel=next,, <b>; rel=last,", "[next] https://api.example.com/v1/a",
            "[last] https://api.example.com/v1/b"),
        Case("<a>; rel=next; anchor=\"\"", "[next] https://api.example.com/v1/a"),
        Case("<a>; rel=next; anchor=\"/v1/birds?page=1\"", "[next] https://api.example.com/v1/a"),
        Case("<a>; rel=next; anchor=\"/other\"", "[next] https://api.example.com/v1/a foreign"),
        // Malformed links end the field.
        Case(""), Case("a>; rel=next"), Case("<a; rel=next"), Case("rel=next; <a>"),
        Case(
            "<a>; rel=next x, <b>; rel=last", "[next x] https://api.example.com/v1/a",
            "[last] https://api.example.com/v1/b"),
        Case("<a>; rel=\"next\" x, <b>; rel=last", "[next] https://api.example.com/v1/a"),
        Case("<a> rel=next, <b>; rel=last", "[] https://api.example.com/v1/a"),
        Case("<a>; title=\"open; rel=next", "[] https://api.example.com/v1/a “open; rel=next”"),
        Case("<a>; title=\"open\\", "[] https://api.example.com/v1/a “open”"),
    ]

    @Test("Values are read as RFC 8288 says", arguments: examples + grammar)
    func reads(_ example: Case) {
        #expect(LinkHeader(example.value, relativeTo: Self.base).links.map(Self.text) == example.links)
    }

    @Test("Several fields are one list, and a malformed field ends only itself")
    func severalFields() {
        var fields = HTTPFields()
        for value in ["<a>; rel=prev", "<b", "<c>; rel=next", "<d>; rel=next"] {
            fields.append(HTTPField(name: .link, value: value))
        }
        let links = LinkHeader(fields, relativeTo: Self.base)
        #expect(links.links.map(\.target) == ["a", "c", "d"])
        #expect(links["Next"]?.target == "c")
        #expect(links["last"] == nil)
        #expect(links.isComplete)
    }

    @Test("A link with a foreign anchor is not found by its relation")
    func foreign() {
        let links = LinkHeader("<a>; rel=next; anchor=\"/x\", <b>; rel=next", relativeTo: Self.base)
        #expect(links["next"]?.target == "b")
    }

    @Test("Attributes are read, and repeated languages are kept")
    func attributes() throws {
        let links = LinkHeader(
            "<a>; rel=alternate; hreflang=de; hreflang=fr; type=\"text/html\"; media=print; x=1", relativeTo: Self.base)
        let link = try #require(links.links.first)
        #expect(link.languages == ["de", "fr"])
        #expect(link.type == "text/html")
        #expect(link.media == "print")
        #expect(link["x"] == "1")
        #expect(link["y"] == nil)
    }

    @Test("Bytes that are not UTF-8 are percent-encoded in a target")
    func bytes() throws {
        let links = LinkHeader(
            [Array("<caf".utf8) + [0xE9] + Array(">; rel=next; title=caf".utf8) + [0xE9]], base: Self.base)
        let link = try #require(links["next"])
        #expect(link.target.lowercased() == "caf%e9")
        #expect(link.title == "caf\u{FFFD}")
    }

    @Test("The numbers of links, bytes and parameters are limited")
    func limits() {
        let many = Array(repeating: "<a>; rel=next", count: LinkHeader.maximumLinks + 1).joined(separator: ",")
        let links = LinkHeader(many, relativeTo: Self.base)
        #expect(links.links.count == LinkHeader.maximumLinks)
        #expect(!links.isComplete)
        let long = "<\(String(repeating: "a", count: LinkHeader.maximumBytes))>; rel=next"
        #expect(LinkHeader(long, relativeTo: Self.base).links.isEmpty)
        #expect(!LinkHeader(long, relativeTo: Self.base).isComplete)
        let parameters = (0..<100).map { "; p\($0)=\($0)" }.joined()
        let link = LinkHeader("<a>\(parameters); rel=next, <b>; rel=next", relativeTo: Self.base)
        #expect(link.links.map(\.parameters.count) == [LinkHeader.maximumParameters, 1])
    }

    @Test("Random bytes are read within the limits, and a written link is read back", arguments: [1, 2, 3])
    func random(seed: UInt64) {
        var numbers = SeededNumbers(seed)
        let alphabet = Array("<>;,=\"\\* \taréln'%1".utf8) + [0xFF]
        for _ in 0..<3000 {
            let count = Int.random(in: 0..<60, using: &numbers)
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &numbers) ?? 0 }
            _ = LinkHeader([bytes], base: Self.base)
            let title = String(decoding: bytes.filter { $0 < 0x80 && $0 != 0x09 }, as: UTF8.self)
            let quoted = title.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            let links = LinkHeader("<x>; title=\"\(quoted)\"; rel=next, <y>; rel=last", relativeTo: Self.base)
            #expect(links.links.map(\.target) == ["x", "y"], "seed \(seed): \(title)")
            #expect(links["next"]?["title"] == title, "seed \(seed)")
        }
    }
}

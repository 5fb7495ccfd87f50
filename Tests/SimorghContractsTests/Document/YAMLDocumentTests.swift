// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if YAML
import SimorghContracts
import SimorghCore
import SimorghSupport
import Testing

@Suite("OpenAPIContract: documents in YAML", .timeLimit(.minutes(2)))
struct YAMLDocumentTests {
    private static func document(_ paths: String) -> String { "openapi: 3.1.0\npaths:\n\(paths)" }

    private static func failure(_ text: String, limits: OpenAPIContract.Limits = .init()) throws -> String {
        let error = #expect(throws: ContractDocumentError.self) {
            try OpenAPIContract(Data(text.utf8), limits: limits)
        }
        return try #require(error).description
    }

    @Test("A document in YAML is the same as one in JSON")
    func reads() async throws {
        let text = """
            # A comment with an asterisk * and an ampersand &.
            openapi: "3.1.0"
            x-example: &example
              id: 7
              name: 'Zal'
              isTall: true
              mate: ~
            paths:
              /birds/{id}:
                get:
                  description: |
                    *Note*: a block of text.
                  responses:
                    200:
                      description: A bird
                      content:
                        application/json:
                          example:
                            <<: *example
                            weight: 1.5
                            code: "007"
            """
        let server = ContractServer(try OpenAPIContract(Data(text.utf8)))
        let bird = try await server.client().call(.get, "birds/7").json()
        #expect(bird == ["id": 7, "name": "Zal", "isTall": true, "mate": nil, "weight": 1.5, "code": "007"])
    }

    @Test("A version without quotes, which is a number, is accepted")
    func version() throws { _ = try OpenAPIContract(Data("openapi: 3.1\npaths: {}\n".utf8)) }

    @Test("YAML that is not valid is an error", arguments: ["a: [", "a: b: c", "- a\nb", "", "*a"])
    func invalid(text: String) throws { _ = try Self.failure(text) }

    @Test("Aliases of aliases are counted, so that a short document does not become a huge one")
    func laughs() throws {
        var text = "openapi: 3.1.0\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...12 {
            let aliases = String(repeating: "  - *a\(level - 1)\n", count: 10)
            text += "a\(level): &a\(level)\n\(aliases)"
        }
        #expect(try Self.failure(text).contains("too many values"))
    }

    @Test(
        "A key with aliases is an error before the parser compares it, which names the line and the alias",
        arguments: [
            "*a : b", "{*a : b}", "x: {[*a, *a]: b}", "y: {*a}", "y: {k: v, *a}", "y: {[*a, *a]}", "x: [*a, *a]",
            "y: {*a\n}", "y: {*a # text\n\n  # text\n}", "y: {[k: *a\n]}", "y: {[*a\n, x]}", "y: {*a\n: b}",
            "y: {{k: *a\n}: b}", "y: {#c\n*a}", "y: \"x *a\n # \", z: {*a}",
        ])
    func aliases(key: String) throws {
        let text = "openapi: 3.1.0\nx: &a [1, 2]\ny:\n  \(key.replacing("\n", with: "\n  "))\n"
        let failure = try Self.failure(text)
        #expect(failure.hasPrefix("line "), "\(failure)")
        #expect(failure.contains("the alias *a may only be at the end of a line"), "\(failure)")
    }

    @Test(
        "A key with a question mark is an error in a document with an anchor",
        arguments: [
            "? *a\n: b", "? [*a,\n*a]\n: b", "{ ? *a : b }", "{?[*a,\n*a]:b}", "{?!!seq [*a,\n x]: b}",
            "{?#c\n[*a,\n x]: b}", "- ? x\n  : b",
        ])
    func questionMarks(key: String) throws {
        let text = "openapi: 3.1.0\nx: &a [1, 2]\ny:\n  \(key.replacing("\n", with: "\n  "))\n"
        let failure = try Self.failure(text)
        #expect(failure.hasPrefix("line 4: "), "\(failure)")
        #expect(failure.contains("question mark"), "\(failure)")
    }

    @Test(
        "An unusual line break is an error in a document with an anchor",
        arguments: ["\r", "\u{85}", "\u{2028}", "\u{2029}", "\n\u{FEFF}"])
    func lineBreaks(separator: String) throws {
        let failure = try Self.failure("openapi: 3.1.0\nx: &a [1, 2]\(separator)*a : b\n")
        #expect(failure.contains("no other line breaks"), "\(failure)")
        _ = try OpenAPIContract(Data("openapi: 3.1.0\r\nx: &a [1, 2]\r\ny: *a\r\npaths: {}\r\n".utf8))
    }

    @Test("Aliases in keys do not take exponential time")
    func exponential() throws {
        var text = "openapi: 3.1.0\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...30 { text += "a\(level): &a\(level)\n" + String(repeating: "  - *a\(level - 1)\n", count: 10) }
        #expect(try Self.failure(text + "y: {*a30}\n").contains("line 333: the alias *a30"))
        #expect(try Self.failure(text + "y: {\n  *a30\n}\n").contains("line 334: the alias *a30"))
    }

    @Test("The number of anchors is limited, also if one name is used again", arguments: [true, false])
    func chain(isSame: Bool) throws {
        var text = "openapi: 3.1.0\nx:\n  - &a0 1\n"
        for level in 1..<50 { text += "  - &a\(isSame ? 0 : level)\n    - *a\(isSame ? 0 : level - 1)\n" }
        _ = try OpenAPIContract(Data((text + "paths: {}\n").utf8))
        #expect(try Self.failure(text + "  - &b 1\n").contains("line 102: the document has more than 50 anchors"))
    }

    @Test("Nodes as deep as the anchors allow are released without a stack overflow")
    func deepAnchors() throws {
        var text = "openapi: 3.1.0\nx:\n  - &a0 1\n"
        for level in 1..<50 {
            text += "  - &a\(level)\n    \(String(repeating: "- ", count: 990))*a\(level - 1)\n"
        }
        #expect(try Self.failure(text).contains("nested more than 128 levels"))
    }

    @Test("Question marks, entities and asterisks in text are not keys")
    func text() throws {
        let text = """
            openapi: 3.1.0
            info:
              description: Voulez-vous continuer ? Oui
              terms: Nom &amp; adresse
              more: "*amp ? a"
            x: &a 1 # the anchor
            y: *a # the alias
            z:
              - *a

              # a comment
              - really ? yes, 2 * a
            <<: *b
            paths: {}
            """
        #expect(try Self.failure(text).contains("alias"))
        _ = try OpenAPIContract(Data(text.replacing("<<: *b\n", with: "").utf8))
    }

    @Test("A document that is nested too deep is an error", arguments: [200, 990, 100_000])
    func deep(levels: Int) throws {
        let text = "openapi: 3.1.0\nx: " + String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        _ = try Self.failure(text)
    }

    @Test("The limit of values counts all of a document")
    func values() throws {
        var limits = OpenAPIContract.Limits()
        limits.values = 5
        #expect(try Self.failure(Self.document("  /a: {}\n  /b: {}\n  /c: {}"), limits: limits).contains("too many"))
        limits.values = 6
        _ = try OpenAPIContract(Data(Self.document("  /a: {}\n  /b: {}\n  /c: {}").utf8), limits: limits)
    }
}
#endif

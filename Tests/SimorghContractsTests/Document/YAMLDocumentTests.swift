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

    @Test("YAML that is not valid is an error", arguments: ["a: [", "a: b: c", "- a\nb", "", "*a"])
    func invalid(text: String) throws { _ = try Self.failure(text) }

    @Test("Aliases of aliases are counted, so that a short document does not become a huge one")
    func laughs() throws {
        var text = "openapi: 3.1.0\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...12 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        #expect(try Self.failure(text).contains("too many values"))
    }

    @Test(
        "A key with aliases is an error before the parser compares it",
        arguments: [
            "? *a\n: b", "? [*a, *a]\n: b", "*a : b", "{*a : b}", "x: {[*a, *a]: b}", "{ ? *a : b }", "{?[*a,\n*a]:b}",
        ])
    func keys(key: String) throws {
        let text = "openapi: 3.1.0\nx: &a [1, 2]\ny:\n  \(key.replacing("\n", with: "\n  "))"
        #expect(try Self.failure(text).contains("a key of the document is not text"))
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

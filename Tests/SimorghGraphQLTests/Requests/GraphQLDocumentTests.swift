// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghGraphQL
import TestSupport
import Testing

@Suite("GraphQL document", .timeLimit(.minutes(1)))
struct GraphQLDocumentTests {
    @Test(
        "The kind of the only operation is found",
        arguments: [
            ("{ a }", GraphQLDocument.Kind.query), ("query { a }", .query), ("query Q($a: Int = 1) { a }", .query),
            ("mutation { a }", .mutation), ("subscription S { a }", .subscription),
            ("# mutation { b }\n\u{FEFF}query { a }", .query), (",,, query,{ a }", .query),
            ("fragment F on T { mutation } mutation { ...F }", .mutation),
            ("mutation { a } fragment F on T { b { c } }", .mutation),
            (#"query { a(text: "mutation { } \" }") }"#, .query), (#"query { a(text: "") b }"#, .query),
            (#"query { a(text: """ } mutation \""" { " """) }"#, .query),
            (#"mutation @d(a: {query: "}"}) { a }"#, .mutation), ("query($in: I = {a: [1, {b: 2}]}) { a }", .query),
        ])
    func kind(text: String, kind: GraphQLDocument.Kind) {
        #expect(GraphQLDocument(text).kind(named: nil) == kind)
    }

    @Test("Of several operations the named one counts")
    func named() {
        let document = GraphQLDocument("query A { a } mutation B { b } query C { c }")
        #expect(document.kind(named: "A") == .query)
        #expect(document.kind(named: "B") == .mutation)
        #expect(document.kind(named: nil) == nil)
        #expect(document.kind(named: "D") == nil)
        #expect(GraphQLDocument("query A { a } mutation A { b }").kind(named: "A") == nil)
    }

    @Test(
        "A document that is not understood has no operations",
        arguments: [
            "", "a { b }", "query", "query {", "query { a }}", "type Query { a: Int }", #"query { a(text: "x) }"#,
            #"query { a(text: """x) }"#, "\"text\" query { a }", "} mutation { a }", #"{ a(b: "\"#, "query ) { a }",
        ])
    func unknown(text: String) { #expect(GraphQLDocument(text).operations.isEmpty) }

    @Test("The number of operations is bounded")
    func bound() {
        let text = String(repeating: "{a}", count: GraphQLDocument.maximumOperations)
        #expect(GraphQLDocument(text).operations.count == GraphQLDocument.maximumOperations)
        #expect(GraphQLDocument(text + "{a}").operations.isEmpty)
    }

    @Test("Random text neither traps nor takes a mutation for a query", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) {
        var numbers = SeededNumbers(seed)
        let words = [
            "query", "mutation", "{", "}", "(", ")", "\"", "\"\"\"", "\\", "#", "\n", "a", ":", "fragment", "on",
        ]
        for _ in 0..<3000 {
            let text = (0..<12).map { _ in words.randomElement(using: &numbers) ?? "" }.joined(separator: " ")
            let document = GraphQLDocument(text)
            if document.operations.count == 1, document.kind(named: nil) == .mutation {
                #expect(text.contains("mutation"))
            }
            let valid = "mutation { a } fragment F on T { b(c: \"\(seed)\") }"
            #expect(GraphQLDocument(valid).kind(named: nil) == .mutation)
        }
    }
}

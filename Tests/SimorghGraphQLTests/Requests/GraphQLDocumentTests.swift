// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghGraphQL
import TestSupport
import Testing

@Suite("GraphQL document", .timeLimit(.minutes(5)))
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
            (#""pays" mutation M { pay }"#, .mutation), ("\"\"\"\nReads { \"\"\"\nquery Q { a }", .query),
            (#""a" fragment F on T { b } "b" subscription S("c" $d: Int = 1) { ...F }"#, .subscription),
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
            #"query { a(text: """x) }"#, "\"text\" { a }", "\"a\" \"b\" query { a }", "query { a } \"text\"",
            "\"text\" type Query { a: Int }", "} mutation { a }", #"{ a(b: "\"#, "query ) { a }",
        ])
    func unknown(text: String) { #expect(GraphQLDocument(text).operations.isEmpty) }

    @Test("The number of operations is bounded")
    func bound() {
        let text = String(repeating: "{a}", count: GraphQLDocument.maximumOperations)
        #expect(GraphQLDocument(text).operations.count == GraphQLDocument.maximumOperations)
        #expect(GraphQLDocument(text + "{a}").operations.isEmpty)
    }

    @Test("Random text does not trap", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) {
        var numbers = SeededNumbers(seed)
        let words = [
            "query", "mutation", "{", "}", "(", ")", "\"", "\"\"\"", "\\", "#", "\n", "a", ":", "fragment", "on",
        ]
        for _ in 0..<3000 {
            let text = (0..<12).map { _ in words.randomElement(using: &numbers) ?? "" }.joined(separator: " ")
            // An operation is a mutation only with that word, and has a brace.
            let kinds = GraphQLDocument(text).operations.map(\.kind)
            #expect(text.contains("mutation") || !kinds.contains(.mutation), "seed \(seed): \(text)")
            #expect(text.contains("{") || kinds.isEmpty, "seed \(seed): \(text)")
        }
    }

    @Test("In valid documents each operation is found with its kind and name", arguments: [1, 2, 3, 4] as [UInt64])
    func valid(seed: UInt64) {
        var writer = DocumentWriter(numbers: SeededNumbers(seed))
        for _ in 0..<500 {
            let (text, kinds) = writer.document()
            let document = GraphQLDocument(text)
            #expect(document.operations.map(\.kind) == kinds, "seed \(seed): \(text)")
            for (index, kind) in kinds.enumerated() {
                #expect(document.kind(named: "Q\(index)") == kind, "seed \(seed): \(text)")
            }
        }
    }
}

/// Writes valid documents, in which comments, strings, names and fields look like operations.
private struct DocumentWriter {
    var numbers: SeededNumbers

    /// Returns a document, whose operations are named Q0, Q1 and so on, with their kinds.
    mutating func document() -> (text: String, kinds: [GraphQLDocument.Kind]) {
        var text = gap()
        var kinds: [GraphQLDocument.Kind] = []
        for index in 0..<Int.random(in: 1...3, using: &numbers) {
            let kind = [GraphQLDocument.Kind.query, .mutation, .subscription].randomElement(using: &numbers) ?? .query
            kinds.append(kind)
            let variables = ["(", description(), "$mutation: [T!]! = ", value(), directive(), ")"].joined()
            text += [description(), kind.rawValue, gap(), "Q\(index)", isNext() ? variables : ""].joined()
            text += [gap(), directive(), selection(), gap()].joined()
            if isNext() {
                text += [description(), "fragment", gap(), "F on Query", gap(), directive(), selection(), gap()]
                    .joined()
            }
        }
        return (text, kinds)
    }

    private mutating func isNext() -> Bool { Bool.random(using: &numbers) }

    private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &numbers) ?? "" }

    /// White space, commas and comments.
    private mutating func gap() -> String {
        pick([" ", "\n", " , ", "\t", "\r\n", " # mutation { a } \" \n", "\u{FEFF} ", "\n#}\r"])
    }

    private mutating func string() -> String {
        pick([
            "\"\"", "\"query { a }\"", "\"\\\" } mutation { \"", "\"\\\\\"", "\"\"\"\"\"\"",
            "\"\"\"\n} mutation \\\"\"\" { \" \"\" \n\"\"\"",
        ])
    }

    private mutating func description() -> String { isNext() ? [string(), gap()].joined() : "" }

    private mutating func value(depth: Int = 0) -> String {
        switch Int.random(in: 0...(depth < 3 ? 6 : 4), using: &numbers) {
        case 0: "-1.5e3"
        case 1: string()
        case 2: "true"
        case 3: "null"
        case 4: "subscription"
        case 5: ["[", value(depth: depth + 1), gap(), value(depth: depth + 1), "]"].joined()
        default: ["{query:", gap(), value(depth: depth + 1), "}"].joined()
        }
    }

    private mutating func arguments() -> String {
        isNext() ? ["(fragment", gap(), ":", value(), gap(), "b: 1)"].joined() : ""
    }

    private mutating func directive() -> String { isNext() ? ["@mutation", arguments()].joined() : "" }

    private mutating func selection(depth: Int = 0) -> String {
        let field = pick(["a", "mutation", "x: query", "...F", "... on Query { b }", "... @a { c }"])
        let isField = !field.hasPrefix("...")
        let arguments = isField ? arguments() : ""
        let inner = isField && depth < 3 && isNext() ? selection(depth: depth + 1) : ""
        return ["{", gap(), field, arguments, gap(), inner, gap(), "}"].joined()
    }
}

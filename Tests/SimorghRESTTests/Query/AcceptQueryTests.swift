// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghREST
import Testing

@Suite("AcceptQuery", .timeLimit(.minutes(5)))
struct AcceptQueryTests {
    private static let name = HTTPField.Name("Accept-Query")

    private static func parsed(_ values: String...) throws -> AcceptQuery? {
        var fields = HTTPFields()
        for value in values { fields.append(HTTPField(name: try #require(name), value: value)) }
        return AcceptQuery(fields)
    }

    @Test("The example of RFC 10008: strings and tokens, with parameters")
    func example() throws {
        let accepted = try #require(try Self.parsed(#""application/jsonpath", application/sql;charset="UTF-8""#))
        #expect(accepted.ranges.map(\.type) == ["application/jsonpath", "application/sql"])
        #expect(accepted.ranges.map(\.parameters) == [[:], ["charset": "UTF-8"]])
        #expect(accepted.accepts("application/sql"))
        #expect(accepted.accepts("Application/JSONPath; q=1"))
        #expect(!accepted.accepts("text/plain"))
    }

    @Test("Wildcards match, and several fields are one list")
    func wildcards() throws {
        let some = try #require(try Self.parsed("text/*", "application/json"))
        #expect(some.accepts("text/csv") && some.accepts("application/json") && !some.accepts("image/png"))
        #expect(try #require(try Self.parsed("*/*")).accepts("image/png"))
    }

    @Test(
        "A missing, malformed or oversized field is nil",
        arguments: ["a/b q", "12", "(a/b)", "a/b,", "token", "\"a/b"])
    func malformed(value: String) throws {
        #expect(try Self.parsed(value) == nil)
        #expect(AcceptQuery(HTTPFields()) == nil)
        #expect(try Self.parsed(String(repeating: "a/b, ", count: 4000) + "a/b") == nil)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghContracts
import SimorghCore
import SimorghSupport
import Testing

@Suite("SchemaCheck: bounds of the work for a request", .timeLimit(.minutes(2)))
struct SchemaCheckLimitsTests {
    private static func document(_ schema: String) -> String {
        """
        {
          "openapi": "3.1.0",
          "paths": {"/a": {"post": {
            "requestBody": {"content": {"application/json": {"schema": \(schema)}}},
            "responses": {"200": {"description": ""}}
          }}}
        }
        """
    }

    private static func problems(of body: String, schema: String) async throws -> [String] {
        try await BirdDocument.problems(
            of: .post, "a", body: .text(body, contentType: "application/json"), in: document(schema))
    }

    /// Returns the description of the error for a request.
    private static func failure(
        of method: RequestMethod, query: QueryItems = QueryItems(), body: RequestBody = .empty, in document: String
    ) async throws -> String {
        let server = ContractServer(try OpenAPIContract(Data(document.utf8)))
        let error = await #expect(throws: NetworkError.self) {
            try await server.client().call(method, "a", query: query, body: body).void()
        }
        return "\(try #require(error))"
    }

    private static func list(_ text: String, count: Int) -> String {
        "[\(Array(repeating: text, count: count).joined(separator: ","))]"
    }

    /// Returns a schema with required members and 999 parts.
    private static func schema(required count: Int) -> String {
        let names = (0..<count).map { "\"r\($0)\"" }.joined(separator: ",")
        let parts = list("{}", count: 999)
        return #"{"required": [\#(names)], "allOf": \#(parts)}"#
    }

    @Test("Of many missing members, the first 20 are reported")
    func missing() async throws {
        let problems = try await Self.problems(of: "{}", schema: Self.schema(required: 5_000))
        let first = (0..<20).map { "the body has no \"r\($0)\", which is required" }
        #expect(problems == first)
    }

    @Test("Each missing member and each part of its schema is a step")
    func requiredSteps() async throws {
        let element = Self.schema(required: 4_000)
        let document = Self.document(#"{"items": \#(element)}"#)
        let body = RequestBody.text(Self.list("{}", count: 100), contentType: "application/json")
        let failure = try await Self.failure(of: .post, body: body, in: document)
        #expect(failure.contains("steps; "), "\(failure)")
    }

    @Test("Reading the parts of a schema for each object is bounded, even if no member is reported")
    func readOnly() async throws {
        let properties = #"{"properties": {"id": {"readOnly": true}}}"#
        let parts = Self.list(#"{"required": ["id"]}"#, count: 900)
        let schema = #"{"items": {"allOf": [\#(properties), {"allOf": \#(parts)}]}}"#
        let body = RequestBody.text(Self.list("{}", count: 100), contentType: "application/json")
        let failure = try await Self.failure(of: .post, body: body, in: Self.document(schema))
        #expect(failure.contains("steps; "), "\(failure)")
    }

    @Test("The types of the elements of many lists are bounded")
    func elementTypes() async throws {
        let names = (0..<300).map { "p\($0)" }
        let parameters = names.map { name in
            ##"{"name": "\##(name)", "in": "query", "schema": {"$ref": "#/components/schemas/List"}}"##
        }
        let part = ##"{"type": "array", "items": {"$ref": "#/components/schemas/Number"}}"##
        let lists = Self.list(part, count: 900)
        let numbers = Self.list(#"{"type": "integer"}"#, count: 999)
        let document = """
            {
              "openapi": "3.1.0",
              "paths": {"/a": {"get": {
                "parameters": [\(parameters.joined(separator: ", "))], "responses": {"200": {"description": ""}}
              }}},
              "components": {"schemas": {
                "List": {"anyOf": \(lists)}, "Number": {"anyOf": \(numbers)}
              }}
            }
            """
        let query = QueryItems(names.map { QueryItem(name: $0, value: "1") })
        let failure = try await Self.failure(of: .get, query: query, in: document)
        #expect(failure.contains("steps; "), "\(failure)")
    }

    @Test("Each choice for a large value takes steps by the size of the value")
    func largeValue() async throws {
        let choices = Self.list(#"{"const": [1]}"#, count: 1000)
        let schema = #"{"anyOf": \#(choices)}"#
        let body = RequestBody.text(Self.list("0", count: 20_000), contentType: "application/json")
        let failure = try await Self.failure(of: .post, body: body, in: Self.document(schema))
        #expect(failure.contains("steps; "), "\(failure)")
    }

    @Test("Each alternative for a long text takes steps by the length of the text")
    func alternatives() async throws {
        let choices = Self.list(#"{"maxLength": 1}"#, count: 20_000)
        let schema = #"{"anyOf": \#(choices)}"#
        let text = String(repeating: "a", count: 100_000)
        let body = RequestBody.text("\"\(text)\"", contentType: "application/json")
        let failure = try await Self.failure(of: .post, body: body, in: Self.document(schema))
        #expect(failure.contains("steps; "), "\(failure)")
    }

    @Test("A long text is cut in a message")
    func longText() async throws {
        let text = String(repeating: "a", count: 1_000_000)
        let problems = try await Self.problems(of: "\"\(text)\"", schema: #"{"const": "b"}"#)
        #expect(problems == ["the body is \"\(text.prefix(59))…, not \"b\""])
    }
}

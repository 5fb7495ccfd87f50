// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghContracts
import SimorghCore
import SimorghSupport
import Testing

@Suite("RequestCheck: forms of parameters", .timeLimit(.minutes(2)))
struct ParameterCheckTests {
    private static func document(_ parameter: String) -> String {
        """
        {
          "openapi": "3.1.0",
          "paths": {
            "/a": {"get": {"parameters": [\(parameter)], "responses": {"200": {"description": ""}}}},
            "/b/{id}": {"get": {
              "parameters": [
                {"name": "id", "in": "path", "required": true, "style": "label", "schema": {"type": "integer"}}],
              "responses": {"200": {"description": ""}}
            }}
          },
          "components": {
            "securitySchemes": {
              "key": {"$ref": "#/components/securitySchemes/query"},
              "query": {"type": "apiKey", "in": "query", "name": "api_key"}
            },
            "schemas": {
              "Number": {"type": "integer"},
              "Filter": {"type": "object", "properties": {"color": {"type": "string"}}}
            }
          }
        }
        """
    }

    private static func limit(_ schema: String) -> String {
        #"{"name": "limit", "in": "query", "schema": \#(schema)}"#
    }

    private static let optional = limit(#"{"anyOf": [{"type": "integer"}, {"type": "null"}]}"#)
    private static let reference = limit(##"{"allOf": [{"$ref": "#/components/schemas/Number"}]}"##)
    private static let list = ##"""
        {"name": "ids", "in": "query", "explode": false, "schema": {"anyOf": [
          {"type": "array", "items": {"allOf": [{"$ref": "#/components/schemas/Number"}]}}, {"type": "null"}]}}
        """##
    private static let texts = limit(#"{"type": "array", "items": {"type": ["integer", "string"], "enum": ["5"]}}"#)
    private static let object = ##"""
        {"name": "filter", "in": "query", "required": true, "schema": {"$ref": "#/components/schemas/Filter"}}
        """##
    private static let items: [(String, QueryItems, String?)] = [
        (optional, ["limit": "5"], nil), (optional, ["limit": "many"], "is string, not integer"),
        (reference, ["limit": "5"], nil), (reference, ["limit": "5.5"], "is number, not integer"),
        (limit(#"{"enum": [1, 2]}"#), ["limit": "2"], nil),
        (limit(#"{"enum": [1, 2]}"#), ["limit": "3"], "is 3, not one of 1, 2"),
        (limit(#"{"const": true}"#), ["limit": "true"], nil),
        (list, ["ids": "1,2"], nil), (list, ["ids": "1,b"], "[1] is string, not integer"),
        (object, ["color": "red"], nil), (object, QueryItems(), nil), (object, ["filter": "color,red"], nil),
        (limit(#"{"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 10}]}"#), ["limit": "5"], nil),
        (limit(#"{"type": ["integer", "string"], "enum": ["5", "many"]}"#), ["limit": "5"], nil),
        (limit(#"{"type": ["integer", "string"], "enum": ["5", 6]}"#), ["limit": "7"], #"is 7, not one of "5", 6"#),
        (texts, ["limit": "5"], nil), (texts, ["limit": "7"], #"[0] is 7, not one of "5""#),
        (optional, ["api_key": "sesame"], nil), (optional, ["key": "sesame"], "is not in the document"),
    ]

    @Test("A query item has the types of its schema, also behind references and alternatives", arguments: items.indices)
    func query(index: Int) async throws {
        let (parameter, query, problem) = Self.items[index]
        let problems = try await BirdDocument.problems(of: .get, "a", query: query, in: Self.document(parameter))
        guard let problem else { return #expect(problems == []) }
        #expect(problems.first?.contains(problem) == true, "\(problems)")
    }

    @Test("A security scheme in another file does not matter to a request whose query items are known")
    func externalScheme() async throws {
        let document = """
            {
              "openapi": "3.1.0",
              "paths": {"/a": {"get": {"parameters": [\(Self.optional)], "responses": {"200": {"description": ""}}}}},
              "components": {"securitySchemes": {"key": {"$ref": "security.json#/key"}}}
            }
            """
        for query in [QueryItems(), ["limit": "5"]] {
            let problems = try await BirdDocument.problems(of: .get, "a", query: query, in: document)
            #expect(problems == [])
        }
    }

    private static let fields: [(String, [String: String])] = [
        (
            #"{"name": "Content-Type", "in": "header", "schema": {"enum": ["application/json"]}}"#,
            ["Content-Type": "application/json; charset=utf-8"]
        ),
        (#"{"name": "authorization", "in": "header", "required": true, "schema": {"type": "string"}}"#, [:]),
        (#"{"name": "X-Filter", "in": "header", "schema": {"type": "object"}}"#, ["X-Filter": "color,red"]),
    ]

    @Test("Header fields that OpenAPI ignores, and objects, are not compared", arguments: fields.indices)
    func header(index: Int) async throws {
        let (parameter, headers) = Self.fields[index]
        let problems = try await BirdDocument.problems(of: .get, "a", headers: headers, in: Self.document(parameter))
        #expect(problems == [])
    }

    @Test("A parameter in the style label is not compared")
    func label() async throws {
        #expect(try await BirdDocument.problems(of: .get, "b/.5", in: Self.document("")) == [])
    }

    @Test("The value of a parameter with the name of a secret is not shown")
    func secrets() async throws {
        let item = #"{"name": "access_token", "in": "query", "schema": {"enum": ["demo"]}}"#
        let query = try await BirdDocument.problems(
            of: .get, "a", query: ["access_token": "sesame"], in: Self.document(item))
        #expect(query == [#"the query item "access_token" is [hidden], not one of "demo""#])
        let field = #"{"name": "X-Api-Key", "in": "header", "schema": {"const": "demo"}}"#
        let header = try await BirdDocument.problems(
            of: .get, "a", headers: ["X-Api-Key": "sesame"], in: Self.document(field))
        #expect(header == [#"the header field "X-Api-Key" is [hidden], not "demo""#])
    }
}

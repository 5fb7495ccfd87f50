// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghContracts
import SimorghCore
import SimorghSupport
import Testing

@Suite("SchemaExample: bounds of a created value", .timeLimit(.minutes(2)))
struct SchemaExampleTests {
    /// Returns the client of a document with a response that has a schema, a second schema, and header fields.
    private static func client(
        schema: String, other: String = "{}", headers: String = "{}"
    ) throws -> APIClient {
        let document = """
            {
              "openapi": "3.1.0",
              "paths": {"/a": {"get": {"responses": {"200": {
                "description": "", "headers": \(headers),
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}
              }}}}},
              "components": {"schemas": {"A": \(schema), "B": \(other)}}
            }
            """
        return ContractServer(try OpenAPIContract(Data(document.utf8))).client()
    }

    /// Returns a schema with properties that all have the same schema.
    private static func object(_ property: String, count: Int) -> String {
        let properties = (0..<count).map { "\"p\($0)\": \(property)" }.joined(separator: ",")
        return #"{"type": "object", "properties": {\#(properties)}}"#
    }

    @Test("A schema that refers to itself from many properties makes a small value")
    func wide() async throws {
        let client = try Self.client(schema: Self.object(##"{"$ref": "#/components/schemas/A"}"##, count: 20_000))
        let json = try await client.call(.get, "a").json()
        #expect(json.p0.p0.p0.object?.isEmpty == false)
        #expect(Self.count(json) <= 10_000)
    }

    @Test("At the end of a schema that refers to itself, the required members are left, each once")
    func required() async throws {
        let names = (0..<50_000).map { "\"r\($0)\"" }.joined(separator: ",")
        let schema = ##"""
            {
              "required": ["b", "b", \##(names)],
              "properties": {"a": {"type": "integer"}, "b": {"$ref": "#/components/schemas/A"}}
            }
            """##
        var json = try await Self.client(schema: schema).call(.get, "a").json()
        for _ in 0..<8 {
            #expect(json.object?.keys.sorted() == ["a", "b"])
            json = json.b
        }
        #expect(json.object?.keys.sorted() == ["b"])
    }

    @Test("The values in an example count")
    func examples() async throws {
        let elements = Array(repeating: "0", count: 1000).joined(separator: ",")
        let example = #"{"example": [\#(elements)]}"#
        let schema = Self.object(##"{"$ref": "#/components/schemas/B"}"##, count: 200)
        let json = try await Self.client(schema: schema, other: example).call(.get, "a").json()
        #expect(json.object?.count == 10)
        #expect(json.p0.array?.count == 1000)
    }

    @Test("The header fields of a response share one bound")
    func headers() async throws {
        let header = ##"{"required": true, "schema": {"$ref": "#/components/schemas/B"}}"##
        let client = try Self.client(
            schema: #"{"type": "integer"}"#, other: Self.object(#"{"writeOnly": true}"#, count: 20_000),
            headers: #"{"X-A": \#(header), "X-B": \#(header)}"#)
        let response = try await client.call(.get, "a").response()
        #expect(response.headers[try #require(HTTPField.Name("X-A"))] == "{}")
        #expect(response.headers[try #require(HTTPField.Name("X-B"))] == nil)
        #expect(response.value == Data("0".utf8))
    }

    private static func count(_ json: JSON) -> Int {
        (json.object ?? [:]).values.reduce(1) { $0 + Self.count($1) }
    }
}

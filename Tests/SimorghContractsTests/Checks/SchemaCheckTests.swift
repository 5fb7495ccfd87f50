// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghContracts
import SimorghCore
import SimorghSupport
import Testing

@Suite("SchemaCheck: keywords of schemas", .timeLimit(.minutes(2)))
struct SchemaCheckTests {
    private static func problems(of body: String, schema: String) async throws -> [String] {
        let document = """
            {
              "openapi": "3.1.0",
              "paths": {"/a": {"post": {
                "requestBody": {"content": {"application/json": {"schema": \(schema)}}},
                "responses": {"200": {"description": ""}}
              }}},
              "components": {"schemas": {
                "Bird": {"type": "object"},
                "Base": {"type": "object", "properties": {"id": {"type": "integer", "readOnly": true}}}
              }}
            }
            """
        return try await BirdDocument.problems(
            of: .post, "a", body: .text(body, contentType: "application/json"), in: document)
    }

    private static let pattern = #"{"patternProperties": {"^x-": {}}, "additionalProperties": false}"#
    private static let tuple = #"{"prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}"#
    private static let nullable = ##"""
        {"properties": {"mate": {"nullable": true, "allOf": [{"$ref": "#/components/schemas/Bird"}]}}}
        """##
    private static let readOnly = ##"{"allOf": [{"$ref": "#/components/schemas/Base"}, {"required": ["id", "name"]}]}"##
    private static let cases: [(schema: String, body: String, problem: String?)] = [
        (pattern, #"{"x-a": 1}"#, nil),
        (readOnly, #"{"name": "Zal"}"#, nil), (readOnly, "{}", #"the body has no "name", which is required"#),
        (tuple, #"["a", 1]"#, nil), (tuple, #"["a", 1, 2]"#, "the body[2] is not allowed"),
        (nullable, #"{"mate": null}"#, nil), (nullable, #"{"mate": 1}"#, "mate is integer, not object"),
        (#"{"nullable": true, "enum": ["a"]}"#, "null", nil),
        (#"{"nullable": false, "enum": ["a"]}"#, "null", #"the body is null, not one of "a""#),
        (
            #"{"properties": {"password": {"enum": ["demo"]}}}"#, #"{"password": "sesame"}"#,
            #"password is [hidden], not one of "demo""#
        ),
        (
            #"{"properties": {"pin": {"maximum": 9}}}"#, #"{"pin": 1234}"#, "pin is [hidden], more than 9"
        ),
        (
            #"{"properties": {"owner": {"enum": [{"password": "a"}, "none"]}}}"#,
            #"{"owner": {"password": "sesame"}}"#,
            #"owner is an object, not one of the document's object, "none""#
        ),
        (
            #"{"const": {"password": "a"}}"#, #"{"password": "sesame"}"#,
            "the body is an object, not the document's object"
        ),
        (#"{"enum": ["a", ["b"]]}"#, #"["sesame"]"#, #"the body is an array, not one of "a", the document's array"#),
    ]

    @Test("A keyword rejects no more than it should", arguments: cases.indices)
    func keywords(index: Int) async throws {
        let (schema, body, problem) = Self.cases[index]
        let problems = try await Self.problems(of: body, schema: schema)
        #expect(problems == (problem.map { [$0] } ?? []))
    }

    @Test("A large body may need more steps than a small one")
    func large() async throws {
        let choices = (0..<100).map { "\"v\($0)\"" }.joined(separator: ", ")
        let body = "[" + Array(repeating: "\"v99\"", count: 1100).joined(separator: ",") + "]"
        let problems = try await Self.problems(of: body, schema: "{\"items\": {\"enum\": [\(choices)]}}")
        #expect(problems == [])
    }
}

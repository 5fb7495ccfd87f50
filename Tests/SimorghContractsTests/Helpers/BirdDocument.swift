// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghContracts
import SimorghCore
import SimorghSupport
import Testing

/// A document with the parts that the tests need.
enum BirdDocument {
    static let json = """
        {
          "openapi": "3.1.0",
          "info": {"title": "Birds", "version": "1"},
          "servers": [{"url": "https://birds.example/{version}/", "variables": {"version": {"default": "v1"}}}],
          "paths": {
            "/birds": {
              "get": {
                "parameters": [
                  {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 100}},
                  {"name": "tag", "in": "query", "schema": {"type": "array", "items": {"enum": ["red", "blue"]}}},
                  {"name": "ids", "in": "query", "explode": false,
                   "schema": {"type": "array", "items": {"type": "integer"}}},
                  {"$ref": "#/components/parameters/Tenant"}
                ],
                "responses": {"200": {
                  "description": "", "headers": {"X-Total": {"required": true, "schema": {"type": "integer"}}},
                  "content": {"application/json": {"schema": {
                    "type": "array", "items": {"$ref": "#/components/schemas/Bird"}}}}
                }}
              },
              "post": {
                "requestBody": {"required": true, "content": {
                  "application/json": {"schema": {"$ref": "#/components/schemas/Bird"}},
                  "application/x-www-form-urlencoded": {"schema": {
                    "type": "object", "required": ["name"],
                    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}}
                }},
                "responses": {"201": {"description": "", "content": {"application/json": {
                  "example": {"id": 8, "name": "Zal"}}}}}
              }
            },
            "/birds/{id}": {
              "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
              "get": {"responses": {
                "200": {"description": "", "content": {
                  "application/json": {"examples": {
                    "another": {"value": {"id": 9, "name": "Rostam"}}, "zal": {"$ref": "#/components/examples/Zal"}}},
                  "text/plain": {"example": "a bird"}
                }},
                "404": {"description": "", "content": {"application/problem+json": {"example": {"status": 404}}}},
                "5XX": {"description": ""}
              }},
              "delete": {"responses": {"204": {"description": ""}}}
            },
            "/birds/mine": {"get": {"responses": {"200": {"description": "", "content": {
              "text/plain": {"example": "mine"}}}}}},
            "/files/{name}.{kind}": {"get": {"responses": {"200": {"description": ""}}}},
            "/loop": {"get": {"responses": {"200": {"$ref": "#/components/responses/A"}}}},
            "/tree": {"post": {
              "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Tree"}}}},
              "responses": {"200": {"description": "", "content": {"application/json": {
                "schema": {"$ref": "#/components/schemas/Tree"}}}}}
            }},
            "/endless": {"post": {
              "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Endless"}}}},
              "responses": {"200": {"description": ""}}
            }}
          },
          "components": {
            "parameters": {"Tenant": {"name": "X-Tenant", "in": "header", "required": true,
              "schema": {"type": "string", "minLength": 2}}},
            "examples": {"Zal": {"value": {"id": 7, "name": "Zal"}}},
            "responses": {"A": {"$ref": "#/components/responses/B"}, "B": {"$ref": "#/components/responses/A"}},
            "schemas": {
              "Bird": {
                "type": "object", "required": ["id", "name", "created"], "additionalProperties": false,
                "properties": {
                  "id": {"type": "integer"}, "name": {"type": "string", "minLength": 1, "maxLength": 5},
                  "created": {"type": "string", "format": "date-time", "readOnly": true},
                  "color": {"enum": ["red", "blue"]}, "mate": {"type": ["string", "null"]},
                  "tags": {"type": "array", "maxItems": 2, "items": {"type": "string"}},
                  "home": {"anyOf": [{"type": "string"}, {"type": "object", "required": ["city"]}]},
                  "kind": {"const": "bird"}
                }
              },
              "Tree": {"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}},
              "Endless": {"allOf": [{"$ref": "#/components/schemas/Endless"}]}
            }
          }
        }
        """

    static func contract() throws -> OpenAPIContract { try OpenAPIContract(Data(json.utf8)) }

    /// Returns the problems of a request; empty if the document allows it.
    static func problems(
        of method: RequestMethod, _ path: String, query: QueryItems = QueryItems(),
        headers: [String: String] = ["X-Tenant": "zal"], body: RequestBody = .empty, in document: String = json
    ) async throws -> [String] {
        let server = ContractServer(try OpenAPIContract(Data(document.utf8)))
        do {
            try await server.client().call(method, path, query: query, headers: headers, body: body).void()
            return []
        } catch NetworkError.urlError(let error) {
            return try #require(error.underlying as? ContractViolationError, "\(error)").problems
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghContracts
import SimorghCore
import SimorghSupport
import Testing

@Suite("RequestCheck: requests that a document does not allow", .timeLimit(.minutes(2)))
struct RequestCheckTests {
    @Test(
        "A path or method that is not in the document is named, with what there is",
        arguments: [
            (RequestMethod.get, "bird", "the nearest is /birds"),
            (.put, "birds", "/birds has no PUT, only GET, POST"),
            (.get, "birds/7/8", "the document has no path /v1/birds/7/8"),
            (.get, "files/report", "the document has no path"),
        ])
    func operation(method: RequestMethod, path: String, problem: String) async throws {
        let problems = try await BirdDocument.problems(of: method, path)
        #expect(problems.count == 1)
        #expect(problems.first?.contains(problem) == true, "\(problems)")
    }

    @Test("A path outside the servers of the document is named, with the servers")
    func outside() async throws {
        let server = ContractServer(try BirdDocument.contract(), baseURL: "https://birds.example/v2")
        let error = await #expect(throws: NetworkError.self) { try await server.client().call(.get, "birds").void() }
        #expect("\(try #require(error))".contains("the servers are https://birds.example/v1"))
    }

    private static let queries: [(QueryItems, String?)] = [
        (["limit": "5"], nil),
        (["limit": "many"], "the query item \"limit\" is string, not integer"),
        (["limit": "0"], "the query item \"limit\" is 0, less than 1"),
        (["limit": "101"], "the query item \"limit\" is 101, more than 100"),
        (["tag": "red"], nil),
        (["tag": "green"], "the query item \"tag\"[0] is \"green\", not one of \"red\", \"blue\""),
        (["ids": "1,2,3"], nil),
        (["ids": "1,b"], "[1] is string, not integer"),
        (["page": "2"], "the query item \"page\" is not in the document"),
    ]

    @Test("Query items are compared with their schema", arguments: queries.indices)
    func query(index: Int) async throws {
        let (query, problem) = Self.queries[index]
        let problems = try await BirdDocument.problems(of: .get, "birds", query: query)
        guard let problem else { return #expect(problems == []) }
        #expect(problems.first?.contains(problem) == true, "\(problems)")
    }

    @Test("A missing or short header field is named")
    func header() async throws {
        let missing = try await BirdDocument.problems(of: .get, "birds", headers: [:])
        #expect(missing == ["the header field \"X-Tenant\" is missing"])
        let short = try await BirdDocument.problems(of: .get, "birds", headers: ["x-tenant": "a"])
        #expect(short == ["the header field \"X-Tenant\" has 1 characters, less than 2"])
    }

    @Test("The text in a path is compared with its schema")
    func path() async throws {
        let problems = try await BirdDocument.problems(of: .get, "birds/seven")
        #expect(problems == ["the path parameter \"id\" is string, not integer"])
    }

    private static let bodies: [(String, String?)] = [
        (#"{"id": 7, "name": "Zal"}"#, nil),
        (#"{"id": 7.0, "name": "Zal", "color": "red", "mate": null, "tags": ["a"], "kind": "bird"}"#, nil),
        (#"{"id": 7, "name": "Zal", "home": {"city": "Zabol"}}"#, nil),
        (#"{"id": 7}"#, "the body has no \"name\", which is required"),
        (#"{"id": "7", "name": "Zal"}"#, "id is string, not integer"),
        (#"{"id": 7.5, "name": "Zal"}"#, "id is number, not integer"),
        (#"{"id": 7, "name": "Zal", "color": "green"}"#, "color is \"green\", not one of \"red\", \"blue\""),
        (#"{"id": 7, "name": "Zal", "mate": 1}"#, "mate is integer, not string or null"),
        (#"{"id": 7, "name": "Zal", "tags": [1]}"#, "tags[0] is integer, not string"),
        (#"{"id": 7, "name": "Zal", "tags": ["a", "b", "c"]}"#, "tags has 3 elements, more than 2"),
        (#"{"id": 7, "name": "Simurgh"}"#, "name has 7 characters, more than 5"),
        (#"{"id": 7, "name": "Zal", "home": {}}"#, "home has no \"city\", which is required"),
        (#"{"id": 7, "name": "Zal", "kind": "fish"}"#, "kind is \"fish\", not \"bird\""),
        (#"{"id": 7, "name": "Zal", "age": 1}"#, "the body has \"age\", which is not allowed"),
        (#"[1]"#, "the body is array, not object"),
        (#"{"id": "#, "the body is not valid JSON"),
    ]

    @Test("A JSON body is compared with its schema", arguments: bodies.indices)
    func json(index: Int) async throws {
        let (text, problem) = Self.bodies[index]
        let body = RequestBody.text(text, contentType: "application/json; charset=utf-8")
        let problems = try await BirdDocument.problems(of: .post, "birds", body: body)
        guard let problem else { return #expect(problems == []) }
        #expect(problems.first?.contains(problem) == true, "\(problems)")
    }

    @Test("A form is compared with its schema")
    func form() async throws {
        func body(_ text: String) -> RequestBody {
            .text(text, contentType: "application/x-www-form-urlencoded")
        }
        #expect(try await BirdDocument.problems(of: .post, "birds", body: body("name=Zal&age=7")) == [])
        let problems = try await BirdDocument.problems(of: .post, "birds", body: body("age=old"))
        #expect(problems == ["the body has no \"name\", which is required", "age is string, not integer"])
    }

    @Test("A missing body, another media type and a body that is too much are named")
    func media() async throws {
        let types = "application/json or application/x-www-form-urlencoded"
        #expect(try await BirdDocument.problems(of: .post, "birds") == ["the body is missing; it should be \(types)"])
        #expect(
            try await BirdDocument.problems(of: .post, "birds", body: .text("a"))
                == ["the body is text/plain; it should be \(types)"])
        let problems = try await BirdDocument.problems(of: .delete, "birds/7", body: .json(["a": 1]))
        #expect(problems == ["the request has a body (application/json); the operation has none"])
    }

    @Test("Of several keys of one media type, the first one in alphabetical order has the schema")
    func sameType() async throws {
        let others = (10..<40).map { #""application/json; version=\#($0)": {"schema": {"type": "array"}}"# }
        let contents = others + [#""application/json": {"schema": {"type": "object"}}"#]
        let document = """
            {
              "openapi": "3.1.0",
              "paths": {"/a": {"post": {
                "requestBody": {"content": {\(contents.joined(separator: ", "))}},
                "responses": {"200": {"description": ""}}
              }}}
            }
            """
        let body = RequestBody.text("{}", contentType: "application/json")
        let problems = try await BirdDocument.problems(of: .post, "a", body: body, in: document)
        #expect(problems == [])
    }

    @Test("A schema that refers to itself is followed as deep as the value")
    func tree() async throws {
        func nested(_ depth: Int, last: String) -> String {
            depth == 0 ? last : #"{"name": "a", "children": [\#(nested(depth - 1, last: last))]}"#
        }
        let good = RequestBody.text(nested(20, last: #"{"name": "b"}"#), contentType: "application/json")
        #expect(try await BirdDocument.problems(of: .post, "tree", body: good) == [])
        let bad = RequestBody.text(nested(20, last: "{}"), contentType: "application/json")
        let problems = try await BirdDocument.problems(of: .post, "tree", body: bad)
        #expect(problems.count == 1)
        #expect(problems.first?.hasSuffix("children[0] has no \"name\", which is required") == true)
    }

    @Test("A schema that refers to itself without the value is an error of the document, not an endless loop")
    func endless() async throws {
        let server = ContractServer(try BirdDocument.contract())
        let error = await #expect(throws: NetworkError.self) {
            try await server.client().call(.post, "endless", body: .json(1)).void()
        }
        #expect("\(try #require(error))".contains("may form a cycle"))
    }
}

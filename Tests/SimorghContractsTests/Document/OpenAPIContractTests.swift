// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghContracts
import SimorghCore
import SimorghSupport
import Testing

@Suite("OpenAPIContract: documents", .timeLimit(.minutes(2)))
struct OpenAPIContractTests {
    private static func failure(_ text: String, limits: OpenAPIContract.Limits = .init()) throws -> String {
        let error = #expect(throws: ContractDocumentError.self) {
            try OpenAPIContract(Data(text.utf8), limits: limits)
        }
        return try #require(error).description
    }

    @Test(
        "A document that is not OpenAPI 3 is an error that says why",
        arguments: [
            ("{}", "does not begin with openapi"), (#"{"openapi": "4.0.0"}"#, "does not begin with openapi"),
            (#"{"swagger": "2.0"}"#, "convert it to OpenAPI 3.1"), (#"{"openapi": "#, "is not valid JSON"),
            (##"{"openapi": "3.1.0", "paths": {"/a": {"$ref": "#/none"}}}"##, "points to nothing"),
            (#"{"openapi": "3.1.0", "paths": {"/a": {"$ref": "b.json#/a"}}}"#, "points out of the document"),
            (
                ##"{"openapi": "3.1.0", "paths": {"/a": {"$ref": "#/\##(String(repeating: "a", count: 5000))"}}}"##,
                "is longer than 4096 bytes"
            ),
        ])
    func invalid(text: String, reason: String) throws {
        #expect(try Self.failure(text).contains(reason))
    }

    @Test("The last number of the version may be missing", arguments: ["3.0", "3.1"])
    func version(text: String) throws {
        _ = try OpenAPIContract(Data(#"{"openapi": "\#(text)", "paths": {}}"#.utf8))
    }

    @Test(
        "Of several matching paths, the one with the most literal characters counts",
        arguments: ["users/7:activate", "files/a.json", "birds/new7"])
    func literals(path: String) async throws {
        let (get, post) = (#"{"get": {"responses": {}}}"#, #"{"post": {"responses": {"200": {"description": ""}}}}"#)
        let document = """
            {"openapi": "3.1.0", "paths": {
              "/users/{id}": \(get), "/users/{id}:activate": \(post), "/files/{name}": \(get),
              "/files/{name}.json": \(post), "/birds/{id}": \(get), "/birds/new{id}": \(post)
            }}
            """
        #expect(try await BirdDocument.problems(of: .post, path, in: document) == [])
        let problems = try await BirdDocument.problems(of: .post, "users/7", in: document)
        #expect(problems == ["/users/{id} has no POST, only GET"])
    }

    @Test(
        "A server with a URL that is relative to the document counts as the root", arguments: [".", "./", "v1", "./v1"])
    func relativeServer(url: String) async throws {
        let document = """
            {
              "openapi": "3.1.0", "servers": [{"url": "\(url)"}],
              "paths": {"/birds": {"get": {"responses": {"200": {"description": ""}}}}}
            }
            """
        let problems = try await BirdDocument.problems(of: .get, "birds", in: document)
        #expect(problems == [])
    }

    @Test("Escapes before and behind a placeholder are decoded")
    func escapes() async throws {
        let document = """
            {
              "openapi": "3.1.0",
              "paths": {"/a%20b{id}c%20d": {"get": {"responses": {"200": {"description": ""}}}}}
            }
            """
        // The client escapes the spaces.
        let problems = try await BirdDocument.problems(of: .get, "a b7c d", in: document)
        #expect(problems == [])
    }

    @Test("A document beyond a limit is an error")
    func limits() throws {
        var limits = OpenAPIContract.Limits()
        limits.bytes = 10
        #expect(try Self.failure(BirdDocument.json, limits: limits).contains("more than the limit of 10"))
        limits = OpenAPIContract.Limits()
        limits.paths = 2
        #expect(try Self.failure(BirdDocument.json, limits: limits).contains("paths, more than the limit of 2"))
    }

    @Test("JSON that is nested too deep is an error")
    func deep() throws {
        let text = #"{"openapi": "3.1.0", "x": "# + String(repeating: "[", count: 100_000)
        #expect(try Self.failure(text).contains("is not valid JSON"))
    }

    @Test("A file that does not exist is an error that names it")
    func missing() {
        let error = #expect(throws: ContractDocumentError.self) { try OpenAPIContract(contentsOf: "/none/a.json") }
        #expect(error?.description.contains("/none/a.json") == true)
    }

    @Test(
        "The base URL is that of the first server",
        arguments: [
            ("[]", "https://api.test"), (#"[{"url": "./v1"}]"#, "https://api.test"),
            (#"[{"url": "/v1"}]"#, "https://api.test/v1"),
            (#"[{"url": "http://a.example/"}]"#, "http://a.example"),
            (#"[{"url": "http://{a}/{b}/{c}", "variables": {"b": {"default": "v1"}}}]"#, "http://{a}/v1/{c}"),
            (
                #"[{"url": "/{a}{b}", "variables": {"a": {"default": "{b}"}, "b": {"default": "{a}"}}}]"#,
                "https://api.test/{b}{a}"
            ),
        ])
    func baseURL(servers: String, url: String) throws {
        let contract = try OpenAPIContract(Data(#"{"openapi": "3.0.3", "servers": \#(servers), "paths": {}}"#.utf8))
        #expect(contract.baseURL == url)
    }

    @Test("Variables of a server whose defaults name variables are expanded once, and a long URL is an error")
    func variables() throws {
        func document(_ count: Int) -> String {
            let names = (0..<count).map { "{v\($0)}" }.joined()
            let variables = (0..<count).map { #""v\#($0)": {"default": "\#(names)"}"# }.joined(separator: ", ")
            let servers = #"[{"url": "/\#(names)", "variables": {\#(variables)}}]"#
            return #"{"openapi": "3.1.0", "servers": \#(servers), "paths": {}}"#
        }
        let names = (0..<25).map { "{v\($0)}" }.joined()
        let url = try OpenAPIContract(Data(document(25).utf8)).baseURL
        #expect(url == "https://api.test/" + String(repeating: names, count: 25))
        #expect(try Self.failure(document(64)).contains("is longer than 4096 bytes"))
    }
}

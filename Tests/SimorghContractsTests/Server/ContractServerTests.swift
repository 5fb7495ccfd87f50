// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghContracts
import SimorghCore
import SimorghSupport
import SimorghTesting
import Testing

@Suite("ContractServer", .timeLimit(.minutes(2)))
struct ContractServerTests {
    private static let tenant = ["X-Tenant": "zal"]

    @Test("The response is the example of the document")
    func example() async throws {
        let server = ContractServer(try BirdDocument.contract())
        #expect(server.baseURL == "https://birds.example/v1")
        let response = await server.client().call(.post, "birds", body: .json(["id": 1] as JSON)).result()
        // The body has no name.
        #expect(throws: NetworkError.self) { try response.get() }
        let bird: JSON = ["id": 8, "name": "Zal"]
        let created = try await server.client().call(.post, "birds", body: .json(bird)).response()
        #expect(created.statusCode == 201)
        #expect(created.value == (try bird.data()))
        #expect(server.requestCount == 2)
        #expect(server.leftovers.isEmpty)
    }

    @Test("Without an example the response is made from the schema, with its required header fields")
    func schema() async throws {
        let server = ContractServer(try BirdDocument.contract())
        let response = try await server.client().call(.get, "birds", headers: Self.tenant).response()
        let birds = try JSON(parsing: response.value)
        #expect(birds[0].id == 0 && birds[0].name == "strin" && birds[0].color == "red")
        #expect(birds[0].created == "2026-01-02T03:04:05Z")
        #expect(response.headers[try #require(HTTPField.Name("X-Total"))] == "0")
    }

    @Test("A schema that refers to itself makes a bounded response")
    func tree() async throws {
        let server = ContractServer(try BirdDocument.contract())
        let tree = try await server.client().call(.post, "tree", body: .json(["name": "a"])).json()
        #expect(tree.name == "string" && tree.children[0].name == "string")
    }

    @Test("A literal path counts before one with a placeholder, and Accept chooses the media type")
    func choice() async throws {
        let client = ContractServer(try BirdDocument.contract()).client()
        #expect(try await client.call(.get, "birds/mine").data() == Data("mine".utf8))
        #expect(try await client.call(.get, "birds/7").json().id == 9)
        let text = try await client.call(.get, "birds/7", headers: ["Accept": "text/plain"]).data()
        #expect(text == Data("a bird".utf8))
        try await client.call(.get, "files/a.b.txt").void()
    }

    @Test("A test chooses a documented status and example")
    func respond() async throws {
        let server = ContractServer(try BirdDocument.contract())
        try server.respond(.get, path: "/birds/{id}", status: 200, example: "zal")
        #expect(try await server.client().call(.get, "birds/7").json().name == "Zal")
        try server.respond(.get, path: "/birds/{id}", status: 404)
        let error = await #expect(throws: NetworkError.self) { try await server.client().call(.get, "birds/7").void() }
        #expect(error?.statusCode == 404)
        try server.respond(.get, path: "/birds/{id}", status: 503)
    }

    @Test(
        "A status, example or operation that is not in the document cannot be chosen",
        arguments: [("/birds/{id}", 418, nil), ("/birds/{id}", 200, "none"), ("/fish", 200, nil)]
            as [(String, Int, String?)])
    func unknown(path: String, status: Int, example: String?) throws {
        let server = ContractServer(try BirdDocument.contract())
        #expect(throws: ContractDocumentError.self) {
            try server.respond(.get, path: path, status: status, example: example)
        }
    }

    @Test("A stub replaces a response, and the request is still compared with the document")
    func stub() async throws {
        let server = ContractServer(try BirdDocument.contract())
        server.stubs.fakeGET("birds/{id}", response: #"{"id": {id}}"#)
        let client = server.client()
        #expect(try await client.call(.get, "birds/7").json().id == 7)
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "birds/x").void() }
        #expect("\(try #require(error))".contains("the path parameter \"id\" is string, not integer"))
    }

    @Test("Of concurrent requests for one queued stub, the others get the response of the document")
    func queue() async throws {
        let server = ContractServer(try BirdDocument.contract())
        server.stubs.on(.get, path: "/v1/birds/7", inOrder: [.json(#"{"id": 1}"#)])
        let client = server.client()
        let ids = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 { group.addTask { try await client.call(.get, "birds/7").json().id.int } }
            var ids: [Int?] = []
            for try await id in group { ids.append(id) }
            return ids
        }
        #expect(ids.count { $0 == 1 } == 1)
        #expect(ids.count { $0 == 9 } == 19)
    }

    @Test("The error names the request without the values of its query, and the operation")
    func description() async throws {
        let server = ContractServer(try BirdDocument.contract())
        let error = await #expect(throws: NetworkError.self) {
            try await server.client().call(.get, "birds", query: ["secret": "sesame"], headers: Self.tenant).void()
        }
        let text = "\(try #require(error))"
        #expect(text.contains("GET https://birds.example/v1/birds?secret=… breaks the contract of GET /birds: "))
        #expect(!text.contains("sesame"))
    }

    @Test("References in a cycle are an error of the document")
    func cycle() async throws {
        let server = ContractServer(try BirdDocument.contract())
        let error = await #expect(throws: NetworkError.self) { try await server.client().call(.get, "loop").void() }
        #expect("\(try #require(error))".contains("form a cycle"))
    }
}

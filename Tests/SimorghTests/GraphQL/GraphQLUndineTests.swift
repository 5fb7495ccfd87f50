// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Simorgh
import SimorghGraphQL
import TestSupport
import Testing

/// undine, which responds with GraphQL's own media type and has automatic persisted queries by itself.
@Suite(.timeLimit(.minutes(10)))
struct GraphQLUndineTests {
    private typealias Hello = GraphQLWitness.Hello
    private typealias Count = GraphQLWitness.Count
    private typealias Log = GraphQLWitness.Log

    private static func client(
        log: Log? = nil, _ change: (inout GraphQLOptions) -> Void = { _ in }
    ) throws -> GraphQLClient {
        try GraphQLWitness.client("http/undine", log: log, change)
    }

    @Test("GraphQL's own media type: data, data with errors, and errors", arguments: [false, true])
    func mediaType(usesGET: Bool) async throws {
        let client = try Self.client { $0.usesGETForQueries = usesGET }
        let response = try await client.call("{ hello }", as: Hello.self).response()
        #expect(response.headers[.contentType] == "application/graphql-response+json")
        #expect(try response.value.value() == Hello(hello: "hello world"))
        let partial = try await client.query("{ hello broken }", as: Hello.self)
        #expect(partial.data == Hello(hello: "hello world") && partial.errors.map(\.path) == [["broken"]])
        for document in ["{ nope }", "{", "quer { a }", ""] {
            let invalid = try await client.query(GraphQLOperation(document), as: Hello.self)
            #expect(invalid.data == nil && invalid.errors.count == 1)
        }
        let refused = try await client.mutate("mutation { refuse }", as: JSON.self)
        #expect(refused.data == nil && refused.errors.map(\.path) == [["refuse"]])
    }

    @Test("Persisted queries: the document is sent once", arguments: [false, true])
    func persisted(usesGET: Bool) async throws {
        let log = Log([])
        let client = try Self.client(log: log) {
            $0.usesGETForQueries = usesGET
            $0.usesPersistedQueries = true
        }
        // Unique, because the server keeps documents for all tests.
        let name = "q\(UUID().uuidString.filter { $0 != "-" })"
        let operation = GraphQLOperation("query \(name)($name: String!) { hello(name: $name) }")
        for _ in 0..<2 {
            let response = try await client.query(operation, variables: ["name": "Zal"], as: Hello.self)
            #expect(try response.value() == Hello(hello: "hello Zal"))
        }
        #expect(log.value.map { $0.contains(name) } == [false, true, false])
        #expect(log.value.map { $0.hasPrefix("GET") } == [usesGET, false, usesGET])
        let sum = try await client.mutate("mutation { add(a: 1, b: 2) }", as: JSON.self)
        #expect(sum.data == ["add": 3] && log.value.count == 4)
    }

    @Test("Subscriptions", arguments: [false, true])
    func subscriptions(isMultipart: Bool) async throws {
        let client = try Self.client { $0.subscriptions = isMultipart ? .multipart : .serverSentEvents }
        var counts: [Int] = []
        for try await event in client.subscribe("subscription { count(target: 3) }", as: Count.self) {
            counts.append(event.count)
        }
        #expect(counts == [0, 1, 2])
    }
}

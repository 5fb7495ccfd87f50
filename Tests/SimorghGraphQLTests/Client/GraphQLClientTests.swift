// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghGraphQL
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("GraphQL client", .timeLimit(.minutes(5)))
struct GraphQLClientTests {
    private struct Variables: Encodable, Sendable {
        let id: Int
        let tags: [String]
    }

    private struct Answer: Decodable, Sendable, Equatable { let name: String? }

    private static let ok = StubResponse.graphQL(#"{"data":{"name":"Zal"}}"#)

    @Test("A query is a POST with the document, the name and typed variables")
    func post() async throws {
        let fixture = GraphQLFixture { _ in Self.ok }
        let operation = GraphQLOperation("query Q($id: Int, $tags: [String]) { name }", operationName: "Q")
        let response = try await fixture.client.query(
            operation, variables: Variables(id: 7, tags: ["a"]), as: Answer.self)
        #expect(try response.value() == Answer(name: "Zal"))
        let request = try #require(fixture.server.requests.first)
        #expect(request.method == .post)
        #expect(request.url == "https://api.test/graphql")
        #expect(request.header(.contentType) == "application/json")
        #expect(request.header(.accept) == "application/graphql-response+json, application/json;q=0.9")
        #expect(
            fixture.bodies == [
                ["query": .string(operation.query), "operationName": "Q", "variables": ["id": 7, "tags": ["a"]]]
            ])
    }

    @Test("The variables and extensions of an operation are sent")
    func operationParts() async throws {
        let fixture = GraphQLFixture { _ in Self.ok }
        var operation = GraphQLOperation("{ name }", variables: ["a": [1, nil]])
        operation.extensions = ["trace": true]
        _ = try await fixture.client.query(operation, as: Answer.self)
        #expect(
            fixture.bodies == [["query": "{ name }", "variables": ["a": [1, nil]], "extensions": ["trace": true]]])
    }

    @Test("The key strategy of the encoder applies to variables alone", arguments: [false, true])
    func keyStrategy(usesGET: Bool) async throws {
        struct Named: Encodable, Sendable { let birdName = "owl" }
        let fixture = GraphQLFixture(
            options: { $0.usesGETForQueries = usesGET },
            configure: {
                let encoder = JSONEncoder()
                encoder.keyEncodingStrategy = .convertToSnakeCase
                $0.coding.encoder = encoder
            }
        ) { _ in Self.ok }
        _ = try await fixture.client.query(
            GraphQLOperation("query Q { name }", operationName: "Q"), variables: Named(), as: Answer.self)
        let request = try #require(fixture.server.requests.first)
        if usesGET {
            #expect(request.query.map(\.name) == ["query", "operationName", "variables"])
            #expect(request.query.last?.value == #"{"bird_name":"owl"}"#)
        } else {
            #expect(
                fixture.bodies == [
                    ["query": "query Q { name }", "operationName": "Q", "variables": ["bird_name": "owl"]]
                ])
        }
    }

    @Test("Data with errors is a result, and value() throws the errors")
    func partial() async throws {
        let fixture = GraphQLFixture { _ in
            .graphQL(#"{"data":{"name":null},"errors":[{"message":"hidden","path":["name"]}],"extensions":{"cost":3}}"#)
        }
        let response = try await fixture.client.query("{ name }", as: Answer.self)
        #expect(response.data == Answer(name: nil))
        #expect(response.errors.map(\.message) == ["hidden"])
        #expect(response.extensions.cost == 3)
        #expect(throws: GraphQLErrors.self) { try response.value() }
    }

    @Test(
        "An operation of another kind is not sent",
        arguments: [
            ("mutation { a }", "query"), ("subscription { a }", "query"), ("{ a }", "mutation"),
            ("\"Pays.\" mutation M { a }", "query"), ("\"Reads.\" query Q { a }", "mutation"),
        ])
    func kinds(document: String, method: String) async {
        let fixture = GraphQLFixture { _ in Self.ok }
        let error = await caught {
            if method == "query" {
                _ = try await fixture.client.query(GraphQLOperation(document), as: Answer.self)
            } else {
                _ = try await fixture.client.mutate(GraphQLOperation(document), as: Answer.self)
            }
        }
        guard case .invalidRequest(let refusal, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.reason == .invalidOperation)
        #expect(fixture.server.requests.isEmpty)
    }

    @Test(
        "A subscription over the WebSocket refuses a mutation and an unknown document, which a reconnect would repeat",
        arguments: ["mutation { a }", "\"Pays.\" mutation M { a }", "{ a }", "mutat { a }", ""])
    func socketKind(document: String) async {
        let fixture = GraphQLFixture { _ in Self.ok }
        var events = fixture.client.subscribe(GraphQLOperation(document), as: Answer.self).makeAsyncIterator()
        await #expect(throws: SubscriptionError.self) { try await events.next() }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test("A document that is not understood is sent, by POST")
    func unknownDocument() async throws {
        let fixture = GraphQLFixture(options: { $0.usesGETForQueries = true }) { _ in
            .graphQL(#"{"errors":[{"message":"Syntax Error"}]}"#, status: 400)
        }
        let response = try await fixture.client.query("quer { a }", as: Answer.self)
        #expect(response.errors.map(\.message) == ["Syntax Error"])
        #expect(fixture.server.requests.map(\.method) == [.post])
    }

    @Test("GET: a query is in the URL, with fields that no web form can send")
    func get() async throws {
        let fixture = GraphQLFixture(options: { $0.usesGETForQueries = true }, configure: { $0.query = ["v": "1"] }) {
            _ in
            Self.ok
        }
        let operation = GraphQLOperation("query Q { name }", operationName: "Q")
        _ = try await fixture.client.query(operation, variables: ["b": 2, "a": 1] as JSON, as: Answer.self)
        let request = try #require(fixture.server.requests.first)
        #expect(request.method == .get)
        #expect(request.body.isEmpty)
        #expect(request.query.map(\.name) == ["v", "query", "operationName", "variables"])
        #expect(request.query.map(\.value) == ["1", "query Q { name }", "Q", #"{"a":1,"b":2}"#])
        #expect(request.header(.known("Apollo-Require-Preflight")) == "true")
        #expect(request.header(.known("GraphQL-Preflight")) == "1")
        #expect(request.header(.contentType) == nil)
    }

    @Test("GET is never used for a mutation, and not for a URL beyond the limit", arguments: [60, 69, 70])
    func getLimits(limit: Int) async throws {
        let fixture = GraphQLFixture(
            options: {
                $0.usesGETForQueries = true
                $0.maximumURLBytes = limit
            }, answer: { _ in Self.ok })
        _ = try await fixture.client.mutate("mutation { name }", as: Answer.self)
        // https://api.test/graphql?query=%7B%20name%20%7D%20%23%20aaaaaaaaaaaaaa has 70 bytes.
        _ = try await fixture.client.query("{ name } # aaaaaaaaaaaaaa", as: Answer.self)
        #expect(fixture.server.requests.map(\.method) == [.post, limit < 70 ? .post : .get])
        if limit == 70 { #expect(fixture.server.requests.last?.url.utf8.count == 70) }
    }

    @Test("Retries repeat a query, and a mutation only with an idempotency key", arguments: [false, true])
    func retries(hasKey: Bool) async throws {
        let failures = Counter()
        let fixture = GraphQLFixture(configure: {
            $0.retry = RetryPolicy(maximumRetries: 2)
            $0.retry?.baseDelay = .zero
            if hasKey { $0.retry?.idempotencyKey = .automatic() }
        }) { _ in failures.next() % 2 == 1 ? .status(.serviceUnavailable) : Self.ok }
        #expect(try await fixture.client.query("{ name }", as: Answer.self).value() == Answer(name: "Zal"))
        #expect(fixture.server.requests.count == 2)
        let error = await caught { _ = try await fixture.client.mutate("mutation { name }", as: Answer.self) }
        #expect(error?.statusCode == (hasKey ? nil : 503))
        #expect(fixture.server.requests.count == (hasKey ? 4 : 3))
    }

    @Test("A document that is not understood is not repeated")
    func unknownRetries() async {
        let fixture = GraphQLFixture(configure: {
            $0.retry = RetryPolicy(maximumRetries: 2)
            $0.retry?.baseDelay = .zero
        }) { _ in .status(.serviceUnavailable) }
        _ = await caught { _ = try await fixture.client.call("quer { a }", as: Answer.self).value() }
        #expect(fixture.server.requests.count == 1)
    }

    @Test("A redirect to another origin carries no credentials", arguments: [307, 308])
    func redirects(status: Int) async throws {
        let fixture = GraphQLFixture(configure: {
            $0.authentication = .bearer("secret")
            $0.headers = ["X-API-Key": "secret"]
            $0.cookies = MemoryCookieStore([StoredCookie(name: "a", value: "secret", domain: "api.test")])
        }) { request in
            request.head.authority == "api.test"
                ? .status(.init(code: status)).header(.location, value: "https://evil.test/graphql") : Self.ok
        }
        _ = try await fixture.client.query("{ name }", as: Answer.self)
        #expect(fixture.server.requests.map(\.head.authority) == ["api.test", "evil.test"])
        let last = try #require(fixture.server.requests.last)
        #expect(!last.head.headerFields.contains { $0.value.contains("secret") })
    }

    @Test("A redirect to another origin carries no header fields of the client", arguments: [false, true])
    func redirectedHeaders(isStreamed: Bool) async throws {
        let server = StubServer { request in
            request.head.authority == "api.test"
                ? .status(.init(code: 307)).header(.location, value: "https://evil.test/graphql") : Self.ok
        }
        let secrets = [
            "X-Hasura-Admin-Secret": "secret", "X-Shopify-Storefront-Access-Token": "secret", "X-Own": "secret",
        ]
        let client = APIClient.scripted(server).graphQL(
            "graphql", headers: secrets.merging(["Accept-Language": "fa"]) { own, _ in own })
        if isStreamed {
            for try await _ in client.incremental("{ name }", as: Answer.self) {}
        } else {
            _ = try await client.query("{ name }", as: Answer.self)
        }
        #expect(server.requests.map(\.head.authority) == ["api.test", "evil.test"])
        #expect(secrets.keys.allSatisfy { server.requests.first?.header(.known($0)) == "secret" })
        let last = try #require(server.requests.last)
        #expect(!last.head.headerFields.contains { $0.value.contains("secret") })
        #expect(last.header(.known("Accept-Language")) == "fa" && last.header(.contentType) == "application/json")
    }

    @Test("A redirect to the same origin carries the header fields of the client")
    func redirectedHere() async throws {
        let server = StubServer { request in
            request.url.hasSuffix("/graphql") ? .status(.init(code: 307)).header(.location, value: "/other") : Self.ok
        }
        _ = try await APIClient.scripted(server).graphQL("graphql", headers: ["X-Own": "secret"])
            .query("{ name }", as: Answer.self)
        #expect(server.requests.map { $0.header(.known("X-Own")) } == ["secret", "secret"])
    }

    @Test("A redirect that drops the operation is an error", arguments: [301, 302, 303])
    func redirectedToGET(status: Int) async {
        let fixture = GraphQLFixture { request in
            request.method == .post
                ? .status(.init(code: status)).header(.location, value: "/other") : Self.ok
        }
        let error = await caught { _ = try await fixture.client.query("{ name }", as: Answer.self) }
        #expect(GraphQLProtocolError.Reason(error) == .redirected)
    }

    @Test("The header fields of the client are sent, and override those of the API client")
    func headers() async throws {
        let server = StubServer { _ in Self.ok }
        let client = APIClient.scripted(server) { $0.headers = ["X-Team": "a", "X-Other": "b"] }
            .graphQL("graphql", headers: ["X-Team": "c"])
        _ = try await client.query("{ name }", as: Answer.self)
        #expect(server.requests.first?.header(.known("X-Team")) == "c")
        #expect(server.requests.first?.header(.known("X-Other")) == "b")
    }

    @Test("A call gives the response with its status")
    func call() async throws {
        let fixture = GraphQLFixture { _ in .graphQL(#"{"errors":[{"message":"no"}]}"#, status: 422) }
        let response = try await fixture.client.call("{ name }", as: Answer.self).response()
        #expect(response.statusCode == 422)
        #expect(response.value.errors.count == 1)
    }

    @Test("Variables that cannot be encoded are an error before anything is sent", arguments: [false, true])
    func invalidVariables(usesGET: Bool) async {
        let fixture = GraphQLFixture(options: { $0.usesGETForQueries = usesGET }, answer: { _ in Self.ok })
        let error = await caught {
            _ = try await fixture.client.query(
                "query($a: Float) { name }", variables: ["a": Double.nan], as: Answer.self)
        }
        guard case .invalidRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test("Variables that are not an object are an error before anything is sent", arguments: [false, true])
    func otherVariables(usesGET: Bool) async throws {
        let fixture = GraphQLFixture(options: { $0.usesGETForQueries = usesGET }, answer: { _ in Self.ok })
        for variables in [[1], "a", 7, true] as [JSON] {
            let error = await caught {
                _ = try await fixture.client.query("{ a }", variables: variables, as: Answer.self)
            }
            guard case .invalidRequest = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            var events = fixture.client.subscribe("subscription { a }", variables: variables, as: Answer.self)
                .makeAsyncIterator()
            await #expect(throws: SubscriptionError.self) { try await events.next() }
        }
        #expect(fixture.server.requests.isEmpty)
        _ = try await fixture.client.query("{ name }", variables: JSON.null, as: Answer.self)
    }
}

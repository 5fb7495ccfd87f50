// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghGraphQL
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("Automatic persisted queries", .timeLimit(.minutes(5)))
struct PersistedQueryTests {
    private struct Answer: Decodable, Sendable, Equatable { let name: String }

    private static let ok = StubResponse.graphQL(#"{"data":{"name":"Zal"}}"#)
    private static let notFound = StubResponse.json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
    private static let notSupported = StubResponse.json(
        #"{"errors":[{"message":"x","extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}]}"#)

    private static func fixture(
        usesGET: Bool = false, _ answer: @escaping @Sendable (RecordedRequest) throws -> StubResponse
    ) -> GraphQLFixture {
        GraphQLFixture(
            options: {
                $0.usesPersistedQueries = true
                $0.usesGETForQueries = usesGET
            }, answer: answer)
    }

    private static func response(
        _ body: String, _ status: Int = 200, _ type: String = "application/json"
    ) -> StubResponse {
        .text(body, contentType: type, status: .init(code: status))
    }

    /// A response whose body arrives after its head, so that a call that streams does not find it in memory.
    private static func streamed(
        _ body: String, contentType: String, status: HTTPResponse.Status
    ) -> StubResponse {
        .chunks([.wait(Gate(isOpen: true)), .bytes(Data(body.utf8))], contentType: contentType, status: status)
    }

    private static func hasDocument(_ request: RecordedRequest) -> Bool {
        request.method == .get
            ? request.query.contains { $0.name == "query" }
            : (try? JSON(parsing: request.body))?["query"].string != nil
    }

    @Test("The document is sent once, after the server did not know its hash", arguments: [false, true])
    func registration(usesGET: Bool) async throws {
        let known = LockedValue(false)
        let fixture = Self.fixture(usesGET: usesGET) { request in
            if Self.hasDocument(request) { known.change { $0 = true } }
            return known.value ? Self.ok : Self.notFound
        }
        for _ in 0..<2 {
            let response = try await fixture.client.query("{ name }", variables: ["a": 1] as JSON, as: Answer.self)
            #expect(try response.value().name == "Zal")
        }
        let requests = fixture.server.requests
        #expect(requests.map(Self.hasDocument) == [false, true, false])
        #expect(requests.map(\.method) == (usesGET ? [.get, .post, .get] : [.post, .post, .post]))
        #expect(requests[1].url == "https://api.test/graphql")
        let body = try JSON(parsing: requests[1].body)
        #expect(body["query"] == "{ name }" && body["variables"] == ["a": 1])
        #expect(body["extensions"]["persistedQuery"]["version"] == 1)
        let sent = body["extensions"]["persistedQuery"]["sha256Hash"].string
        #expect(sent?.count == 64)
        #expect(sent == GraphQLRequestContent("{ name }").hash)
    }

    @Test("The hash is SHA-256 in hexadecimal digits")
    func hash() {
        #expect(
            GraphQLRequestContent("").hash == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            GraphQLRequestContent("abc").hash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("A server without support gets the document from then on", arguments: [false, true])
    func unsupported(usesGET: Bool) async throws {
        let fixture = Self.fixture(usesGET: usesGET) { Self.hasDocument($0) ? Self.ok : Self.notSupported }
        for _ in 0..<3 { _ = try await fixture.client.query("{ name }", as: Answer.self).value() }
        #expect(fixture.server.requests.map(Self.hasDocument) == [false, true, true, true])
        #expect(fixture.server.requests.allSatisfy { $0.method == (usesGET ? .get : .post) })
    }

    @Test("A call that was described before keeps working after the server refused")
    func describedBefore() async throws {
        let fixture = Self.fixture { Self.hasDocument($0) ? Self.ok : Self.notSupported }
        let call = fixture.client.call("{ name }", as: Answer.self)
        _ = try await call.value()
        _ = try await call.value()
        #expect(fixture.server.requests.map(Self.hasDocument) == [false, true, true])
    }

    @Test(
        "A server that asks for the document with 400 gets it, and after two such responses from then on",
        arguments: ["text/plain", "application/json"], [false, true])
    func badRequest(type: String, isStreamed: Bool) async throws {
        let fixture = Self.fixture {
            Self.hasDocument($0)
                ? Self.ok
                : Self.streamed(
                    #"{"errors":[{"message":"Must provide query"}]}"#, contentType: type, status: .badRequest)
        }
        for _ in 0..<3 {
            if isStreamed {
                for try await result in fixture.client.incremental("{ name }", as: Answer.self) {
                    #expect(try result.value().name == "Zal")
                }
            } else {
                #expect(try await fixture.client.query("{ name }", as: Answer.self).value().name == "Zal")
            }
        }
        #expect(fixture.server.requests.map(Self.hasDocument) == [false, true, false, true, true])
    }

    @Test("One bad request, such as that of a firewall, does not end persisted queries")
    func oneBadRequest() async throws {
        let count = Counter()
        let fixture = Self.fixture { _ in
            // The first hash of each pair of calls is refused.
            count.next() % 3 == 1 ? .text("blocked", status: .badRequest) : Self.ok
        }
        for _ in 0..<6 { _ = try await fixture.client.query("{ name }", as: Answer.self).value() }
        let pair = [false, true, false]
        #expect(fixture.server.requests.map(Self.hasDocument) == pair + pair + pair)
    }

    @Test(
        "A failure that is not about the hash is not followed by the document",
        arguments: [401, 403, 404, 429, 500, 502, 503], [false, true])
    func failures(status: Int, usesGET: Bool) async {
        let fixture = Self.fixture(usesGET: usesGET) { _ in
            .text("<html>", contentType: "text/html", status: .init(code: status))
        }
        let error = await caught { _ = try await fixture.client.query("{ name }", as: Answer.self) }
        #expect(error?.statusCode == status)
        #expect(fixture.server.requests.count == 1)
    }

    static let responsesToMutations = [
        response(#"{"data":null,"errors":[{"message":"refused"}]}"#, 400),
        response("bad", 400, "text/plain"), response("", 400), notFound, notSupported,
        response(#"{"data":null,"errors":[{"message":"x","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#),
        response("<html>", 200, "text/html"),
    ]

    @Test(
        "A mutation is sent once, with its document, whatever the response is",
        arguments: responsesToMutations, ["mutation { a }", "\"Pays.\" mutation M { a }", "mutat { a }"])
    func mutations(response: StubResponse, document: String) async {
        let fixture = Self.fixture { _ in response }
        _ = await caught { _ = try await fixture.client.call(GraphQLOperation(document), as: Answer.self).value() }
        #expect(fixture.server.requests.map(Self.hasDocument) == [true])
    }

    @Test(
        "A subscription over HTTP is sent with its document",
        arguments: [GraphQLSubscriptionTransport.serverSentEvents, .multipart])
    func subscriptions(transport: GraphQLSubscriptionTransport) async {
        let fixture = GraphQLFixture(
            options: {
                $0.usesPersistedQueries = true
                $0.subscriptions = transport
            }, answer: { _ in Self.ok })
        _ = await caught { for try await _ in fixture.client.subscribe("subscription { a }", as: Answer.self) {} }
        #expect(fixture.server.requests.map(Self.hasDocument) == [true])
    }

    @Test(
        "The forms in which servers do not know a hash",
        arguments: [
            #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#,
            // gqlgen adds null data to all errors.
            #"{"errors":[{"message":"PersistedQueryNotFound"}],"data":null}"#,
            #"{"errors":[{"message":"no","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#,
            // undine
            #"{"data":null,"errors":[{"message":"no","extensions":{"code":"PERSISTED_DOCUMENT_NOT_FOUND"}}]}"#,
        ], [200, 400, 404])
    func unknownHash(body: String, status: Int) {
        #expect(PersistedQueryExchange.answer(status: status, body: Data(body.utf8)) == .notFound)
    }

    @Test("A redirect that drops the document is an error, although the hash was sent by GET")
    func redirectedDocument() async {
        let fixture = Self.fixture(usesGET: true) { request in
            if request.url.contains("/other") { return Self.ok }
            return request.method == .get
                ? Self.notFound : .status(.init(code: 303)).header(.location, value: "/other")
        }
        let error = await caught { _ = try await fixture.client.query("{ name }", as: Answer.self) }
        #expect(GraphQLProtocolError.Reason(error) == .redirected)
        #expect(fixture.server.requests.map(\.method) == [.get, .post, .get])
    }

    @Test("GET: the document replaces the hash, whatever the encoding of the variables was")
    func otherEncoding() async throws {
        struct Named: Encodable, Sendable { let birdName = "a?b&c" }
        let fixture = GraphQLFixture(
            options: {
                $0.usesPersistedQueries = true
                $0.usesGETForQueries = true
            }, configure: { $0.query = ["v": "1"] }
        ) { Self.hasDocument($0) ? Self.ok : Self.notSupported }
        let call = fixture.client.call(
            GraphQLOperation("query Q { name }", operationName: "Q"), variables: Named(), as: Answer.self)
        _ = try await call.with {
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            $0.coding.encoder = encoder
        }.value()
        let names = fixture.server.requests.map { $0.query.map(\.name) }
        #expect(
            names == [
                ["v", "operationName", "variables", "extensions"], ["v", "query", "operationName", "variables"],
            ])
    }

    @Test("GET: a server that shows a page without a document gets it")
    func page() async throws {
        let fixture = Self.fixture(usesGET: true) {
            Self.hasDocument($0) ? Self.ok : .text("<html>", contentType: "text/html")
        }
        for _ in 0..<2 { _ = try await fixture.client.query("{ name }", as: Answer.self).value() }
        #expect(fixture.server.requests.map(Self.hasDocument) == [false, true, true])
        let mutations = Self.fixture { _ in .text("<html>", contentType: "text/html") }
        _ = await caught { _ = try await mutations.client.mutate("mutation { a }", as: Answer.self) }
        #expect(mutations.server.requests.count == 1)
    }

    @Test("A request that is bad with its document, too, does not end persisted queries")
    func badAnyway() async {
        let fixture = Self.fixture { _ in .graphQL(#"{"errors":[{"message":"bad variable"}]}"#, status: 400) }
        for _ in 0..<2 { _ = try? await fixture.client.query("{ name }", as: Answer.self) }
        #expect(fixture.server.requests.map(Self.hasDocument) == [false, true, false, true])
    }

    @Test("A server that never finds the document gets it once for each call")
    func neverFound() async throws {
        let fixture = Self.fixture { _ in Self.notFound }
        let response = try await fixture.client.query("{ name }", as: Answer.self)
        #expect(response.errors.map(\.message) == ["PersistedQueryNotFound"])
        #expect(fixture.server.requests.count == 2)
    }

    @Test(
        "A response of an executed operation is never followed by the document",
        arguments: [
            #"{"data":{"name":"PersistedQueryNotFound"}}"#, #"{"data":null,"errors":[{"message":"x","path":["a"]}]}"#,
            #"{"data":{"name":"a"},"errors":[{"message":"PersistedQueryNotFound"}]}"#,
            #"{"errors":[{"message":"PersistedQueryNotFound","path":["a"]}]}"#, #"{"data":null}"#,
        ], [200, 400])
    func executed(body: String, status: Int) {
        #expect(PersistedQueryExchange.answer(status: status, body: Data(body.utf8)) == .result)
    }

    @Test("A large response is not searched")
    func large() {
        let body =
            #"{"errors":[{"message":"PersistedQueryNotFound"}],"x":""#
            + String(repeating: "x", count: PersistedQueryExchange.maximumErrorBytes) + #""}"#
        #expect(PersistedQueryExchange.answer(status: 200, body: Data(body.utf8)) == .result)
    }

    @Test("Retries repeat the hash and the document of a query")
    func retries() async throws {
        let count = Counter()
        let server = StubServer { request in
            count.next() % 2 == 1 ? .status(.serviceUnavailable) : Self.hasDocument(request) ? Self.ok : Self.notFound
        }
        let client = APIClient.scripted(server) {
            $0.retry = RetryPolicy(maximumRetries: 3)
            $0.retry?.baseDelay = .zero
        }.graphQL("graphql") { $0.usesPersistedQueries = true }
        #expect(try await client.query("{ name }", as: Answer.self).value().name == "Zal")
        #expect(server.requests.map(Self.hasDocument) == [false, false, true, true])
    }
}

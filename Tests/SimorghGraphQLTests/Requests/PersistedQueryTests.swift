// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghGraphQL
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("Automatic persisted queries", .timeLimit(.minutes(1)))
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

    @Test("A server that asks for the document with 400 gets it", arguments: ["text/plain", "application/json"])
    func badRequest(type: String) async throws {
        let fixture = Self.fixture {
            Self.hasDocument($0)
                ? Self.ok
                : .text(#"{"errors":[{"message":"Must provide query"}]}"#, contentType: type, status: .badRequest)
        }
        for _ in 0..<2 { _ = try await fixture.client.query("{ name }", as: Answer.self).value() }
        #expect(fixture.server.requests.map(Self.hasDocument) == [false, true, true])
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

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghGraphQL
import SimorghSupport
import SimorghTesting
import Testing

@Suite("@defer and @stream: responses", .timeLimit(.minutes(5)))
struct GraphQLIncrementalResultsTests {
    private struct Bird: Decodable, Sendable, Equatable {
        let name: String
        let song: String?
    }

    private static let type = "multipart/mixed; boundary=\"-\"; deferSpec=20220824"
    private static let first = #"{"data":{"name":"owl"},"pending":[{"id":"0","path":[]}],"hasNext":true}"#
    private static let second =
        #"{"incremental":[{"id":"0","data":{"song":"hoo"}}],"completed":[{"id":"0"}],"hasNext":false}"#

    private static func body(_ parts: [String], closing: String = "--\r\n") -> String {
        "---" + parts.map { "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\($0)\r\n---" }.joined() + closing
    }

    /// Returns the names and songs of all results, and the error that ended them.
    private static func results(
        _ fixture: GraphQLFixture
    ) async -> (results: [Bird], hasNext: [Bool], error: (any Error)?) {
        var (birds, hasNext): ([Bird], [Bool]) = ([], [])
        do {
            for try await result in fixture.client.incremental("{ name ... @defer { song } }", as: Bird.self) {
                birds.append(try result.value())
                hasNext.append(result.hasNext)
            }
            return (birds, hasNext, nil)
        } catch {
            return (birds, hasNext, error)
        }
    }

    @Test("Each result has one more part merged into it", arguments: [1, 7, 10_000])
    func merged(size: Int) async throws {
        let bytes = Array(Self.body([Self.first, Self.second]).utf8)
        let fixture = GraphQLFixture { _ in
            let steps = stride(from: 0, to: bytes.count, by: size).map { start in
                StubResponse.BodyStep.bytes(Data(bytes[start..<min(start + size, bytes.count)]))
            }
            return .chunks(steps, contentType: Self.type)
        }
        let found = await Self.results(fixture)
        #expect(found.error == nil)
        #expect(found.results == [Bird(name: "owl", song: nil), Bird(name: "owl", song: "hoo")])
        #expect(found.hasNext == [true, false])
        let accept = fixture.server.requests.first?.header(.accept) ?? ""
        #expect(accept.contains("multipart/mixed;deferSpec=20220824") && accept.contains("incrementalSpec=v0.2"))
    }

    @Test("The first result arrives before the server sends the second part")
    func progressive() async throws {
        let gate = Gate()
        let text = Self.body([Self.first], closing: "")
        let fixture = GraphQLFixture { _ in
            .chunks([.bytes(Data(text.utf8)), .wait(gate)], contentType: Self.type)
        }
        var results = fixture.client.incremental("{ name }", as: Bird.self).makeAsyncIterator()
        #expect(try await results.next()?.data == ["name": "owl"])
        gate.open()
    }

    @Test("A server without the directives answers with one result")
    func plain() async {
        let found = await Self.results(GraphQLFixture { _ in .json(#"{"data":{"name":"owl","song":"hoo"}}"#) })
        #expect(found.results == [Bird(name: "owl", song: "hoo")])
        #expect(found.error == nil && found.hasNext == [false])
    }

    @Test("A GraphQL response with a status other than 2xx is one result with errors")
    func refused() async throws {
        let fixture = GraphQLFixture { _ in .graphQL(#"{"errors":[{"message":"no"}]}"#, status: 400) }
        var results = fixture.client.incremental("{ name }", as: Bird.self).makeAsyncIterator()
        let result = try #require(try await results.next())
        #expect(result.errors.map(\.message) == ["no"])
        #expect(throws: GraphQLErrors.self) { try result.value() }
        #expect(try await results.next() == nil)
        let error = await Self.results(GraphQLFixture { _ in .json(#"{"errors":[]}"#, status: .badRequest) }).error
        #expect((error as? NetworkError)?.statusCode == 400)
    }

    @Test("A response that breaks the rules is a typed error")
    func faults() async {
        let parts: [(String, String, GraphQLProtocolError.Reason)] = [
            (Self.type, Self.body([Self.first], closing: ""), .truncated),
            (Self.type, Self.body([Self.first]), .truncated), (Self.type, "", .truncated),
            (Self.type, Self.body(["{}"]), .notAResponse), (Self.type, Self.body([Self.first, "[]"]), .invalidPatch),
            (Self.type, Self.body([Self.first, #"{"path":["x"],"data":1}"#]), .invalidPatch),
            (Self.type, "---x", .malformedMultipart), ("multipart/mixed; boundary=\"a\u{1}\"", "", .malformedMultipart),
            (Self.type, Self.body([Self.first]).replacing("application/json", with: "text/html"), .malformedMultipart),
            (
                Self.type, Self.body([Self.first]).replacing("application/json", with: "text/notjson"),
                .malformedMultipart
            ),
            ("text/html", "<html>", .contentType),
            (Self.type, Self.body([String(repeating: " ", count: 200) + Self.first]), .limitExceeded),
        ]
        for (type, body, reason) in parts {
            let fixture = GraphQLFixture(
                options: { $0.maximumPartBytes = 200 }, answer: { _ in .text(body, contentType: type) })
            let error = await Self.results(fixture).error
            #expect(GraphQLProtocolError.Reason(error) == reason, "\(type) \(body)")
        }
        let undecodable = await Self.results(GraphQLFixture { _ in .text(Self.body(["{"]), contentType: Self.type) })
        guard case .decodingError = undecodable.error as? NetworkError else {
            Issue.record("\(String(describing: undecodable.error))")
            return
        }
    }

    @Test("All parts together are bounded by maximumCollectedBytes")
    func total() async {
        // The first part with its header has about 80 bytes more.
        let fixture = GraphQLFixture(configure: { $0.maximumCollectedBytes = Self.first.utf8.count + 120 }) { _ in
            .text(Self.body([Self.first, Self.second]), contentType: Self.type)
        }
        let found = await Self.results(fixture)
        #expect(found.results.count == 1)
        #expect(GraphQLProtocolError.Reason(found.error) == .limitExceeded)
    }

    @Test("A JSON response beyond maximumCollectedBytes names that limit")
    func jsonTotal() async throws {
        let fixture = GraphQLFixture(configure: { $0.maximumCollectedBytes = 20 }) { _ in
            .json(#"{"data":{"name":"owl","song":"hoo"}}"#)
        }
        let error = await Self.results(fixture).error
        #expect(GraphQLProtocolError.Reason(error) == .limitExceeded)
        let cause = (error as? NetworkError)?.underlyingError as? GraphQLProtocolError
        #expect(cause?.description == "the response is larger than the limit of 20 bytes")
    }

    @Test("Parts without content are bounded by maximumCollectedBytes, too")
    func emptyParts() async {
        let empty = "\r\nX: \(String(repeating: "x", count: 50))\r\n\r\n\r\n---"
        let body = "---\r\n\r\n\(Self.first)\r\n---" + String(repeating: empty, count: 10_000)
        let fixture = GraphQLFixture(configure: { $0.maximumCollectedBytes = 1000 }) { _ in
            let bytes = Data(body.utf8)
            let pieces = stride(from: 0, to: bytes.count, by: 500).map { start in
                StubResponse.BodyStep.bytes(bytes[start..<min(start + 500, bytes.count)])
            }
            return .chunks(pieces, contentType: Self.type)
        }
        let found = await Self.results(fixture)
        #expect(found.results.count == 1)
        #expect(GraphQLProtocolError.Reason(found.error) == .limitExceeded)
    }

    @Test("A complete JSON response that announces more is truncated")
    func announcement() async {
        let found = await Self.results(GraphQLFixture { _ in .json(#"{"data":{"name":"owl"},"hasNext":true}"#) })
        #expect(found.results.isEmpty && GraphQLProtocolError.Reason(found.error) == .truncated)
    }

    @Test("The client's error decoder reads what is no GraphQL response")
    func errorDecoder() async throws {
        struct Refusal: Error {}
        func fixture(_ response: StubResponse) -> GraphQLFixture {
            GraphQLFixture(configure: { $0.validation.errorDecoder = { _ in Refusal() } }, answer: { _ in response })
        }
        let response = fixture(.graphQL(#"{"errors":[{"message":"no"}]}"#, status: 400))
        var results = response.client.incremental("{ name }", as: Bird.self).makeAsyncIterator()
        #expect(try await results.next()?.errors.map(\.message) == ["no"])
        let page = await Self.results(fixture(.status(.forbidden))).error as? NetworkError
        #expect(page?.underlyingError is Refusal && page?.statusCode == 403)
    }

    @Test("Persisted queries: the hash is sent first here, too", arguments: [false, true])
    func persisted(isMultipart: Bool) async throws {
        let fixture = GraphQLFixture(options: { $0.usesPersistedQueries = true }) { request in
            guard try JSON(parsing: request.body)["query"].string != nil else {
                return .json(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
            }
            return isMultipart
                ? .text(Self.body([Self.first, Self.second]), contentType: Self.type)
                : .json(#"{"data":{"name":"owl"}}"#)
        }
        let found = await Self.results(fixture)
        #expect(found.error == nil && found.results.count == (isMultipart ? 2 : 1))
        #expect(fixture.server.requests.count == 2)
    }
}

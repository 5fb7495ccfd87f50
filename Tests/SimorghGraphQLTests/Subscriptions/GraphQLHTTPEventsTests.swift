// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghGraphQL
import SimorghSupport
import SimorghTesting
import Testing

@Suite("GraphQL subscriptions over HTTP", .timeLimit(.minutes(1)))
struct GraphQLHTTPEventsTests {
    private struct Count: Decodable, Sendable { let count: Int }

    enum Form: String, CaseIterable, Sendable {
        case events, multipart

        var transport: GraphQLSubscriptionTransport { self == .events ? .serverSentEvents : .multipart }

        /// Returns a stream of responses; without `end` it breaks off.
        func stream(_ responses: [String], end: Bool = true) -> StubResponse {
            switch self {
            case .events:
                let events = responses.map { "event: next\r\ndata: \($0)\r\n\r\n" }
                let text = ": ping\r\n\r\n" + events.joined() + (end ? "event: complete\r\ndata: \r\n\r\n" : "")
                return .text(text, contentType: "text/event-stream")
            case .multipart:
                let parts = (["{}"] + responses.map { #"{"payload":\#($0)}"# }).map {
                    "\r\nContent-Type: application/json\r\n\r\n\($0)\r\n--graphql"
                }
                return .text(
                    "--graphql" + parts.joined() + (end ? "--\r\n" : ""),
                    contentType: "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json")
            }
        }
    }

    private static func fixture(
        _ form: Form, limit: Int = 1000, _ answer: @escaping @Sendable (RecordedRequest) -> StubResponse
    ) -> GraphQLFixture {
        GraphQLFixture(
            options: {
                $0.subscriptions = form.transport
                $0.maximumPartBytes = limit
            }, answer: { answer($0) })
    }

    private static func counts(_ fixture: GraphQLFixture) async -> (counts: [Int], error: NetworkError?) {
        var counts: [Int] = []
        let error = await caught {
            let events = fixture.client.subscribe(
                "subscription S($n: Int) { count(to: $n) }", variables: ["n": 2] as JSON, as: Count.self)
            for try await value in events { counts.append(value.count) }
        }
        return (counts, error)
    }

    @Test("Each event is a value, and the end of the stream is the end", arguments: Form.allCases)
    func values(form: Form) async throws {
        let fixture = Self.fixture(form) { _ in form.stream([#"{"data":{"count":0}}"#, #"{"data":{"count":1}}"#]) }
        let found = await Self.counts(fixture)
        #expect(found.counts == [0, 1] && found.error == nil)
        let request = try #require(fixture.server.requests.first)
        #expect(request.method == .post)
        #expect(try JSON(parsing: request.body)["variables"] == ["n": 2])
        let accept = request.header(.accept) ?? ""
        #expect(accept.hasPrefix(form == .events ? "text/event-stream" : "multipart/mixed;subscriptionSpec=1.0"))
    }

    @Test("A response with errors ends subscribe, and not responses", arguments: Form.allCases)
    func errors(form: Form) async throws {
        let fixture = Self.fixture(form) { _ in
            form.stream([
                #"{"data":{"count":0}}"#, #"{"data":null,"errors":[{"message":"boom"}]}"#, #"{"data":{"count":2}}"#,
            ])
        }
        let found = await Self.counts(fixture)
        #expect(found.counts == [0])
        #expect((found.error?.underlyingError as? GraphQLErrors)?.faults.map(\.message) == ["boom"])
        var responses: [Int?] = []
        for try await response in fixture.client.responses("subscription { count }", as: Count.self) {
            responses.append(response.data?.count)
        }
        #expect(responses == [0, nil, 2])
    }

    @Test("A stream that breaks off is truncated", arguments: Form.allCases)
    func truncated(form: Form) async {
        let found = await Self.counts(Self.fixture(form) { _ in form.stream([#"{"data":{"count":0}}"#], end: false) })
        #expect(found.counts == [0])
        #expect(GraphQLProtocolError.Reason(found.error) == .truncated)
    }

    @Test("An event larger than the limit is an error", arguments: Form.allCases)
    func limit(form: Form) async {
        let long = String(repeating: " ", count: 300) + #"{"data":{"count":0}}"#
        let found = await Self.counts(Self.fixture(form, limit: 200) { _ in form.stream([long]) })
        #expect(found.counts.isEmpty)
        switch form {
        case .events: #expect(found.error?.underlyingError as? StreamingError == .eventTooLong(limitBytes: 200))
        case .multipart: #expect(GraphQLProtocolError.Reason(found.error) == .limitExceeded)
        }
    }

    @Test("A rejected subscription is the error of the response", arguments: Form.allCases)
    func refused(form: Form) async {
        let graphQL = await Self.counts(
            Self.fixture(form) { _ in .graphQL(#"{"errors":[{"message":"unknown field"}]}"#, status: 400) })
        #expect((graphQL.error?.underlyingError as? GraphQLErrors)?.faults.map(\.message) == ["unknown field"])
        let json = await Self.counts(
            Self.fixture(form) { _ in .json(#"{"errors":[{"message":"unknown field"}]}"#, status: .badRequest) })
        #expect(json.error?.statusCode == 400)
        #expect(json.error?.graphQLErrors?.faults.map(\.message) == ["unknown field"])
        let success = await Self.counts(Self.fixture(form) { _ in .json(#"{"errors":[{"message":"no"}]}"#) })
        #expect((success.error?.underlyingError as? GraphQLErrors)?.faults.map(\.message) == ["no"])
        let page = await Self.counts(Self.fixture(form) { _ in .text("<html>", contentType: "text/html") })
        #expect(GraphQLProtocolError.Reason(page.error) == .contentType)
    }

    @Test("Multipart: the server ends the subscription with an error of its transport")
    func transportError() async {
        let body = "--graphql\r\n\r\n" + #"{"payload":null,"errors":[{"message":"upstream lost"}]}"# + "\r\n--graphql--"
        let found = await Self.counts(
            Self.fixture(.multipart) { _ in .text(body, contentType: "multipart/mixed;boundary=graphql") })
        #expect((found.error?.underlyingError as? GraphQLErrors)?.faults.map(\.message) == ["upstream lost"])
    }

    @Test("A query is not sent as a subscription", arguments: Form.allCases)
    func kind(form: Form) async {
        let fixture = Self.fixture(form) { _ in .status(.ok) }
        let error = await caught { for try await _ in fixture.client.subscribe("{ a }", as: Count.self) {} }
        guard case .invalidRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fixture.server.requests.isEmpty)
    }

    @Test("After an error the iterator returns nil")
    func afterError() async throws {
        let fixture = Self.fixture(.events) { _ in .text("<html>", contentType: "text/html") }
        var events = fixture.client.subscribe("subscription { count }", as: Count.self).makeAsyncIterator()
        await #expect(throws: NetworkError.self) { try await events.next() }
        #expect(try await events.next() == nil)
    }
}

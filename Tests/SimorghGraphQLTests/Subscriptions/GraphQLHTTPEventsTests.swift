// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghGraphQL
import SimorghSupport
import SimorghTesting
import Testing

@Suite("GraphQL subscriptions over HTTP", .timeLimit(.minutes(5)))
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

    @Test(
        "Server-sent events: the event “complete” needs no data",
        arguments: ["event: complete\n\n", "event: complete\ndata:\n\n", "event: complete\ndata: {}\n\n"],
        ["\n", "\r\n"])
    func complete(event: String, lineEnd: String) async {
        let text = "event: next\ndata: {\"data\":{\"count\":0}}\n\n" + event
        let found = await Self.counts(
            Self.fixture(.events) { _ in
                .text(text.replacing("\n", with: lineEnd), contentType: "text/event-stream")
            })
        #expect(found.counts == [0] && found.error == nil)
    }

    @Test("Server-sent events: an event without a name is a response if it has the form of one")
    func unnamed() async {
        let text = """
            data: {"data":{"count":0}}

            data: ping

            data: {}

            event: ping
            data: {"data":{"count":9}}

            data: {"errors":[{"message":"boom"}]}


            """
        let found = await Self.counts(Self.fixture(.events) { _ in .text(text, contentType: "text/event-stream") })
        #expect(found.counts == [0])
        #expect((found.error?.underlyingError as? GraphQLErrors)?.faults.map(\.message) == ["boom"])
    }

    @Test("An event that is no GraphQL response is an error", arguments: Form.allCases)
    func noResponse(form: Form) async {
        for body in ["{}", #"{"data":null}"#, #"{"errors":[]}"#, #"{"status":"maintenance"}"#] {
            let responses = [Self.fixture(form) { _ in form.stream([body]) }, Self.fixture(form) { _ in .json(body) }]
            for fixture in responses {
                let error = await caught {
                    for try await _ in fixture.client.responses("subscription { count }", as: Count.self) {}
                }
                #expect(GraphQLProtocolError.Reason(error) == .notAResponse, "\(body)")
            }
        }
    }

    @Test("Numbers of an event keep all their digits", arguments: Form.allCases)
    func digits(form: Form) async throws {
        struct Amount: Decodable, Sendable { let amount: Decimal }
        let fixture = Self.fixture(form) { _ in form.stream([#"{"data":{"amount":12345678901234567.89}}"#]) }
        var amounts: [Decimal?] = []
        for try await value in fixture.client.subscribe("subscription { amount }", as: Amount.self) {
            amounts.append(value.amount)
        }
        #expect(amounts == [Decimal(string: "12345678901234567.89")])
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

    @Test(
        "Multipart: the server ends the subscription with errors of its transport",
        arguments: [
            (#"{"payload":null,"errors":[{"message":"upstream lost"}]}"#, "upstream lost"),
            (#"{"errors":[{"message":"upstream lost"}]}"#, "upstream lost"),
            (#"{"payload":{"data":{"count":1}},"errors":[{"message":"upstream lost"}]}"#, "upstream lost"),
            (#"{"payload":null,"errors":[]}"#, "the server ended the subscription"),
            (#"{"errors":[]}"#, "the server ended the subscription"),
        ])
    func transportError(part: String, message: String) async {
        let body = "--graphql\r\n\r\n\(part)\r\n--graphql--"
        let found = await Self.counts(
            Self.fixture(.multipart) { _ in .text(body, contentType: "multipart/mixed;boundary=graphql") })
        #expect(found.counts.isEmpty)
        #expect((found.error?.underlyingError as? GraphQLErrors)?.faults.map(\.message) == [message])
    }

    @Test("Multipart: a part without payload keeps the connection alive")
    func heartbeat() async {
        let parts = ["{}", #"{"payload":null}"#, #"{"payload":{"data":{"count":1}},"errors":[]}"#, "{}"]
        let body = parts.map { "--graphql\r\n\r\n\($0)\r\n" }.joined() + "--graphql--"
        let found = await Self.counts(
            Self.fixture(.multipart) { _ in .text(body, contentType: "multipart/mixed;boundary=graphql") })
        #expect(found.counts == [1] && found.error == nil)
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

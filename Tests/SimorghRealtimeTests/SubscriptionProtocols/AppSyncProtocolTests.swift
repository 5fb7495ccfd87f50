// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AppSyncProtocolTests {
    private static let api = "https://abc.appsync-api.eu-west-1.amazonaws.com/graphql"

    private static func header(_ text: some StringProtocol) throws -> JSON {
        var text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        return try JSON(parsing: try #require(Data(base64Encoded: text)))
    }

    @Test("The credentials of the connection, for the host of the API, are in the query or in a subprotocol")
    func placement() async throws {
        var wire = AppSyncProtocol(Self.api, authorization: .apiKey("da2-x?~"))
        let expected: JSON = ["host": "abc.appsync-api.eu-west-1.amazonaws.com", "x-api-key": "da2-x?~"]
        let url = "wss://abc.appsync-realtime-api.eu-west-1.amazonaws.com/graphql"
        let first = try await wire.opening(attempt: 1)
        #expect(first.router.baseURLString == url)
        #expect(first.router.protocols.first == "graphql-ws" && first.router.protocols.count == 2)
        let token = try #require(first.router.protocols.last)
        #expect(token.hasPrefix("header-") && !token.contains("=") && !token.contains("/") && !token.contains("+"))
        #expect(try Self.header(token.dropFirst(7)) == expected)
        wire.placement = .query
        let second = try await wire.opening(attempt: 1)
        let query = try #require(second.router.queryParams as? [String: String])
        #expect(second.router.protocols == ["graphql-ws"] && query["payload"] == "e30=")
        #expect(try Self.header(try #require(query["header"])) == expected)
    }

    @Test(
        "The WebSocket URL and host of an API endpoint",
        arguments: [
            (
                "https://abc.appsync-api.us-east-1.amazonaws.com/graphql",
                "wss://abc.appsync-realtime-api.us-east-1.amazonaws.com/graphql",
                "abc.appsync-api.us-east-1.amazonaws.com"
            ),
            ("https://api.example.com/graphql", "wss://api.example.com/graphql/realtime", "api.example.com"),
            ("wss://api.example.com/graphql/realtime", "wss://api.example.com/graphql/realtime", "api.example.com"),
            ("ws://127.0.0.1:9/graphql", "ws://127.0.0.1:9/graphql", "127.0.0.1:9"),
        ])
    func endpoints(endpoint: String, url: String, host: String) async throws {
        let seen = Mutex<[AppSyncAuthorization.Request]>([])
        let wire = AppSyncProtocol(
            endpoint,
            authorization: .signed { request in
                seen.withLock { $0.append(request) }
                return ["Authorization": "signed \(request.path)"]
            })
        let opening = try await wire.opening(attempt: 1)
        #expect(opening.router.baseURLString == url)
        let operation = try await wire.prepared(
            GraphQLOperation("subscription { a }", variables: ["n": 1]), for: opening.session)
        #expect(operation.extensions?.authorization == ["Authorization": "signed /graphql", "host": .string(host)])
        let requests = seen.withLock { $0 }
        #expect(requests.map(\.host) == [host, host])
        #expect(requests.map(\.path) == ["/graphql/connect", "/graphql"])
        #expect(requests.map(\.body) == ["{}", #"{"query":"subscription { a }","variables":{"n":1}}"#])
        // The signed bytes are the bytes that are sent.
        var driver = SessionDriver(session: opening.session)
        let sent = try #require(try driver.subscribe(operation, 1).first)
        let message = try JSON(parsing: Data(sent.dropFirst(5).utf8))
        #expect(message.payload["data"].string == requests[1].body)
    }

    @Test("A token is requested again for each connection and each operation")
    func token() async throws {
        let asked = Mutex(0)
        let wire = AppSyncProtocol(
            Self.api,
            authorization: .token {
                asked.withLock { count in
                    count += 1
                    return "t\(count)"
                }
            })
        let host: JSON = "abc.appsync-api.eu-west-1.amazonaws.com"
        for attempt in 1...2 {
            let opening = try await wire.opening(attempt: attempt)
            let field = try #require(opening.router.protocols.last)
            let shown: JSON = ["Authorization": .string("t\(attempt * 2 - 1)"), "host": host]
            #expect(try Self.header(field.dropFirst(7)) == shown)
            let operation = try await wire.prepared(GraphQLOperation("subscription { a }"), for: opening.session)
            let beside: JSON = ["Authorization": .string("t\(attempt * 2)"), "host": host]
            #expect(operation.extensions?.authorization == beside)
        }
    }

    @Test("AppSync acknowledges start and stop, and connectionTimeoutMs sets the keep-alive timeout")
    func session() async throws {
        var driver = try await AppSyncProtocol(Self.api, authorization: .apiKey("k")).driver()
        #expect(try driver.opened() == [#"send {"type":"connection_init"}"#])
        #expect(
            try driver.received(#"{"type":"connection_ack","payload":{"connectionTimeoutMs":1500}}"#) == [
                "expect 1.5", "ready",
            ])
        #expect(try driver.received(#"{"type":"ka"}"#).isEmpty)
        #expect(try driver.subscribe("subscription { a }", 1).count == 1, "not accepted yet")
        #expect(try driver.received(#"{"type":"start_ack","id":"1"}"#) == ["accepted 1"])
        #expect(try driver.received(#"{"type":"data","id":"1","payload":{"data":2}}"#) == [#"event 1 {"data":2}"#])
        #expect(driver.unsubscribe(1) == [#"send {"id":"1","type":"stop"}"#])
        #expect(try driver.received(#"{"type":"complete","id":"1"}"#) == ["completed 1"])
        let refused =
            #"{"type":"error","id":"2","payload":{"errors":[{"errorType":"MaxSubscriptionsReachedError","message":"m"}]}}"#
        #expect(try driver.received(refused) == ["postponed 2 MaxSubscriptionsReachedError: m"])
        guard case .postponed(_, let error) = try driver.session.received(.text(refused)).first else {
            Issue.record("no failure")
            return
        }
        #expect((error as? AppSyncErrors)?.isLimit == true && (error as? AppSyncErrors)?.isUnauthorized == false)
        #expect(
            try driver.received(
                #"{"type":"connection_error","payload":{"errors":[{"errorType":"UnauthorizedException","errorCode":401}]}}"#
            ) == ["give up UnauthorizedException (401) 1000"])
        #expect(throws: UnknownSubscriptionMessageError.self) { try driver.received(#"{"type":"what"}"#) }
    }

    @Test(
        "The description of AppSync errors joins the type, code and message that the server sent",
        arguments: [
            (#"{"message":"Forbidden"}"#, "Forbidden"),
            (#"{"errorType":"Refused"}"#, "Refused"),
            (#"{"errorCode":403}"#, "error 403"),
            (#"{"errorCode":403,"message":"Forbidden"}"#, "error 403: Forbidden"),
            (#"{"errorType":"Refused","errorCode":403,"message":"m"}"#, "Refused (403): m"),
            (#"{"errorType":"A"},{},{"message":"m"}"#, "A; m"),
            ("{}", "AppSync sent an error without a description"),
            ("", "AppSync sent an error without a description"),
        ])
    func description(faults: String, text: String) async throws {
        var driver = try await AppSyncProtocol(Self.api, authorization: .apiKey("k")).driver()
        let message = #"{"type":"error","id":"1","payload":{"errors":[\#(faults)]}}"#
        guard case .failed(_, let error) = try driver.session.received(.text(message)).first else {
            Issue.record("no failure")
            return
        }
        #expect("\(error)" == text)
    }

    @Test(
        "Transient AppSync errors reconnect or postpone; permanent ones end the connection or subscription",
        arguments: [
            (#""errorType":"com.amazonaws.deepdish.graphql.auth#UnauthorizedException""#, false),
            (#""errorType":"UnauthorizedException","errorCode":500"#, false),
            (#""errorType":"BadRequestException","errorCode":400"#, false),
            (#""errorType":"com.amazonaws.deepdish#LimitExceededError""#, true),
            (#""errorType":"InternalFailure","errorCode":500"#, true),
            (#""errorType":"Whatever","errorCode":503"#, true),
            (#""errorType":"TooManyRequestsException""#, true),
        ])
    func passing(fault: String, isTransient: Bool) async throws {
        var driver = try await AppSyncProtocol(Self.api, authorization: .apiKey("k")).driver()
        let connection = #"{"type":"connection_error","payload":{"errors":[{\#(fault)}]}}"#
        #expect(try driver.received(connection).first?.hasPrefix(isTransient ? "reconnect" : "give up") == true)
        #expect(
            try driver.received(#"{"type":"error","id":"1","payload":{"errors":[{\#(fault)}]}}"#).first?
                .hasPrefix(isTransient ? "postponed 1" : "failed 1") == true)
        var events = try await AppSyncEventsProtocol(Self.api, authorization: .apiKey("k")).driver()
        #expect(
            try events.received(#"{"type":"error","errors":[{\#(fault)}]}"#).first?
                .hasPrefix(isTransient ? "reconnect" : "give up") == true)
    }

    @Test("Events: a message with more events than AppSync allows to publish throws UnknownSubscriptionMessageError")
    func manyEvents() async throws {
        var driver = try await AppSyncEventsProtocol(Self.api, authorization: .apiKey("k")).driver()
        let list = Array(repeating: "1", count: 100_000).joined(separator: ",")
        #expect(throws: UnknownSubscriptionMessageError.self) {
            try driver.received(#"{"type":"data","id":"1","event":[\#(list)]}"#)
        }
    }

    @Test("Events: subscribe, publish and unsubscribe have credentials, and each is acknowledged")
    func events() async throws {
        let wire = AppSyncEventsProtocol(
            "https://abc.appsync-api.eu-west-1.amazonaws.com/event", authorization: .apiKey("k"))
        let opening = try await wire.opening(attempt: 1)
        #expect(
            opening.router.baseURLString == "wss://abc.appsync-realtime-api.eu-west-1.amazonaws.com/event/realtime")
        #expect(opening.router.protocols.first == "aws-appsync-event-ws")
        var driver = SessionDriver(session: opening.session)
        #expect(try driver.opened() == [#"send {"type":"connection_init"}"#])
        #expect(
            try driver.received(#"{"type":"connection_ack","connectionTimeoutMs":300000}"#) == [
                "expect 300.0", "ready",
            ])
        let listen = try await wire.prepared(.channel("/ns/a"), for: opening.session)
        #expect(
            try driver.subscribe(listen, 1) == [
                #"send {"authorization":{"host":"abc.appsync-api.eu-west-1.amazonaws.com","x-api-key":"k"},"channel":"/ns/a","id":"1","type":"subscribe"}"#
            ])
        #expect(try driver.received(#"{"type":"subscribe_success","id":"1"}"#) == ["accepted 1"])
        #expect(try driver.received(#"{"type":"data","id":"1","event":"{\"n\":1}"}"#) == [#"event 1 {"n":1}"#])
        #expect(
            try driver.received(#"{"type":"data","id":"1","event":["{\"n\":1}","2"]}"#) == [
                #"event 1 {"n":1}"#, "event 1 2",
            ])
        let publish = try await wire.prepared(.publish("/ns/a", [["n": 2], "text"]), for: opening.session)
        #expect(
            try driver.subscribe(publish, 2) == [
                #"send {"authorization":{"host":"abc.appsync-api.eu-west-1.amazonaws.com","x-api-key":"k"},"channel":"/ns/a","events":["{\"n\":2}","\"text\""],"id":"2","type":"publish"}"#
            ])
        #expect(
            try driver.received(#"{"type":"publish_success","id":"2","successful":[],"failed":[]}"#).last
                == "completed 2")
        #expect(
            try driver.received(#"{"type":"publish_error","id":"3","errors":[{"errorType":"BadRequestException"}]}"#)
                == [
                    "failed 3 BadRequestException"
                ])
        #expect(driver.unsubscribe(1) == [#"send {"id":"1","type":"unsubscribe"}"#])
        #expect(try driver.received(#"{"type":"unsubscribe_success","id":"1"}"#) == ["released 1"])
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import Testing

@Suite(.timeLimit(.minutes(5)))
struct GraphQLProtocolTests {
    @Test("graphql-transport-ws: init with its payload, ack, subscribe, next, complete, and both pings")
    func transport() async throws {
        var wire = GraphQLTransportProtocol(url: "wss://a.test/graphql")
        wire.initPayload = { ["token": "t0ken"] }
        wire.pingInterval = .seconds(20)
        let opening = try await wire.opening(attempt: 1)
        #expect(opening.router.protocols == ["graphql-transport-ws"] && opening.requiresSubprotocol)
        var driver = SessionDriver(session: opening.session)
        #expect(try driver.opened() == [#"send {"payload":{"token":"t0ken"},"type":"connection_init"}"#])
        #expect(
            try driver.received(#"{"type":"connection_ack","payload":{"a":1}}"#) == ["ready", "start ping 20.0"])
        let operation = GraphQLOperation(
            "subscription S($n: Int) { count(target: $n) }", variables: ["n": 3], operationName: "S")
        #expect(
            try driver.subscribe(operation, 1) == [
                #"send {"id":"1","payload":{"operationName":"S","query":"subscription S($n: Int) { count(target: $n) }","variables":{"n":3}},"type":"subscribe"}"#,
                "accepted 1",
            ])
        #expect(
            try driver.received(#"{"id":"1","type":"next","payload":{"data":{"count":0}}}"#) == [
                #"event 1 {"data":{"count":0}}"#
            ])
        #expect(try driver.received(#"{"id":"1","type":"complete"}"#) == ["completed 1"])
        #expect(
            try driver.received(#"{"id":"2","type":"error","payload":[{"message":"no such field"}]}"#) == [
                "failed 2 no such field"
            ])
        #expect(driver.unsubscribe(3) == [#"send {"id":"3","type":"complete"}"#, "released 3"])
        #expect(
            try driver.received(#"{"type":"ping","payload":{"x":1}}"#) == [
                #"send latest {"payload":{"x":1},"type":"pong"}"#
            ])
        #expect(try driver.received(#"{"type":"ping"}"#) == [#"send latest {"type":"pong"}"#])
        #expect(
            driver.elapsed("ping") == [#"send {"type":"ping"}"#, "start pong 10.0", "start ping 20.0"])
        #expect(
            driver.elapsed("ping") == [#"send {"type":"ping"}"#, "start ping 20.0"],
            "the wait for the first pong continues")
        #expect(try driver.received(#"{"type":"pong"}"#) == ["stop pong"])
        #expect(driver.elapsed("ping").contains("start pong 10.0"))
        #expect(driver.elapsed("pong").first?.hasPrefix("reconnect") == true)
    }

    @Test(
        "graphql-transport-ws: an invalid message closes the connection with 4400",
        arguments: ["", "[]", "{}", #"{"type":7}"#, #"{"type":"data","id":"1"}"#, "\u{0}"])
    func strict(text: String) async throws {
        var driver = try await GraphQLTransportProtocol(url: "wss://a.test").driver()
        _ = try driver.opened()
        let lines = try driver.received(text)
        #expect(lines.count == 1 && lines[0].hasPrefix("give up") && lines[0].hasSuffix("4400"))
    }

    @Test("graphql-transport-ws: an unknown id maps to 0, which no subscription has; a numeric id is accepted")
    func strangers() async throws {
        var driver = try await GraphQLTransportProtocol(url: "wss://a.test").driver()
        #expect(try driver.received(#"{"type":"next","id":"abc","payload":{}}"#) == ["completed 0"])
        #expect(try driver.received(#"{"type":"complete","id":"-1"}"#) == ["completed 0"])
        #expect(try driver.received(#"{"type":"next","id":7,"payload":1}"#) == ["event 7 1"])
        for id in ["1.5", "null", "true", "{}", "1e400"] {
            #expect(try driver.received(#"{"type":"complete","id":\#(id)}"#) == ["completed 0"], "\(id)")
        }
    }

    @Test("Only 4401 may mean an expired token", arguments: [(4401, true), (4403, false), (1000, false)])
    func expiry(code: UInt16, mayHaveExpired: Bool) {
        let closure = WebSocketCloseInfo(code: WebSocketCloseCode(rawValue: code), isClean: true, initiator: .remote)
        #expect(GraphQLTransportProtocol(url: "").mayHaveExpired(closure) == mayHaveExpired)
        #expect(BinanceProtocol(url: "").mayHaveExpired(closure) == false)
    }

    @Test(
        "graphql-transport-ws: close codes that reconnect and close codes that are final",
        arguments: [
            (1000, true), (1001, true), (1006, true), (1011, false), (1002, false), (4400, false), (4401, false),
            (4403, true), (4406, false), (4408, true), (4409, false), (4429, false), (4499, true), (4500, false),
            (4504, true), (4004, false), (4005, false), (1012, true), (1013, true), (1014, true), (1008, false),
        ])
    func closures(code: Int, comesBack: Bool) {
        let closure = WebSocketCloseInfo(
            code: WebSocketCloseCode(rawValue: UInt16(code)), isClean: true, initiator: .remote)
        #expect(
            GraphQLTransportProtocol(url: "").decision(on: closure) == (comesBack ? .reconnect : .giveUp))
    }

    @Test("graphql-ws (legacy): start, data, stop, terminate; the first ka starts the keep-alive timeout")
    func legacy() async throws {
        var wire = LegacyGraphQLProtocol(url: "wss://a.test")
        wire.initPayload = { ["a": 1] }
        var driver = try await wire.driver()
        #expect(try driver.opened() == [#"send {"payload":{"a":1},"type":"connection_init"}"#])
        #expect(try driver.received(#"{"type":"connection_ack"}"#) == ["ready"])
        #expect(try driver.received(#"{"type":"ka"}"#) == ["expect 60.0"])
        #expect(try driver.received(#"{"type":"ka"}"#).isEmpty)
        #expect(
            try driver.subscribe("subscription { a }", 1) == [
                #"send {"id":"1","payload":{"query":"subscription { a }"},"type":"start"}"#, "accepted 1",
            ])
        #expect(try driver.received(#"{"type":"data","id":"1","payload":{"data":1}}"#) == [#"event 1 {"data":1}"#])
        #expect(
            try driver.received(#"{"type":"error","id":"1","payload":{"message":"no"}}"#) == ["failed 1 no"])
        #expect(driver.unsubscribe(1) == [#"send {"id":"1","type":"stop"}"#, "released 1"])
        #expect(driver.closing() == [#"send {"type":"connection_terminate"}"#])
        #expect(
            try driver.received(#"{"type":"connection_error","payload":{"message":"who are you"}}"#) == [
                "give up who are you 1000"
            ])
        #expect(throws: UnknownSubscriptionMessageError.self) { try driver.received(#"{"type":"next","id":"1"}"#) }
    }

    @Test("A response with errors throws them from value(), and keeps its partial data")
    func responses() throws {
        struct Count: Decodable, Sendable, Equatable { let count: Int }
        func read(_ text: String) throws -> GraphQLResponse<Count> {
            try SubscriptionPayload(.text(text)).decoded()
        }
        #expect(try read(#"{"data":{"count":1}}"#).value() == Count(count: 1))
        let partial = try read(
            #"{"data":{"count":2},"errors":[{"message":"boom","path":["a",0],"locations":[{"line":1,"column":2}],"extensions":{"code":"X"}}]}"#
        )
        #expect(partial.data == Count(count: 2) && partial.errors.first?.path == ["a", 0])
        #expect(partial.errors.first?.locations.first?.column == 2 && partial.errors.first?.extensions.code == "X")
        #expect(throws: GraphQLErrors.self) { try partial.value() }
        #expect(throws: GraphQLErrors.self) { try read(#"{"data":null}"#).value() }
        #expect(throws: DecodingError.self) { try read(#"{"data":{"count":"x"}}"#) }
        // Errors explain a missing part of the value, but not one of another type.
        for data in [#"{"count":null}"#, "{}", "null"] {
            let hidden = try read(#"{"data":\#(data),"errors":[{"message":"hidden","path":["count"]}]}"#)
            #expect(hidden.data == nil && hidden.errors.map(\.message) == ["hidden"])
        }
        #expect(throws: DecodingError.self) { try read(#"{"data":{"count":"x"},"errors":[{"message":"other"}]}"#) }
    }
}

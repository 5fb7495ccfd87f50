// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghSupport
import SimorghTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SubscriptionTests {
    private static let subscribe = #"{"id":1,"method":"SUBSCRIBE","params":["btc@trade"]}"#
    private static let unsubscribe = #"{"id":1,"method":"UNSUBSCRIBE","params":["btc@trade"]}"#

    /// Returns a client over a scripted WebSocket, whose clock advances only by hand.
    private static func client(
        _ socket: ScriptedWebSocket, clock: TestClock = TestClock()
    ) -> APIClient {
        .scripted(socket, baseURL: nil) {
            $0.time = clock.timeSource
            $0.random = RandomSource { 0.5 }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            $0.coding.encoder = encoder
        }
    }

    @Test("SIM8: a default router does not negotiate, has no unsubscribe message, and throws on invalid JSON")
    func defaults() async throws {
        let router = PlainSubscription()
        let transport = NotedTransport()
        try await router.negotiate(over: transport)
        #expect(await transport.sent.isEmpty)
        #expect(router.unsubscribeMessage == nil)
        let decoder = JSONDecoder()
        #expect(throws: DecodingError.self) { try router.decodeEvent(from: .text("{bad"), using: decoder) }
        #expect(try router.decodeEvent(from: .data(Data(#"{"price":1}"#.utf8)), using: decoder) == Trade(price: 1))

        let socket = ScriptedWebSocket()
        let connection = try Self.client(socket).subscription(router)
        connection.connect()
        let peer = try await socket.peer(at: 0)
        #expect(try await peer.receiveText() == #"{"topic":"trades"}"#, "the first message")
        let disconnected = Task { await connection.disconnect() }
        #expect(try await peer.receiveText() == nil, "no unsubscribe message")
        await disconnected.value
    }

    @Test("SIM9: a rejected negotiation ends the subscription with the router's error")
    func rejected() async throws {
        let socket = ScriptedWebSocket()
        let connection = try Self.client(socket).subscription(NegotiatingSubscription())
        let events = connection.events()
        connection.connect()
        let peer = try await socket.peer(at: 0)
        #expect(try await peer.receiveText() == #"{"type":"connection_init"}"#)
        peer.send(#"{"type":"connection_error"}"#)
        let error = await #expect(throws: SubscriptionError.self) { for try await _ in events {} }
        #expect(error?.code == .negotiationFailed)
        #expect(error?.underlying as? NegotiatingSubscription.Rejected == .init(answer: "connection_error"))
        #expect(try await peer.receiveText() == nil, "no subscribe message was sent")
        #expect(connection.state == .disconnected)
        #expect(socket.requests.count == 1, "it is not retried")

        let noted = NotedTransport([.text(#"{"type":"no"}"#)])
        await #expect(throws: NegotiatingSubscription.Rejected(answer: "no")) {
            try await NegotiatingSubscription().negotiate(over: noted)
        }
    }

    @Test("SIM9: each connection negotiates once before it subscribes")
    func negotiated() async throws {
        let clock = TestClock()
        let socket = ScriptedWebSocket()
        let connection = try Self.client(socket, clock: clock).subscription(NegotiatingSubscription())
        var events = connection.events().makeAsyncIterator()
        connection.connect()
        for number in 0..<2 {
            let peer = try await socket.peer(at: number)
            #expect(try await peer.receiveText() == #"{"type":"connection_init"}"#)
            peer.send(#"{"type":"connection_ack"}"#)
            #expect(try await peer.receiveText() == #"{"n":1,"type":"subscribe"}"#)
            peer.send(#"{"price":\#(number)}"#)
            #expect(try await events.next() == Trade(price: number), "the acknowledgement is not an event")
            peer.drop()
            if number == 0 {
                try await clock.sleeping(forAtMost: .seconds(2))
                clock.advance(by: .seconds(1))
            }
        }
        await connection.disconnect()
    }

    @Test("SIM20: after a reconnection the subscribe message is sent again, before an event is awaited")
    func resubscribes() async throws {
        let clock = TestClock()
        let socket = ScriptedWebSocket()
        let connection = try Self.client(socket, clock: clock).subscription(TradeSubscription(symbol: "btc"))
        connection.connect()
        let first = try await socket.peer(at: 0)
        #expect(try await first.receiveText() == Self.subscribe, "no listener yet")
        first.drop()
        try await clock.sleeping(forAtMost: .seconds(2))
        #expect(connection.state == .reconnecting(attempt: 1, delay: .milliseconds(500)))
        var updates = connection.events().updates.makeAsyncIterator()
        clock.advance(by: .milliseconds(500))
        let second = try await socket.peer(at: 1)
        #expect(try await second.receiveText() == Self.subscribe)
        guard case .resumed = try await updates.next() else {
            Issue.record("not resumed")
            return
        }
        second.send(#"{"price":7}"#)
        guard case .event(Trade(price: 7)) = try await updates.next() else {
            Issue.record("no event came")
            return
        }
        let end = Task { await connection.disconnect() }
        #expect(try await second.receiveText() == Self.unsubscribe)
        await end.value
        #expect(try await updates.next() == nil)
    }

    @Test("SIM20: cancelling the listening task sends the unsubscribe message, then closes", arguments: [false, true])
    func cancels(confirms: Bool) async throws {
        let socket = ScriptedWebSocket()
        let client = Self.client(socket)
        let task = Task {
            for try await _ in client.subscribe(TradeSubscription(symbol: "btc", confirms: confirms)) {}
        }
        let peer = try await socket.peer(at: 0)
        #expect(try await peer.receiveText() == Self.subscribe)
        task.cancel()
        #expect(try await peer.receiveText() == Self.unsubscribe)
        if confirms {
            #expect(peer.receivedClose == nil, "the client waits for the confirmation")
            peer.send(#"{"result":"done"}"#)
        }
        #expect(try await peer.receiveText() == nil)
        try await peer.closed()
        #expect(peer.closure?.code == .normal && peer.closure?.isClean == true)
        await #expect(throws: SubscriptionError.self) { try await task.value }
    }

    @Test("A missing confirmation ends the wait after the time that the options set")
    func unconfirmed() async throws {
        let clock = TestClock()
        let socket = ScriptedWebSocket()
        let connection = try Self.client(socket, clock: clock).subscription(
            TradeSubscription(symbol: "btc", confirms: true))
        connection.connect()
        let peer = try await socket.peer(at: 0)
        _ = try await peer.receiveText()
        let end = Task { await connection.disconnect() }
        #expect(try await peer.receiveText() == Self.unsubscribe)
        try await clock.sleeping(forAtMost: .seconds(2))
        clock.advance(by: .seconds(2))
        await end.value
        #expect(peer.receivedClose?.code == .normal)
    }

    @Test("maximumSubscriptions 1: subscribing again while the previous unsubscription is unconfirmed is allowed")
    func anew() async throws {
        let socket = ScriptedWebSocket()
        var options = SubscriptionOptions()
        options.maximumSubscriptions = 1
        let connection = try Self.client(socket).subscription(
            TradeSubscription(symbol: "btc", confirms: true), options: options)
        connection.connect()
        let peer = try await socket.peer(at: 0)
        #expect(try await peer.receiveText() == Self.subscribe)
        let end = Task { await connection.disconnect() }
        #expect(try await peer.receiveText() == Self.unsubscribe)
        connection.connect()
        var events = connection.events().makeAsyncIterator()
        peer.send(#"{"result":"done"}"#)
        let next = try await socket.peer(at: 1)
        #expect(try await next.receiveText() == Self.subscribe)
        next.send(#"{"price":1}"#)
        #expect(try await events.next() == Trade(price: 1))
        await end.value
        let last = Task { await connection.disconnect() }
        #expect(try await next.receiveText() == Self.unsubscribe)
        next.send(#"{"result":"done"}"#)
        await last.value
    }

    @Test("SIM21: two streams share one subscription, which ends with the last of them")
    func shared() async throws {
        let socket = ScriptedWebSocket()
        let connection = try Self.client(socket).subscription(TradeSubscription(symbol: "btc"))
        var first: SubscriptionEvents<Trade>.Iterator? = connection.events().makeAsyncIterator()
        var second: SubscriptionEvents<Trade>.Iterator? = connection.events().makeAsyncIterator()
        connection.connect()
        let peer = try await socket.peer(at: 0)
        #expect(try await peer.receiveText() == Self.subscribe)
        for price in 1...3 { peer.send(#"{"price":\#(price)}"#) }
        for price in 1...3 {
            #expect(try await first?.next() == Trade(price: price))
            #expect(try await second?.next() == Trade(price: price))
        }
        first = nil
        peer.send(#"{"price":4}"#)
        #expect(try await second?.next() == Trade(price: 4))
        second = nil
        #expect(try await peer.receiveText() == Self.unsubscribe)
        #expect(try await peer.receiveText() == nil)
        await connection.disconnect()
        var late = connection.events().makeAsyncIterator()
        #expect(try await late.next() == nil, "late listeners end as well")
        connection.connect()
        let next = try await socket.peer(at: 1)
        #expect(try await next.receiveText() == Self.subscribe, "until it connects again")
        await connection.disconnect()
    }

    @Test("A Close frame of the server reconnects while a listener remains; a message that is not an event is dropped")
    func serverCloses() async throws {
        let clock = TestClock()
        let socket = ScriptedWebSocket()
        let client = Self.client(socket, clock: clock)
        let next = Task {
            for try await trade in client.subscribe(TradeSubscription(symbol: "btc")) { return trade }
            throw CancellationError()
        }
        let peer = try await socket.peer(at: 0)
        peer.close()
        try await clock.sleeping(forAtMost: .seconds(2))
        clock.advance(by: .seconds(1))
        let other = try await socket.peer(at: 1)
        other.send(#"{"result":null,"id":1}"#)
        other.send(#"{"price":1}"#)
        #expect(try await next.value == Trade(price: 1))
    }

    @Test("A permanent refusal of the server throws with its status, and is not retried", arguments: [403, 404])
    func refused(status: Int) async throws {
        let socket = ScriptedWebSocket()
        socket.onOpen { _, _ in .refuse(.json(#"{"why":"not you"}"#, status: .init(code: status))) }
        let client = Self.client(socket)
        let error = await #expect(throws: SubscriptionError.self) {
            for try await _ in client.subscribe(PlainSubscription()) {}
        }
        #expect(error?.code == .connectionFailed)
        #expect((error?.underlying as? NetworkError)?.statusCode == status)
        #expect(socket.requests.count == 1)
    }

    @Test("An HTTP URL throws from subscription(_:) and from the stream of subscribe(_:)")
    func scheme() async throws {
        struct Wrong: SubscriptionRouter {
            typealias Event = Trade
            var baseURLString: String { "https://stream.example.com" }
            var subscribeMessage: some Encodable { ["a": 1] }
        }
        let client = Self.client(ScriptedWebSocket())
        #expect(throws: WebSocketRouterError.invalidScheme("https")) { _ = try client.subscription(Wrong()) }
        let error = await #expect(throws: SubscriptionError.self) { for try await _ in client.subscribe(Wrong()) {} }
        #expect(error?.code == .invalidRequest)
    }

    @Test("Releasing a connection without listeners closes it")
    func letGo() async throws {
        let socket = ScriptedWebSocket()
        var connection: SubscriptionConnection<TradeSubscription>? =
            try Self.client(socket).subscription(TradeSubscription(symbol: "btc"))
        connection?.connect()
        let peer = try await socket.peer(at: 0)
        #expect(try await peer.receiveText() == Self.subscribe)
        #expect(connection != nil)
        connection = nil
        #expect(try await peer.receiveText() == Self.unsubscribe)
        #expect(try await peer.receiveText() == nil)
    }
}

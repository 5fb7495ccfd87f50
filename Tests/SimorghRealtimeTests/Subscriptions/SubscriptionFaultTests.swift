// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghRealtime
import SimorghSupport
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// Subscriptions whose server, network, listeners or closures are slow or fail.
@Suite(.timeLimit(.minutes(5)))
struct SubscriptionFaultTests {
    private let world = SubscriptionFixture()

    @Test("Pacing of 5 messages per second: 60 subscriptions are confirmed, and again after a lost connection")
    func paced() async throws {
        let wire = PlainProtocol(greets: false, pacing: MessageRateLimit(5, per: .seconds(1)))
        let socket = world.socket(wire)
        let listeners = (1...60).map { SubscriptionListener(payloads: socket.events("t\($0)")) }
        func answer(_ peer: ScriptedPeer, over connection: Int) async throws {
            for second in 0..<12 {
                if second > 0 {
                    // The writer's next wait, of eleven. Not a sleeper, which a stopped response deadline may leave.
                    try await eventually { world.clock.waits.count { $0 == .seconds(1) } >= 11 * connection + second }
                    world.clock.advance(by: .seconds(1))
                }
                for _ in 0..<5 {
                    let words = try #require(try await peer.receiveText()).split(separator: " ")
                    #expect(words.first == "sub")
                    peer.send("ok \(words[1])")
                }
            }
        }
        let first = try await world.server.peer(at: 0)
        try await answer(first, over: 0)
        for listener in listeners { #expect(try await listener.word(0) == "subscribed") }
        first.drop()
        // The backoff before the next connection, and no wait of its writer.
        try await world.clock.sleeping(for: .milliseconds(500))
        world.clock.advance(by: .milliseconds(500))
        try await answer(try await world.server.peer(at: 1), over: 1)
        for listener in listeners {
            #expect(try await listener.word(1) == "interrupted connectionLost")
            #expect(try await listener.word(2) == "resumed")
        }
    }

    @Test("A transient error of initPayload interrupts the subscription; a permanent one ends it")
    func tokens() async throws {
        let count = Counter()
        var wire = GraphQLTransportProtocol(url: "wss://a.test")
        wire.initPayload = {
            switch count.next() {
            case 1: throw TransportError(.timedOut, phase: .total, message: "offline")
            case 2: throw SubscriptionError(.connectionFailed, message: "my own server is away")
            case 3: return ["token": "t"]
            default: throw PlainProtocol.Refusal(why: "who are you")
            }
        }
        let listener = SubscriptionListener(
            payloads: world.socket(wire).events("subscription { a }" as GraphQLOperation))
        let peer = try await world.peer(at: 0)
        #expect(try await peer.receiveText() == #"{"payload":{"token":"t"},"type":"connection_init"}"#)
        peer.send(#"{"type":"connection_ack"}"#)
        #expect(try await listener.word(2) == "subscribed")
        #expect(listener.all == ["interrupted connectionFailed", "interrupted connectionFailed", "subscribed"])
        peer.drop()
        try await world.clock.skipWaits(upTo: .seconds(2)) { count.count >= 4 }
        #expect(try await listener.word(4) == "failed invalidRequest")
        #expect(listener.error?.underlying as? PlainProtocol.Refusal == .init(why: "who are you"))
    }

    @Test("A refused upgrade is judged by its status, and Retry-After honored, also with an error decoder")
    func refusals() async throws {
        let count = Counter()
        world.server.onOpen { _, _ in
            guard count.next() == 1 else { return .accept }
            return .refuse(StubResponse(status: .serviceUnavailable, headerFields: [.retryAfter: "77"]))
        }
        let client = world.client { $0.validation.errorDecoder = { _ in PlainProtocol.Refusal(why: "mine") } }
        let listener = SubscriptionListener(
            payloads: client.subscriptions(over: PlainProtocol(greets: false, confirms: false)).events("a"))
        #expect(try await listener.word(0) == "interrupted connectionFailed for 77 s")
        try await world.clock.sleeping(for: .seconds(77))
        world.clock.advance(by: .seconds(77))
        #expect(try await listener.word(1) == "subscribed")
    }

    private actor Tokens: TokenRefreshProvider {
        private(set) var token = "old"
        private var failures: [any Error] = [
            TransportError(.notConnectedToInternet, phase: .connect, message: "offline")
        ]

        func refreshTokenIfNeeded() async throws {
            if let failure = failures.popLast() { throw failure }
            token = "new"
        }
    }

    @Test("A token refresh that fails with a network error during the upgrade is tried again")
    func renewals() async throws {
        let tokens = Tokens()
        world.server.onOpen { request, _ in
            request.header(.authorization) == "Bearer new" ? .accept : .refuse(.status(.unauthorized))
        }
        let client = world.client { $0.authentication = .refreshing(tokens) { await tokens.token } }
        let listener = SubscriptionListener(
            payloads: client.subscriptions(over: PlainProtocol(greets: false, confirms: false)).events("a"))
        _ = try await world.peer(at: 0)
        #expect(try await listener.word(1) == "subscribed")
        #expect(listener.all.first == "interrupted connectionFailed")
    }

    @Test("perform(): a response that arrived is returned, even if the connection is lost afterwards")
    func answered() async throws {
        let socket = world.socket(PlainProtocol(greets: false))
        let answer = Task { try await socket.perform("now") }
        let peer = try await world.server.peer(at: 0)
        #expect(try await peer.receiveText() == "sub 1 now")
        peer.send("event 1 42")
        peer.drop()
        #expect(try await String(decoding: answer.value.message.bytes, as: UTF8.self) == "42")
    }

    @Test("perform(): a request without a response throws timedOut after answerTimeout")
    func unanswered() async throws {
        let socket = world.socket(PlainProtocol(greets: false, confirms: false)) { $0.answerTimeout = .seconds(30) }
        let answer = Task { try await socket.perform("now") }
        let peer = try await world.server.peer(at: 0)
        #expect(try await peer.receiveText() == "sub 1 now")
        try await world.clock.sleeping(for: .seconds(30))
        world.clock.advance(by: .seconds(30))
        let error = await #expect(throws: SubscriptionError.self) { try await answer.value }
        #expect(error?.code == .timedOut)
        #expect(try await peer.receiveText() == "bye 1")
    }

    @Test("disconnect() waits for the connections of that moment, not for one that opens meanwhile")
    func disconnects() async throws {
        let socket = world.socket(PlainProtocol(greets: false))
        let first = SubscriptionListener(payloads: socket.events("a"))
        let peer = try await world.server.peer(at: 0)
        #expect(try await peer.receiveText() == "sub 1 a")
        peer.send("ok 1")
        #expect(try await first.word(0) == "subscribed")
        let end = Task { await socket.disconnect() }
        #expect(try await peer.receiveText() == "bye 1")
        let second = SubscriptionListener(payloads: socket.events("b"))
        peer.send("gone 1")
        let next = try await world.server.peer(at: 1)
        #expect(try await next.receiveText() == "sub 2 b")
        next.send("ok 2")
        await end.value
        #expect(try await second.word(0) == "subscribed" && next.isOpen)
        #expect(try await first.word(1) == "end")
    }

    @Test("A hanging token or completion closure times out, and does not block other subscriptions")
    func hangs() async throws {
        let (count, release) = (Counter(), Gate())
        var wire = PlainProtocol(greets: false, confirms: false, preparesOperations: true)
        wire.token = {
            if count.next() == 1 {
                // Cancellation does not end it either.
                await Task.detached { try? await release.wait() }.value
            }
            return "t"
        }
        wire.complete = { topic in
            if topic == "slow" { try await Gate().wait() }
            return topic + "!"
        }
        let socket = world.socket(wire)
        let slow = SubscriptionListener(payloads: socket.events("slow"))
        defer { release.open() }
        try await world.clock.sleeping(for: .seconds(10))
        world.clock.advance(by: .seconds(10))
        #expect(try await slow.word(0) == "interrupted timedOut", "the first attempt hangs")
        let peer = try await world.peer(at: 0)
        let other = SubscriptionListener(payloads: socket.events("other"))
        // The subscriptions behind it wait for one second.
        try await world.clock.skipWaits(upTo: .seconds(1)) { !other.all.isEmpty }
        #expect(try await peer.receiveText() == "sub 2 other!")
        #expect(other.all == ["subscribed"])
        try await world.clock.skipWaits(upTo: .seconds(10)) { slow.all.count > 1 }
        #expect(slow.all[1] == "interrupted timedOut", "its completion hangs, too")
        let hasEnded = Gate()
        Task {
            await socket.disconnect()
            hasEnded.open()
        }
        // At most the time limit for closing.
        try await world.clock.skipWaits(upTo: .seconds(12)) { hasEnded.isOpen }
    }

    /// Accepts one event, and the next one only after the gate opens.
    private final class SlowSink: SubscriptionSink {
        let waits = Gate()
        let hasRoom = Gate()
        let events = Mutex<[String]>([])
        let notices = Mutex(0)

        func deliver(_ payload: SubscriptionPayload) -> Bool {
            events.withLock { $0.append(String(decoding: payload.message.bytes, as: UTF8.self)) }
            return false
        }
        func notify(_ notice: SubscriptionNotice) { notices.withLock { $0 += 1 } }
        func end(_ error: SubscriptionError?) {}
        func waitForRoom() async {
            waits.open()
            try? await hasRoom.wait()
        }
    }

    @Test("A reader suspended by a slow listener does not count as a silent server")
    func suspends() async throws {
        let client = world.client()
        let hub = SubscriptionMultiplexer(
            PlainProtocol(greets: false, confirms: false), options: SubscriptionOptions(),
            time: world.clock.timeSource, random: RandomSource { 0.5 }
        ) { router, options in
            try await client.openWebSocket(options.link) { try WebSocketRequest(router) }
        }
        let sink = SlowSink()
        _ = hub.subscribe("a", sink: sink)
        let peer = try await world.server.peer(at: 0)
        #expect(try await peer.receiveText() == "sub 1 a")
        peer.send("tick 5")
        for text in ["x", "y"] { peer.send("event 1 \(text)") }
        try await sink.waits.wait()
        for _ in 0..<10 {
            try await world.clock.sleeping()
            world.clock.advance(by: .seconds(5))
        }
        #expect(peer.isOpen && hub.status == .connected)
        sink.hasRoom.open()
        try await eventually { sink.events.withLock { $0.count } >= 2 }
        #expect(sink.events.withLock { $0 } == ["x", "y"] && sink.notices.withLock { $0 } == 1)
        hub.disconnect()
        await hub.ended()
    }

    @Test(
        "The credentials of AppSync appear in no error, in the query and in the subprotocol",
        arguments: AppSyncProtocol.Placement.allCases, [true, false])
    func secrets(placement: AppSyncProtocol.Placement, isRefused: Bool) async throws {
        let key = "da2-verysecretkey"
        world.server.onOpen { _, _ in isRefused ? .refuse(.status(.forbidden)) : .accept }
        var wire = AppSyncProtocol(
            "https://abc.appsync-api.eu-west-1.amazonaws.com/graphql", authorization: .apiKey(key))
        wire.placement = placement
        let opening = try await wire.opening(attempt: 1)
        let token = opening.router.protocols.last { $0.hasPrefix("header-") }.map { String($0.dropFirst(7)) }
        let query = (opening.router.queryParams as? [String: String])?["header"]
        let secret = try #require(token ?? query)
        let error = await #expect(throws: SubscriptionError.self) {
            for try await _ in world.socket(wire).events("subscription { a }" as GraphQLOperation) {}
        }
        let text = error.map { "\($0) \($0.message) \(String(reflecting: $0))" } ?? key
        #expect(!"\(try #require(error))".contains(key) && !text.contains(key))
        #expect(!"\(try #require(error))".contains(secret))
    }

    @Test("onAcknowledge may read the state of the connection")
    func acknowledges() async throws {
        let states = Mutex<[SubscriptionState]>([])
        let box = Mutex<SubscriptionClient<GraphQLTransportProtocol>?>(nil)
        var wire = GraphQLTransportProtocol(url: "wss://a.test")
        wire.onAcknowledge = { _ in
            let socket = box.withLock { $0 }
            states.withLock { $0.append(socket?.state ?? .idle) }
        }
        let socket = world.socket(wire)
        box.withLock { $0 = socket }
        defer { box.withLock { $0 = nil } }
        let listener = SubscriptionListener(payloads: socket.events("subscription { a }" as GraphQLOperation))
        let peer = try await world.server.peer(at: 0)
        peer.send(#"{"type":"connection_ack"}"#)
        #expect(try await listener.word(0) == "subscribed")
        #expect(states.withLock { $0 } == [.connecting(attempt: 1)])
    }

    /// A router that reads the state of its connection in each of its callbacks.
    private final class Looking: SubscriptionRouter {
        typealias Event = Trade
        let connection = Mutex<SubscriptionConnection<Looking>?>(nil)
        let states = Mutex<[SubscriptionState]>([])

        var baseURLString: String { "wss://a.test" }
        var subscribeMessage: JSON {
            look()
            return ["subscribe": 1]
        }
        var unsubscribeMessage: JSON? {
            look()
            return ["unsubscribe": 1]
        }
        func confirmsUnsubscribe(_ message: WebSocketMessage) -> Bool? {
            look()
            return true
        }
        private func look() {
            guard let connection = connection.withLock({ $0 }) else { return }
            states.withLock { $0.append(connection.state) }
        }
    }

    @Test("A router's callbacks may read the state of its connection")
    func looks() async throws {
        let router = Looking()
        let connection = try world.client().subscription(router)
        router.connection.withLock { $0 = connection }
        connection.connect()
        let peer = try await world.server.peer(at: 0)
        #expect(try await peer.receiveText() == #"{"subscribe":1}"#)
        let end = Task { await connection.disconnect() }
        #expect(try await peer.receiveText() == #"{"unsubscribe":1}"#)
        peer.send("gone")
        await end.value
        router.connection.withLock { $0 = nil }
        #expect(router.states.withLock { $0.count } >= 3)
    }

    @Test("SubscriptionBuffer: alternating events and notices keep the bound if none is read")
    func fullMailbox() async throws {
        var options = SubscriptionOptions()
        options.bufferSize = 4
        let mailbox = SubscriptionBuffer(options)
        for number in 0..<100 {
            _ = mailbox.deliver(SubscriptionPayload(.text("\(number)")))
            mailbox.notify(.interrupted(SubscriptionError(.connectionLost, message: "lost"), retryAfter: .zero))
        }
        mailbox.end(nil)
        var (missed, payloads, notices) = (0, 0, 0)
        while let item = try await mailbox.next() {
            switch item {
            case .missed(let count): missed += count
            case .payload: payloads += 1
            case .notice: notices += 1
            }
        }
        #expect(payloads + notices <= 5)
        #expect(missed + payloads == 100)
    }

    @Test("reconnect() without a connection connects once")
    func reconnects() async throws {
        let connection = try world.client().subscription(TradeSubscription(symbol: "btc"))
        connection.reconnect()
        let peer = try await world.server.peer(at: 0)
        #expect(try await peer.receiveText() != nil)
        let end = Task { await connection.disconnect() }
        #expect(try await peer.receiveText() != nil)
        await end.value
        connection.reconnect()
        #expect(try await world.server.peer(at: 1).receiveText() != nil)
        await connection.disconnect()
        #expect(world.server.requests.count == 2)
    }

    @Test("SubscriptionSendQueue: waiting messages are bounded in bytes, and only the last pong waits")
    func outbox() async {
        let outbox = SubscriptionSendQueue()
        for number in 1...1000 { #expect(outbox.putLatest(.text("pong \(number)"))) }
        #expect(outbox.put(.mark(SubscriptionID(1))))
        guard case .message(.text("pong 1000"))? = await outbox.next(), case .mark? = await outbox.next() else {
            Issue.record("more than one pong waits")
            return
        }
        let large = WebSocketMessage.data(Data(count: 9 * 1024 * 1024))
        #expect(outbox.put(.message(large)))
        #expect(!outbox.put(.message(large)) && !outbox.putLatest(large))
        _ = await outbox.next()
        #expect(outbox.put(.message(.data(Data(count: 20 * 1024 * 1024)))), "a single message may exceed the bound")
        #expect(!outbox.put(.message(.text("x"))))
    }

    @Test("onNetworkAvailable that returns at once does not end each backoff at once")
    func path() async throws {
        let count = Counter()
        world.server.onOpen { _, _ in
            count.next()
            return .fail(TransportError(.cannotConnectToHost, phase: .connect, message: "away"))
        }
        let socket = world.socket(PlainProtocol()) {
            $0.webSocket.reconnectPolicy = WebSocketReconnectPolicy(maximumAttempts: 3, initialDelay: 10)
            $0.webSocket.onNetworkAvailable = {}
        }
        let listener = SubscriptionListener(payloads: socket.events("a"))
        #expect(try await listener.word(0) == "interrupted connectionFailed")
        try await world.clock.sleeping(2)
        #expect(count.count == 1)
    }
}

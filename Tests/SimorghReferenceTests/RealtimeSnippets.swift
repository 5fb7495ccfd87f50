// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import TestSupport
import Testing

@Suite("Reference: WebSockets and subscriptions", .timeLimit(.minutes(5)))
struct RealtimeSnippets {
    struct ChatSocket: WebSocketRouter {
        var baseURLString: String { "wss://api.example.com" }
        var path: String { "/chat" }
        var queryParams: [String: String]? { ["room": "general"] }
        var headers: [String: String]? { ["Authorization": "Bearer \(token)"] }
        var protocols: [String] { ["chat.v1"] }
        private let token: String
        init(token: String) { self.token = token }
    }

    @Test("A connection opens the router's URL, delivers events, and sends messages")
    func connection() async throws {
        let server = ScriptedWebSocket()
        let client = Reference.client(over: server)
        let token = "abc"
        let shown = Shown()
        let print = { @Sendable (value: Any) in shown(value) }
        let connection = try client.webSocketConnection(
            ChatSocket(token: token),
            options: WebSocketOptions(
                pingInterval: 25,
                reconnectPolicy: WebSocketReconnectPolicy(
                    maximumAttempts: 3, initialDelay: 1, multiplier: 2, maximumDelay: 30
                )
            )
        )
        let events = connection.events()
        connection.connect()
        let listening = Task {
            for try await event in events {
                switch event {
                case .connected: print("Connected")
                case .message(let msg): print(try msg.decoded() as ChatMessage)
                case .reconnecting(let attempt, let delay): print("Retry \(attempt) in \(delay)s")
                case .disconnected(let code, _): print("Closed: \(code)")
                case .pong: break
                }
            }
        }
        let peer = try await server.peer(at: 0)
        try await connection.waitUntilConnected()
        #expect(peer.request.url.hasSuffix("://api.example.com/chat?room=general"))
        #expect(peer.request.header(.authorization) == "Bearer abc")
        #expect(peer.options.subprotocols == ["chat.v1"])
        #expect(connection.state == .connected)

        let binaryData = Data([1, 2, 3])
        try await connection.send(ChatMessage(text: "hello"))  // Encodable → JSON UTF-8 text frame
        try await connection.sendText("raw text")
        try await connection.sendData(binaryData)
        try await connection.ping()
        #expect(try await peer.receiveText() == #"{"text":"hello"}"#)
        #expect(try await peer.receiveText() == "raw text")
        #expect(try await peer.receive() == .data(binaryData))

        peer.send(#"{"text":"hi"}"#)
        try await shown.wait(for: 2)
        connection.close()
        _ = await listening.result
        #expect(shown.all.prefix(2) == ["Connected", "\(ChatMessage(text: "hi"))"])
        #expect(shown.all.last?.hasPrefix("Closed: ") == true)
    }

    @Test("messages(of:) delivers decoded messages")
    func messages() async throws {
        let server = ScriptedWebSocket()
        let connection = try Reference.client(over: server).webSocketConnection(ChatSocket(token: "t"))
        let shown = Shown()
        let print = { @Sendable (value: Any) in shown(value) }
        connection.connect()
        let peer = try await server.peer(at: 0)
        let listening = Task {
            for try await message in connection.messages(of: ChatMessage.self) {
                print(message)
            }
        }
        // A message that arrives before an observer is registered is not delivered.
        try await eventually {
            if !shown.all.isEmpty { return true }
            peer.send(#"{"text":"hi"}"#)
            return false
        }
        #expect(shown.all.first == "\(ChatMessage(text: "hi"))")
        let state: WebSocketConnectionState = connection.state
        #expect(state == .connected)
        connection.reconnect()
        _ = try await server.peer(at: 1)
        connection.close()
        _ = await listening.result
        #expect(connection.state == .disconnected)
    }

    struct TradeSubscription: SubscriptionRouter {
        typealias Event = TradeEvent
        var baseURLString: String { "wss://stream.example.com" }
        var path: String { "/ws" }
        let symbol: String
        var subscribeMessage: some Encodable {
            ["method": "SUBSCRIBE", "params": ["\(symbol)@trade"], "id": 1]
        }
        var unsubscribeMessage: (some Encodable)? {
            ["method": "UNSUBSCRIBE", "params": ["\(symbol)@trade"], "id": 1]
        }
        func decodeEvent(from message: WebSocketMessage, using decoder: JSONDecoder) throws -> TradeEvent? {
            try? message.decoded(as: TradeEvent.self, decoder: decoder)
        }
    }

    private static func expectSubscription(_ peer: ScriptedPeer, _ method: String) async throws {
        let message = try #require(try await peer.receive()?.decoded(as: JSON.self))
        #expect(message.method == JSON(stringLiteral: method))
        #expect(message.params[0] == "btcusdt@trade")
        #expect(message.id == 1)
    }

    @Test("subscribe() subscribes, skips messages that are not events, and unsubscribes on cancellation")
    func subscribe() async throws {
        let server = ScriptedWebSocket()
        let apiClient = Reference.client(over: server)
        let shown = Shown()
        let print = { @Sendable (value: Any) in shown(value) }
        let task = Task {
            for try await trade in apiClient.subscribe(TradeSubscription(symbol: "btcusdt")) {
                print(trade)
            }
        }
        let peer = try await server.peer(at: 0)
        try await Self.expectSubscription(peer, "SUBSCRIBE")
        peer.send(#"{"result":null,"id":1}"#)
        peer.send(#"{"s":"BTCUSDT","p":"1"}"#)
        try await shown.wait(for: 1)
        task.cancel()
        try await Self.expectSubscription(peer, "UNSUBSCRIBE")
        #expect(shown.all == ["\(TradeEvent(s: "BTCUSDT", p: "1"))"])
    }

    @Test("subscribe() as a publisher delivers events")
    func published() async throws {
        let server = ScriptedWebSocket()
        let apiClient = Reference.client(over: server)
        var cancellables = Set<AnyCancellable>()
        let shown = Shown()
        let print = { @Sendable (value: Any) in shown(value) }
        apiClient.subscribe(TradeSubscription(symbol: "btcusdt"))
            .receive(on: DispatchQueue.main)
            .sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
            .store(in: &cancellables)
        let peer = try await server.peer(at: 0)
        try await Self.expectSubscription(peer, "SUBSCRIBE")
        peer.send(#"{"s":"BTCUSDT","p":"1"}"#)
        try await shown.wait(for: 1)
        cancellables = []
        try await Self.expectSubscription(peer, "UNSUBSCRIBE")
    }

    @Test("A subscription handle connects, delivers events, and disconnects")
    func handle() async throws {
        let server = ScriptedWebSocket()
        let apiClient = Reference.client(over: server)
        let shown = Shown()
        let print = { @Sendable (value: Any) in shown(value) }
        let sub = try apiClient.subscription(TradeSubscription(symbol: "btcusdt"))
        sub.connect()
        let listening = Task { for try await trade in sub.events() { print(trade) } }
        let peer = try await server.peer(at: 0)
        try await Self.expectSubscription(peer, "SUBSCRIBE")
        try await eventually {
            if !shown.all.isEmpty { return true }
            peer.send(#"{"s":"BTCUSDT","p":"1"}"#)
            return false
        }
        async let unsubscribed: Void = Self.expectSubscription(peer, "UNSUBSCRIBE")
        await sub.disconnect()
        try await unsubscribed
        _ = await listening.result
        #expect(shown.all.first == "\(TradeEvent(s: "BTCUSDT", p: "1"))")
    }
}

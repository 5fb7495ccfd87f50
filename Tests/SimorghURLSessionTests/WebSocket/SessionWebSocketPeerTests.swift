// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghURLSession
import TestSupport
import Testing

/// The connection, its reconnection and the subscriptions, unchanged, over the WebSockets of SimorghURLSession: against
/// Python's websockets (Tests/Peers), with the engine in place of the session's network.
@Suite("SessionWebSocket interop with Python's websockets", .timeLimit(.minutes(5)))
struct SessionWebSocketPeerTests {
    struct Socket: WebSocketRouter {
        var baseURLString: String
        var path: String
        var protocols: [String] = []

        init(_ path: String, protocols: [String] = []) throws {
            baseURLString = try SessionWebSocketPeerTests.server("SIMORGH_REALTIME_URL")
            self.path = path
            self.protocols = protocols
        }
    }

    private static func server(_ name: String) throws -> String {
        try #require(ProcessInfo.processInfo.environment[name], "run `make test`, which starts the servers")
    }

    private let client = APIClient(configuration: APIClient.Configuration(), transport: EngineSessionTransport())

    private func options(_ attempts: Int = 3) -> WebSocketOptions {
        WebSocketOptions(reconnectPolicy: WebSocketReconnectPolicy(maximumAttempts: attempts, initialDelay: 0.001))
    }

    @Test("Messages are echoed unchanged, with the selected subprotocol and without compression")
    func echo() async throws {
        var options = options()
        options.compression = .deflate
        options.maximumFrameSize = 10
        try await client.withWebSocket(Socket("/echo", protocols: ["none", "chat.v1"]), options: options) { socket in
            #expect(socket.subprotocol == "chat.v1")
            #expect(socket.compression == nil)
            var events = socket.events().makeAsyncIterator()
            #expect(try await events.next() == .connected)
            let text = String(repeating: "سیمرغ ", count: 20_000)
            try await socket.sendText(text)
            #expect(try await events.next() == .message(.text(text)))
            let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try await socket.sendData(data)
            #expect(try await events.next() == .message(.data(data)))
            #expect(try await socket.ping() > .zero)
            #expect(try await events.next() == .pong)
            for number in 0..<1000 { try await socket.sendText("\(number)") }
            for number in 0..<1000 { #expect(try await events.next() == .message(.text("\(number)"))) }
        }
    }

    @Test("A refused upgrade is final, and reports its status", arguments: [401, 403, 404, 200, 302])
    func refusal(status: Int) async throws {
        let connection = try client.webSocketConnection(Socket("/reject/\(status)"), options: options())
        connection.connect()
        let error = await webSocketFailure { try await connection.waitUntilConnected() }
        #expect(error?.statusCode == status)
        try await connection.waitUntilClosed()
    }

    @Test("Messages arrive once and in order over many dropped connections")
    func reconnects() async throws {
        var options = options(10)
        options.reconnectPolicy.stableAfter = 0
        try await client.withWebSocket(Socket("/numbers"), options: options) { socket in
            var last = -1
            var connections = 0
            for try await event in socket.events() {
                if event == .connected { connections += 1 }
                if case .message(.text(let text)) = event {
                    let number = try #require(Int(text))
                    #expect(number > last)
                    last = number
                }
                if connections == 5 { break }
            }
        }
    }

    @Test("The server's close code decides whether the client reconnects", arguments: ServerCloseCase.all)
    func closeCodes(close: ServerCloseCase) async throws {
        let connection = try client.webSocketConnection(Socket("/close/\(close.code)"), options: options(1))
        #expect(try await close.outcome(of: connection) == close.expected)
    }

    @Test("A message above maximumMessageSize ends the connection with 1009")
    func tooLarge() async throws {
        var options = options()
        options.maximumMessageSize = 100
        let connection = try client.webSocketConnection(Socket("/bytes/200"), options: options)
        connection.connect()
        var failure: WebSocketError?
        do {
            for try await event in connection.events() {
                if case .message = event { Issue.record("a message that is too large was delivered") }
            }
        } catch {
            failure = error as? WebSocketError
        }
        #expect(failure?.code == .messageTooLarge)
        #expect(failure?.closeCode == .messageTooBig)
    }

    @Test("Subscriptions subscribe again on each new connection")
    func subscriptions() async throws {
        let base =
            try Self.server("SIMORGH_SUBSCRIPTIONS_URL")
            + "/with/drop_after=2,drops=5,tick_ms=1,journal=\(UUID().uuidString.lowercased())"
        var options = SubscriptionOptions(webSocket: options(1000))
        options.readyTimeout = .seconds(3600)
        options.subscribeTimeout = .seconds(3600)
        let socket = client.subscriptions(
            over: PhoenixProtocol(url: base + "/socket/websocket"), options: options)
        var interruptions = 0
        for try await update in socket.events(.topic("room:1")).updates {
            if case .interrupted = update { interruptions += 1 }
            if case .event = update, interruptions >= 5 { break }
        }
        await socket.disconnect()
        #expect(interruptions >= 5)
    }
}

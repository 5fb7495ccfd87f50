// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghSupport
import SimorghTesting

extension ConformanceCase {
    private struct Socket: WebSocketRouter {
        let path: String
        var protocols: [String] = []
    }

    /// Returns the messages that arrive until there are `count` of them.
    private static func receive(_ count: Int, from events: WebSocketEvents) async throws -> [WebSocketMessage] {
        var messages: [WebSocketMessage] = []
        for try await event in events {
            guard case .message(let message) = event else { continue }
            messages.append(message)
            if messages.count == count { return messages }
        }
        throw Failure(description: "only \(messages.count) of \(count) messages arrived")
    }

    /// Returns a case with a server that sends every message back.
    private static func echo(
        _ name: String, _ body: @escaping @Sendable (WebSocketConnection) async throws -> String?
    ) -> ConformanceCase {
        ConformanceCase(.webSocket, name: name) { transport in
            try await MockServer.with { server in
                server.on(
                    .get, path: "/echo",
                    response: .webSocket { socket in
                        while let message = try await socket.receive() { try await socket.send(message) }
                    })
                let client = APIClient(configuration: server.clientConfiguration, transport: transport)
                return try await client.withWebSocket(Socket(path: "/echo", protocols: ["echo"]), body: body)
            }
        }
    }

    private static func check(_ condition: Bool, otherwise message: @autoclosure () -> String) throws {
        if !condition { throw Failure(description: message()) }
    }

    /// The short form of the WebSocket suite.
    static let webSocket: [ConformanceCase] = [
        echo("A text message is sent and received") { socket in
            let events = socket.events()
            try await socket.sendText("Simurgh سیمرغ")
            let messages = try await receive(1, from: events)
            try check(messages == [.text("Simurgh سیمرغ")], otherwise: "\(messages) arrived")
            return nil
        },
        echo("A binary message of 100 KB is sent and received") { socket in
            let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let events = socket.events()
            try await socket.sendData(bytes)
            let messages = try await receive(1, from: events)
            try check(messages == [.data(bytes)], otherwise: "other bytes arrived")
            return nil
        },
        echo("A hundred messages arrive in order") { socket in
            let events = socket.events()
            for number in 0..<100 { try await socket.sendText("\(number)") }
            let messages = try await receive(100, from: events)
            try check(messages == (0..<100).map { .text("\($0)") }, otherwise: "the order is \(messages)")
            return nil
        },
        echo("A ping is answered") { socket in "\(try await socket.ping())" },
        echo("The subprotocol is agreed on, and compression is reported") { socket in
            try check(socket.subprotocol == "echo", otherwise: "the subprotocol is \(socket.subprotocol ?? "missing")")
            return socket.compression == nil ? "without compression" : "with compression"
        },
        ConformanceCase(.webSocket, name: "The server's close code and reason are reported") { transport in
            try await MockServer.with { server in
                server.on(
                    .get, path: "/close",
                    response: .webSocket { socket in await socket.close(code: .goingAway, reason: "restart") })
                let client = APIClient(configuration: server.clientConfiguration, transport: transport)
                let policy = WebSocketReconnectPolicy(maximumAttempts: 0)
                let socket = try client.webSocketConnection(
                    Socket(path: "/close"), options: WebSocketOptions(reconnectPolicy: policy))
                defer { socket.close() }
                socket.connect()
                let info = try await socket.waitUntilClosed()
                try check(
                    info?.code == .goingAway && info?.reason == "restart",
                    otherwise: "the connection ended with \(info.map { "\($0)" } ?? "nothing")")
                return nil
            }
        },
        ConformanceCase(.webSocket, name: "A refused upgrade reports the status") { transport in
            try await MockServer.with { server in
                server.on(.get, path: "/refused", response: .status(.forbidden))
                let client = APIClient(configuration: server.clientConfiguration, transport: transport)
                do {
                    try await client.withWebSocket(Socket(path: "/refused")) { _ in }
                } catch let error as WebSocketError {
                    try check(error.statusCode == 403, otherwise: "the error is \(error)")
                    return nil
                }
                throw Failure(description: "the upgrade was accepted")
            }
        },
    ]
}

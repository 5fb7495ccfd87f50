// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh

// shown: begin
struct EchoSocket: WebSocketRouter {
    let baseURLString: String
    var path: String { "/echo" }
}

/// A WebSocket that reconnects, and its events.
actor RealtimeTab {
    let client = APIClient()
    private var connection: WebSocketConnection?

    func connect(to base: String) throws -> AsyncThrowingStream<Line, any Error> {
        connection?.close()
        let connection = try client.webSocketConnection(
            EchoSocket(baseURLString: base),
            options: WebSocketOptions(
                pingInterval: 25,
                reconnectPolicy: WebSocketReconnectPolicy(
                    maximumAttempts: 5, initialDelay: 0.5, multiplier: 2, maximumDelay: 10)))
        self.connection = connection
        let events = connection.events()
        connection.connect()
        return feed { send in
            // The page stopped listening.
            defer { connection.close() }
            for try await event in events {
                switch event {
                case .connected: send(Line("state", "connected"))
                case .message(.text(let text)): send(Line("text", text))
                case .message(.data(let data)): send(Line("data", Self.hexadecimal(data)))
                case .reconnecting(let attempt, let delay):
                    let reason = events.reason.map { ": \($0.message)" } ?? ""
                    send(Line("lost", "attempt \(attempt) in \(delay) s\(reason)"))
                case .disconnected(let code, let reason): send(Line("state", "closed: \(code) \(reason)"))
                case .pong: send(Line("pong", "pong"))
                }
            }
        }
    }

    func send(_ text: String) async throws { try await made().sendText(text) }

    func send(_ bytes: Data) async throws { try await made().sendData(bytes) }

    func ping() async throws -> Double { try await made().ping() / .milliseconds(1) }

    /// Returns the connection.
    private func made() throws -> WebSocketConnection {
        guard let connection else { throw WebSocketError(.notConnected, message: "connect first") }
        return connection
    }

    func close() { connection?.close() }
}
// shown: end

extension RealtimeTab {
    /// Returns the first 32 bytes of a frame as hexadecimal text.
    private static func hexadecimal(_ data: Data) -> String {
        let shown = data.prefix(32).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        return "\(data.count) bytes: \(shown.joined(separator: " "))\(data.count > 32 ? " …" : "")"
    }

    /// A line of the page's log.
    struct Line: Encodable, Sendable {
        let kind: String
        let text: String

        init(_ kind: String, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }
}

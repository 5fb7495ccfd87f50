// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghRealtime

extension WebSocketChannel {
    /// Receives the next message as text; `nil` at the end, and for a binary message.
    package func text() async throws -> String? {
        guard case .text(let text)? = try await receive() else { return nil }
        return text
    }
}

/// Runs a closure that must throw a `WebSocketError`, and returns the error.
package func webSocketFailure(_ body: () async throws -> some Any) async -> WebSocketError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? WebSocketError
    }
}

/// A close code that Tests/Peers/realtime.py sends after the first message, with what a client does that may reconnect
/// once.
package struct ServerCloseCase: Sendable {
    /// The cases for each transport.
    package static let all = [
        ServerCloseCase(code: 1000, connections: 1), ServerCloseCase(code: 4401, connections: 2),
        ServerCloseCase(code: 1008, connections: 1), ServerCloseCase(code: 1012, connections: 2),
    ]

    /// The connections of a client, and its last event.
    package struct Outcome: Sendable, Equatable {
        var connections = 0
        var last: WebSocketEvent?
    }

    package let code: UInt16
    private let connections: Int

    private init(code: UInt16, connections: Int) {
        self.code = code
        self.connections = connections
    }

    package var expected: Outcome {
        Outcome(
            connections: connections, last: .disconnected(code: .init(rawValue: code), reason: "as you wished"))
    }

    /// Connects, and sends a message over each connection.
    ///
    /// - Parameter connection: The connection, which may reconnect once.
    /// - Returns: The outcome.
    /// - Throws: The error of the connection.
    package func outcome(of connection: WebSocketConnection) async throws -> Outcome {
        var outcome = Outcome()
        let events = connection.events()
        connection.connect()
        for try await event in events {
            if event == .connected {
                outcome.connections += 1
                try await connection.sendText("x")
            }
            outcome.last = event
        }
        return outcome
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghSupport

extension StubResponse {
    /// Creates a response that accepts a WebSocket handshake and runs a function as the server's end.
    ///
    /// ```swift
    /// server.on(.get, path: "/live", response: .webSocket { socket in
    ///     let greeting = try await socket.receiveText()
    ///     try await socket.send("you said \(greeting ?? "nothing")")
    /// })
    /// ```
    /// When the function returns, the server sends a close frame; if it throws, the connection ends without one. A
    /// ``MockServer`` sends this response over HTTP/1.1; in memory use ``ScriptedWebSocket``.
    ///
    /// - Parameters:
    ///   - subprotocol: Chooses one of the offered subprotocols; by default the first.
    ///   - play: The function for the server's end.
    /// - Returns: The response.
    public static func webSocket(
        subprotocol: @escaping @Sendable (_ offered: [String]) -> String? = { $0.first },
        _ play: @escaping @Sendable (_ socket: MockSocket) async throws -> Void
    ) -> StubResponse {
        var response = StubResponse(status: .switchingProtocols)
        response.content = .webSocket(WebSocketScript(subprotocol: subprotocol, run: play))
        return response
    }

    /// Creates a response that accepts a WebSocket handshake and performs a list of steps.
    ///
    /// - Parameters:
    ///   - subprotocol: Chooses one of the offered subprotocols; by default the first.
    ///   - steps: The server's steps, in order; afterwards it sends a close frame. An unexpected message ends the
    ///     connection with code 1008 and a reason that names both messages.
    /// - Returns: The response.
    public static func webSocket(
        subprotocol: @escaping @Sendable (_ offered: [String]) -> String? = { $0.first }, _ steps: [WebSocketStep]
    ) -> StubResponse {
        webSocket(subprotocol: subprotocol) { socket in
            for step in steps { try await socket.perform(step) }
        }
    }

    /// Creates a response of a GraphQL subscription server.
    ///
    /// It accepts the connection and sends the same payloads to each subscription, followed by `complete`.
    ///
    /// It uses `graphql-transport-ws`, or the older `graphql-ws` if the client offers no other.
    ///
    /// - Parameter payloads: The payload of each `next` message (`data` in the older protocol), as JSON.
    /// - Returns: The response.
    public static func graphQLSubscription(_ payloads: [String]) -> StubResponse {
        let known = ["graphql-transport-ws", "graphql-ws"]
        return webSocket(subprotocol: { offered in known.first { offered.contains($0) } }) { socket in
            let event = socket.subprotocol == "graphql-ws" ? "data" : "next"
            while let text = try await socket.receiveText() {
                guard let message = try? JSON(parsing: Data(text.utf8)), let type = message.type.string else {
                    return await socket.close(code: 4400, reason: "not a message")
                }
                switch type {
                case "connection_init": try await socket.send(#"{"type":"connection_ack"}"#)
                case "ping": try await socket.send(#"{"type":"pong"}"#)
                case "subscribe", "start":
                    let id = EchoJSON.string(message.id.string ?? "").text
                    for payload in payloads {
                        try await socket.send(#"{"id":\#(id),"type":"\#(event)","payload":\#(payload)}"#)
                    }
                    try await socket.send(#"{"id":\#(id),"type":"complete"}"#)
                default: continue
                }
            }
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghSupport

extension StubResponse {
    /// The answer to the opening of a WebSocket: the server agrees, and a function plays its end.
    ///
    /// ```swift
    /// server.on(.get, "/live", .webSocket { socket in
    ///     let greeting = try await socket.receiveText()
    ///     try await socket.send("you said \(greeting ?? "nothing")")
    /// })
    /// ```
    /// When the function returns, the server says goodbye; what it throws ends the connection without one. A
    /// ``MockServer`` gives it, over HTTP/1.1; in memory there is ``ScriptedWebSocket``.
    ///
    /// - Parameters:
    ///   - subprotocol: Chooses one of the subprotocols that the client offers; by default the first.
    ///   - play: Plays the server's end.
    /// - Returns: The answer.
    public static func webSocket(
        subprotocol: @escaping @Sendable (_ offered: [String]) -> String? = { $0.first },
        _ play: @escaping @Sendable (_ socket: MockSocket) async throws -> Void
    ) -> StubResponse {
        var response = StubResponse(status: .switchingProtocols)
        response.content = .webSocket(WebSocketScript(subprotocol: subprotocol, run: play))
        return response
    }

    /// The answer to the opening of a WebSocket: the server goes through a list.
    ///
    /// - Parameters:
    ///   - subprotocol: Chooses one of the subprotocols that the client offers; by default the first.
    ///   - steps: What it does, one after the other; behind the last it says goodbye. A message that is not the one
    ///     expected ends the connection with 1008 and a reason that names both.
    /// - Returns: The answer.
    public static func webSocket(
        subprotocol: @escaping @Sendable (_ offered: [String]) -> String? = { $0.first }, _ steps: [WebSocketStep]
    ) -> StubResponse {
        webSocket(subprotocol: subprotocol) { socket in
            for step in steps { try await socket.perform(step) }
        }
    }

    /// The answer of a server of GraphQL subscriptions: it agrees to the connection, and answers each subscription with
    /// the same payloads, until the client has had them all.
    ///
    /// It speaks `graphql-transport-ws`, and the older `graphql-ws` with a client that offers no other.
    ///
    /// - Parameter payloads: The payload of each `next` message, of `data` in the older protocol, as JSON.
    /// - Returns: The answer.
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

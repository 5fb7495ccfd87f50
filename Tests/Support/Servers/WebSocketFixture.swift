// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
package import SimorghCore
package import SimorghRealtime
import SimorghSupport
package import SimorghTesting

/// A scripted server, a test clock, and a client that uses both.
package struct WebSocketFixture {
    package struct Socket: WebSocketRouter {
        package var baseURLString: String
        package var path: String
        package var headers: [String: String]?
        package var protocols: [String]

        package init(
            baseURLString: String = "wss://api.test", path: String = "/chat", headers: [String: String]? = nil,
            protocols: [String] = []
        ) {
            self.baseURLString = baseURLString
            self.path = path
            self.headers = headers
            self.protocols = protocols
        }
    }

    package struct Note: Codable, Sendable, Equatable {
        package var text: String

        package init(text: String) { self.text = text }
    }

    package let server = ScriptedWebSocket()
    package let clock = TestClock()

    package init() {}

    /// The delays of SIM19: 1, 2 and 4 seconds.
    package static let policy = WebSocketReconnectPolicy(
        maximumAttempts: 3, initialDelay: 1, multiplier: 2, maximumDelay: 30)

    package static func options(_ change: (inout WebSocketOptions) -> Void = { _ in }) -> WebSocketOptions {
        var options = WebSocketOptions(reconnectPolicy: policy)
        change(&options)
        return options
    }

    package func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        .scripted(server) {
            $0.time = clock.timeSource
            change(&$0)
        }
    }

    package func connection(
        _ router: some WebSocketRouter = Socket(), options: WebSocketOptions = options(),
        change: (inout APIClient.Configuration) -> Void = { _ in }
    ) throws -> WebSocketConnection {
        try client(change).webSocketConnection(router, options: options)
    }

    /// Returns an open connection, the server's end of it, and its events from the beginning.
    package func connected(
        _ options: WebSocketOptions = options()
    ) async throws -> (WebSocketConnection, ScriptedPeer, WebSocketEvents) {
        let connection = try connection(Socket(), options: options)
        let events = connection.events()
        // Before connecting, which may complete at any moment.
        let count = server.peers.count
        connection.connect()
        let peer = try await server.peer(at: count)
        try await connection.waitUntilConnected()
        return (connection, peer, events)
    }

    /// Collects all events of a stream, and the error that ended it.
    package static func all(_ events: WebSocketEvents) async -> ([WebSocketEvent], WebSocketError?) {
        var all: [WebSocketEvent] = []
        do throws(WebSocketError) {
            for try await event in TypedElements(events) { all.append(event) }
            return (all, nil)
        } catch {
            return (all, error)
        }
    }
}

/// Returns the error code of a call; `nil` if it succeeds or throws an error other than `WebSocketError`.
package func webSocketCode(_ body: () async throws -> Void) async -> WebSocketError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? WebSocketError)?.code
    }
}

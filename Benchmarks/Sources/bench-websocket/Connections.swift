// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghNIO
import SimorghRealtime

/// Many connections as in an application: each a `WebSocketConnection` with a stream of its events.
enum Connections {
    private struct Open: Sendable {
        let connection: WebSocketConnection
        let events: WebSocketEvents
    }

    private static func open(_ client: APIClient, url: String) async throws -> Open {
        let connection = try client.webSocketConnection(WebSocketBenchmark.Endpoint(baseURLString: url))
        let events = connection.events()
        connection.connect()
        try await connection.waitUntilConnected()
        return Open(connection: connection, events: events)
    }

    private static func connect(_ url: String, count: Int) async throws -> [Open] {
        let client = APIClient(transport: NIOTransport.shared)
        var all: [Open] = []
        while all.count < count {
            let wave = min(100, count - all.count)
            try await withThrowingTaskGroup(of: Open.self) { group in
                for _ in 0..<wave { group.addTask { try await open(client, url: url) } }
                for try await one in group { all.append(one) }
            }
        }
        return all
    }

    /// Prints the memory of an idle connection.
    static func idle(_ url: String, count: Int) async throws {
        // The first ones allocate what all share.
        let first = try await connect(url, count: 200)
        let before = WebSocketBenchmark.residentBytes
        let others = try await connect(url, count: count - first.count)
        let after = WebSocketBenchmark.residentBytes
        print("\(first.count + others.count) open, \((after - before) / max(others.count, 1)) bytes each")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for one in others.prefix(1000) { group.addTask { try await one.connection.ping() } }
            try await group.waitForAll()
        }
        let pinged = WebSocketBenchmark.residentBytes
        print("1000 pinged, \((pinged - before) / max(others.count, 1)) bytes each")
        await close(first + others)
    }

    /// Prints the number of echoed messages per second of all connections together.
    static func crowd(_ url: String, count: Int, messages: Int) async throws {
        let all = try await connect(url, count: count)
        let message = WebSocketMessage.data(Data(repeating: 0x78, count: 32))
        let time = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for one in all { group.addTask { try await exchange(one, message: message, count: messages) } }
                try await group.waitForAll()
            }
        }
        print("\(Int(Double(count * messages) / (time / .seconds(1)))) messages a second over \(count) connections")
        await close(all)
    }

    private static func exchange(_ one: Open, message: WebSocketMessage, count: Int) async throws {
        var left = count
        guard left > 0 else { return }
        try await one.connection.send(message)
        for try await event in one.events {
            guard case .message(let reply) = event else { continue }
            guard reply.byteCount == message.byteCount else { exit(1) }
            left -= 1
            guard left > 0 else { return }
            try await one.connection.send(message)
        }
    }

    private static func close(_ all: [Open]) async {
        for one in all { one.connection.close() }
        for one in all { _ = try? await one.connection.waitUntilClosed() }
    }
}

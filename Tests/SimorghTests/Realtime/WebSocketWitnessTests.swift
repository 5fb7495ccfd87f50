// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import Synchronization
import TestSupport
import Testing

@Suite("WebSocket interop with Python's websockets", .timeLimit(.minutes(10)))
struct WebSocketWitnessTests {
    struct Socket: WebSocketRouter {
        var baseURLString: String
        var path: String
        var queryParams: [String: String]?
        var protocols: [String] = []

        init(_ path: String, query: [String: String]? = nil, protocols: [String] = []) throws {
            baseURLString = try Witness.realtime.url
            self.path = path
            queryParams = query
            self.protocols = protocols
        }
    }

    private func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        var configuration = APIClient.Configuration()
        change(&configuration)
        return APIClient(configuration: configuration, transport: NIOTransport())
    }

    private func options(_ attempts: Int = 3) -> WebSocketOptions {
        WebSocketOptions(reconnectPolicy: WebSocketReconnectPolicy(maximumAttempts: attempts, initialDelay: 0.001))
    }

    /// Returns the number of connections with an id that the server has open.
    private func openCount(_ id: String) async throws -> Int {
        let url = try Witness.realtime.url.replacing("ws://", with: "http://")
        return Int(String(decoding: try await client().call(.get, url + "/open?id=\(id)").data(), as: UTF8.self)) ?? -1
    }

    @Test("Text and binary messages are echoed unchanged, compressed or not", arguments: [false, true])
    func echo(isCompressed: Bool) async throws {
        var options = options()
        if isCompressed { options.compression = .deflate }
        let socket = try Socket("/echo", protocols: ["none", "chat.v1"])
        try await client().withWebSocket(socket, options: options) { socket in
            #expect(socket.subprotocol == "chat.v1")
            #expect((socket.compression != nil) == isCompressed)
            var events = socket.events().makeAsyncIterator()
            #expect(try await events.next() == .connected)
            let text = String(repeating: "سیمرغ ", count: 20_000)
            try await socket.sendText(text)
            #expect(try await events.next() == .message(.text(text)))
            let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try await socket.sendData(data)
            #expect(try await events.next() == .message(.data(data)))
            #expect(try await socket.ping() > .zero)
        }
    }

    @Test(
        "SIM18: a refused upgrade is final, and reports status, header fields and body",
        arguments: [401, 403, 404, 200, 302])
    func refusal(status: Int) async throws {
        let connection = try client().webSocketConnection(Socket("/reject/\(status)"), options: options())
        let events = connection.events()
        connection.connect()
        var all: [WebSocketEvent] = []
        do {
            for try await event in events { all.append(event) }
            Issue.record("the events ended without an error")
        } catch let error as WebSocketError {
            #expect(error.statusCode == status)
            #expect(error.response?.bodySnippet == "not here")
        }
        #expect(all.count == 1)
        #expect(!all.contains(.connected))
    }

    @Test("Temporarily refused upgrades are retried until one succeeds")
    func later() async throws {
        let query = ["id": UUID().uuidString]
        let connection = try client().webSocketConnection(Socket("/later/2", query: query), options: options())
        var events = connection.events().makeAsyncIterator()
        connection.connect()
        #expect(try await events.next() == .reconnecting(attempt: 1, delay: 0.001))
        #expect(try await events.next() == .reconnecting(attempt: 2, delay: 0.002))
        #expect(try await events.next() == .connected)
        connection.close()
        try await connection.waitUntilClosed()
    }

    @Test("A refused token is refreshed once, and the connection is made with the new one")
    func token() async throws {
        let tokens = Mutex(["new", "old"])
        let refreshes = Mutex(0)
        struct Provider: TokenRefreshProvider {
            let refresh: @Sendable () -> Void
            func refreshTokenIfNeeded() async throws { refresh() }
        }
        let current = Mutex("old")
        let provider = Provider {
            refreshes.withLock { $0 += 1 }
            current.withLock { $0 = tokens.withLock { $0[0] } }
        }
        let client = client {
            $0.authentication = .refreshing(provider) { current.withLock { $0 } }
        }
        try await client.withWebSocket(Socket("/token"), options: options()) { socket in
            #expect(socket.state == .connected)
        }
        #expect(refreshes.withLock { $0 } == 1)
    }

    @Test("Numbered messages arrive once and in order over many dropped connections")
    func onceInOrder() async throws {
        var options = options(10)
        options.reconnectPolicy.stableAfter = 0
        try await client().withWebSocket(Socket("/numbers"), options: options) { socket in
            var last: Int?
            var count = 0
            var connections = 0
            for try await event in socket.events() {
                switch event {
                case .connected: connections += 1
                case .message(.text(let text)):
                    let number = try #require(Int(text))
                    if let last { #expect(number > last) }
                    last = number
                    count += 1
                default: break
                }
                if connections == 8 { break }
            }
            #expect(count >= 70)
        }
    }

    @Test("The client reconnects after the server drops the connection after each message")
    func drops() async throws {
        var options = options(10)
        options.reconnectPolicy.stableAfter = 0
        options.sendWhileReconnecting = .wait(upTo: .seconds(3600))
        try await client().withWebSocket(Socket("/drop/1"), options: options) { socket in
            var events = socket.events().makeAsyncIterator()
            for round in 0..<10 {
                while let event = try await events.next(), event != .connected {}
                try await socket.sendText("\(round)")
                #expect(try await events.next() == .message(.text("\(round)")))
            }
        }
    }

    @Test("The server's close code decides whether the client reconnects", arguments: ServerCloseCase.all)
    func closeCodes(close: ServerCloseCase) async throws {
        let connection = try client().webSocketConnection(Socket("/close/\(close.code)"), options: options(1))
        #expect(try await close.outcome(of: connection) == close.expected)
    }

    @Test("200 concurrent connections that end in various ways leave no socket open")
    func noLeak() async throws {
        let client = client()
        let id = UUID().uuidString
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    do {
                        let socket = try Socket(number % 2 == 0 ? "/echo" : "/send/5", query: ["id": id])
                        try await client.withWebSocket(socket, options: options()) { socket in
                            if number % 2 == 0 { try await socket.sendText("\(number)") }
                            var events = socket.events().makeAsyncIterator()
                            _ = try await events.next()
                            _ = try await events.next()
                            if number % 5 == 0 { throw CancellationError() }
                        }
                    } catch {
                        if !(error is CancellationError) { Issue.record("\(number): \(error)") }
                    }
                }
            }
        }
        // The server notices each close, the last one perhaps a moment later.
        try await eventually { try await openCount(id) == 0 }
        #expect(try await openCount(id) == 0)
    }
}

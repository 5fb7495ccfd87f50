// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("WebSocketConnection: lifetime", .timeLimit(.minutes(5)))
struct WebSocketLifetimeTests {
    struct Stop: Error {}

    private let world = WebSocketFixture()

    @Test("A connection without references sends Close and ends")
    func letGo() async throws {
        weak var weakly: WebSocketConnection?
        do {
            let (connection, _, _) = try await world.connected()
            weakly = connection
        }
        let peer = try await world.server.peer(at: 0)
        try await peer.closed()
        #expect(peer.receivedClose?.code == .goingAway)
        #expect(weakly == nil)
    }

    @Test("A stream retains its connection, and releasing the stream releases the connection")
    func streamHolds() async throws {
        var events: WebSocketEvents?
        do {
            let (connection, _, stream) = try await world.connected()
            events = stream
            _ = connection
        }
        let peer = try await world.server.peer(at: 0)
        peer.send("hello")
        var iterator = events?.makeAsyncIterator()
        #expect(try await iterator?.next() == .connected)
        #expect(try await iterator?.next() == .message(.text("hello")))
        #expect(peer.isOpen)
        iterator = nil
        events = nil
        try await peer.closed()
        #expect(peer.receivedClose?.code == .goingAway)
    }

    @Test("A connection released during the backoff or while connecting leaves nothing behind")
    func letGoBetween() async throws {
        do {
            let (connection, peer, _) = try await world.connected()
            peer.drop()
            try await world.clock.sleeping()
            #expect(connection.state == .reconnecting(attempt: 1, delay: 1))
        }
        let gate = Gate()
        world.server.onOpen { _, _ in
            try await gate.wait()
            return .accept
        }
        do {
            let connection = try world.connection()
            connection.connect()
            _ = try await world.server.request(at: 1)
        }
        gate.open()
        world.clock.advance(by: .seconds(100))
        // A connection that opened although it was cancelled is dropped by its receiver.
        try await eventually { world.server.openCount == 0 }
        #expect(world.server.requests.count == 2)
    }

    @Test("close() does not wait for onNetworkAvailable, even if that ignores cancellation")
    func pathNeverReturns() async throws {
        let gate = Gate()
        defer { gate.open() }
        let (connection, peer, _) = try await world.connected(
            WebSocketFixture.options {
                $0.onNetworkAvailable = { await Task.detached { try? await gate.wait() }.value }
            })
        peer.drop()
        try await world.clock.sleeping()
        connection.close()
        try await connection.waitUntilClosed()
    }

    @Test("close() waits for an opening handshake that unwinds slowly")
    func slowUnwinding() async throws {
        let gate = Gate()
        let hasEnded = Mutex(false)
        let step = Interceptor { _, _ in
            await Task.detached { try? await gate.wait() }.value
            hasEnded.withLock { $0 = true }
            throw CancellationError()
        }
        let connection = try world.connection(WebSocketFixture.Socket(), options: WebSocketFixture.options()) {
            $0.interceptors = [step]
        }
        connection.connect()
        try await gate.waiting()
        connection.close()
        let closed = Task {
            try await connection.waitUntilClosed()
            return hasEnded.withLock { $0 }
        }
        await yieldToOthers(turns: 1000)
        gate.open()
        #expect(try await closed.value)
    }

    @Test("withWebSocket returns the result of its body, after the closing handshake")
    func scoped() async throws {
        weak var weakly: WebSocketConnection?
        let text = try await world.client().withWebSocket(WebSocketFixture.Socket()) { socket in
            weakly = socket
            #expect(socket.state == .connected)
            try await socket.sendText("question")
            let peer = try await world.server.peer(at: 0)
            return try await peer.receiveText()
        }
        #expect(text == "question")
        #expect(world.server.openCount == 0)
        #expect(world.server.peers.first?.receivedClose?.code == .normal)
        #expect(weakly == nil)
    }

    @Test("withWebSocket closes the connection if its body throws")
    func scopedThrows() async throws {
        await #expect(throws: Stop.self) {
            try await world.client().withWebSocket(WebSocketFixture.Socket()) { _ in throw Stop() }
        }
        #expect(world.server.peers.count == 1)
        #expect(world.server.openCount == 0)
    }

    @Test("withWebSocket closes the connection on cancellation, even if the server does not answer the Close frame")
    func scopedCancelled() async throws {
        let client = world.client()
        let task = Task {
            try await client.withWebSocket(WebSocketFixture.Socket()) { socket in
                for try await _ in socket.events() {}
            }
        }
        let peer = try await world.server.peer(at: 0)
        peer.answersClose = false
        task.cancel()
        await #expect(throws: WebSocketError.self) { try await task.value }
        #expect(!peer.isOpen)
    }

    @Test("withWebSocket throws the reason if it cannot connect")
    func scopedRefused() async throws {
        world.server.onOpen { _, _ in .refuse(.status(.forbidden)) }
        await #expect {
            try await world.client().withWebSocket(WebSocketFixture.Socket()) { _ in Issue.record("connected") }
        } throws: { ($0 as? WebSocketError)?.statusCode == 403 }
    }

    @Test("A transport without WebSocket support throws unsupportedURL")
    func noTransport() async throws {
        let client = APIClient(transport: StubServer(precedence: .first))
        await #expect {
            try await client.withWebSocket(WebSocketFixture.Socket()) { _ in Issue.record("connected") }
        } throws: { error in
            ((error as? WebSocketError)?.openingError?.underlyingError as? TransportError)?.code == .unsupportedURL
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

@Suite("APIClient.drain(within:): WebSockets", .timeLimit(.minutes(5)))
struct WebSocketDrainTests {
    private let world = WebSocketFixture()

    /// Returns an open connection of a client, and the server's end of it.
    private func connected(_ client: APIClient) async throws -> (WebSocketConnection, ScriptedPeer) {
        let count = world.server.peers.count
        let connection = try client.webSocketConnection(
            WebSocketFixture.Socket(), options: WebSocketFixture.options())
        connection.connect()
        let peer = try await world.server.peer(at: count)
        try await connection.waitUntilConnected()
        return (connection, peer)
    }

    @Test("Open connections close with 1001, and their streams end normally")
    func closes() async throws {
        let client = world.client()
        let (first, peer) = try await connected(client)
        let (second, other) = try await connected(client.with { $0.userAgent = nil })
        let events = first.events()
        let report = await client.drain(within: .seconds(60))
        #expect(report.isComplete && report.connections == 0)
        #expect(peer.receivedClose?.code == .goingAway && other.receivedClose?.code == .goingAway)
        let (all, error) = await WebSocketFixture.all(events)
        #expect(error == nil)
        #expect(all.last == .disconnected(code: .goingAway, reason: ""))
        #expect(second.state == .disconnected)
    }

    @Test("A connection that waits to reconnect ends, and one that was never opened stays closed")
    func waiting() async throws {
        let client = world.client()
        let idle = try client.webSocketConnection(WebSocketFixture.Socket())
        let (connection, peer) = try await connected(client)
        peer.drop()
        try await world.clock.sleeping()
        #expect(await client.drain(within: .seconds(60)).isComplete)
        #expect(connection.state == .disconnected)
        #expect(world.server.peers.count == 1)
        let error = await #expect(throws: WebSocketError.self) {
            idle.connect()
            try await idle.waitUntilConnected()
        }
        #expect((error?.underlying as? NetworkError)?.underlyingError is ClientDrainedError)
        #expect(world.server.peers.count == 1)
    }

    @Test("A connection whose server does not answer the close frame is dropped at the end of the time, and counted")
    func cuts() async throws {
        let client = world.client()
        let (connection, peer) = try await connected(client)
        peer.answersClose = false
        let drain = Task { await client.drain(within: .seconds(2)) }
        try await world.clock.sleeping(for: .seconds(2))
        let late = await #expect(throws: WebSocketError.self) { try await connection.sendText("late") }
        #expect(late?.code == .notConnected && late?.underlying is ClientDrainedError)
        world.clock.advance(by: .seconds(2))
        #expect(await drain.value.connections == 1)
        try await connection.waitUntilClosed()
        #expect(connection.state == .disconnected)
    }

    @Test("An interceptor of a running call opens no WebSocket during the drain")
    func interceptor() async throws {
        let (owner, gate) = (LockedValue<APIClient?>(nil), Gate())
        let refusal = LockedValue<(any Error)?>(nil)
        let stubs = StubServer { _ in .text("done") }
        let client = APIClient.scripted(stubs) {
            $0.interceptors = [
                Interceptor { request, next in
                    try await gate.wait()
                    let client = try #require(owner.value)
                    do {
                        _ = try await client.openWebSocket { try WebSocketRequest(WebSocketFixture.Socket()) }
                    } catch {
                        refusal.change { $0 = error }
                    }
                    return try await next(request)
                }
            ]
        }
        owner.change { $0 = client }
        let call = Task { try await client.call(.get, "main").string() }
        try await gate.waiting()
        let drain = Task { await client.drain(within: .seconds(60)) }
        try await eventually { client.isDraining }
        gate.open()
        #expect(try await call.value == "done")
        #expect(await drain.value.isComplete)
        #expect((refusal.value as? NetworkError)?.underlyingError is ClientDrainedError)
        owner.change { $0 = nil }
    }
}

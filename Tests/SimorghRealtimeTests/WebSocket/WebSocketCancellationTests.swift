// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

@Suite("WebSocketConnection: cancellation of waits", .timeLimit(.minutes(5)))
struct WebSocketCancellationTests {
    private let world = WebSocketFixture()

    @Test("waitUntilConnected: cancelling throws cancelled, and connecting goes on")
    func connecting() async throws {
        let gate = Gate()
        world.server.onOpen { _, _ in
            try await gate.wait()
            return .accept
        }
        let connection = try world.connection()
        connection.connect()
        let waiting = Task { try await connection.waitUntilConnected() }
        _ = try await world.server.request(at: 0)
        waiting.cancel()
        #expect(await webSocketCode { try await waiting.value } == .cancelled)
        gate.open()
        try await connection.waitUntilConnected()
        #expect(connection.state == .connected)
        connection.close()
        try await connection.waitUntilClosed()
    }

    @Test("waitUntilClosed: cancelling throws cancelled, and the closing handshake goes on")
    func closing() async throws {
        let (connection, peer, _) = try await world.connected()
        peer.answersClose = false
        connection.close(code: 4000)
        let waiting = Task { _ = try await connection.waitUntilClosed() }
        waiting.cancel()
        #expect(await webSocketCode { try await waiting.value } == .cancelled)
        #expect(peer.isOpen)
        #expect(try await peer.receive() == nil, "the Close frame was sent")
        peer.answerClose()
        let closure = try await connection.waitUntilClosed()
        #expect(closure?.isClean == true && closure?.code == 4000)
    }
}

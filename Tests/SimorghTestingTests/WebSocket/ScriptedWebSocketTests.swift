// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ScriptedWebSocketTests {
    @Test("Above maximumBacklog a send waits until a message is received or the connection ends")
    func backlog() async throws {
        let server = ScriptedWebSocket(maximumBacklog: 100)
        let head = HTTPRequest(method: .get, scheme: "wss", authority: "api.test", path: "/")
        let opening = try await server.open(TransportRequest(head: head), options: WebSocketChannelOptions())
        guard case .opened(let link) = opening else {
            Issue.record("the upgrade was refused")
            return
        }
        let peer = try await server.peer(at: 0)
        // Each message counts as 65 bytes.
        try await link.send(.text("a"))
        try await link.send(.text("b"))
        let third = Task { try await link.send(.text("c")) }
        try await eventually { peer.waitingSends == 1 }
        #expect(try await peer.receiveText() == "a")
        try await third.value
        let fourth = Task { try await link.send(.text("d")) }
        try await eventually { peer.waitingSends == 1 }
        peer.drop()
        let error = await #expect(throws: WebSocketError.self) { try await fourth.value }
        #expect(error?.code == .closed)
        #expect(try await peer.receiveText() == "b")
        #expect(try await peer.receiveText() == "c")
        #expect(try await peer.receiveText() == nil)
    }
}

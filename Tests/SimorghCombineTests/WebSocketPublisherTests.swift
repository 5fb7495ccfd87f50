// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCombine
import SimorghCore
import SimorghRealtime
import SimorghTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct WebSocketPublisherTests {
    private struct Socket: WebSocketRouter { var baseURLString: String { "wss://api.test" } }
    private struct Note: Codable, Hashable, Sendable { var n: Int }

    private let server = ScriptedWebSocket()

    private func connection() throws -> WebSocketConnection {
        try APIClient.scripted(server).webSocketConnection(
            Socket(), options: WebSocketOptions(reconnectPolicy: .none))
    }

    @Test("Messages are published according to demand, until the connection ends", arguments: [1, 3, Int.max])
    func messages(step: Int) async throws {
        let connection = try connection()
        let gate = Gate()
        let values = Mutex<[Int]>([])
        let subscriber = DemandSubscriber<Note>(step: step) { note in
            values.withLock { $0.append(note.n) }
        } end: {
            gate.open()
        }
        connection.messagePublisher(of: Note.self, on: .immediate).mapError { _ in NetworkError.unknown }
            .subscribe(subscriber)
        connection.connect()
        let peer = try await server.peer(at: 0)
        for number in 0..<50 { peer.send(#"{"n":\#(number)}"#) }
        peer.close()
        try await gate.wait()
        #expect(values.withLock { $0 } == Array(0..<50))
    }

    @Test("Each subscriber receives all events, and cancelling one leaves the connection open for the others")
    func events() async throws {
        let connection = try connection()
        let gate = Gate()
        let seen = Mutex<[WebSocketEvent]>([])
        let other = connection.eventPublisher(on: .immediate).sink { _ in
        } receiveValue: { _ in
        }
        let line = connection.eventPublisher(on: .immediate).sink { _ in
            gate.open()
        } receiveValue: { event in
            seen.withLock { $0.append(event) }
        }
        connection.connect()
        let peer = try await server.peer(at: 0)
        try await connection.waitUntilConnected()
        other.cancel()
        peer.send("hello")
        peer.close(code: 4000, reason: "done")
        try await gate.wait()
        #expect(
            seen.withLock { $0 } == [
                .connected, .message(.text("hello")), .disconnected(code: 4000, reason: "done"),
            ])
        withExtendedLifetime(line) {}
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import Testing

/// Reconnection to an independent server that is killed or stopped, and a connection to the mosquitto broker.
@Suite("WebSocket reconnection and MQTT", .timeLimit(.minutes(10)))
struct WebSocketDeathWitnessTests {
    struct Place: WebSocketRouter {
        var baseURLString: String
        var path = "/"
        var protocols: [String] = []
    }

    @Test("A connection is restored after its server was killed or stopped", arguments: [SIGKILL, SIGSTOP])
    func comesBack(signal: Int32) async throws {
        var victim = try await RestartableServer(WebSocketWireWitnessTests.Places.ask().victim)
        defer { victim.end() }
        var options = WebSocketOptions(
            pingInterval: 0.3,
            reconnectPolicy: WebSocketReconnectPolicy(maximumAttempts: 1000, initialDelay: 0.05, multiplier: 1))
        options.pongTimeout = 5
        let client = APIClient(transport: NIOTransport())
        let place = Place(baseURLString: "ws://127.0.0.1:\(victim.port)")
        try await client.withWebSocket(place, options: options) { socket in
            let events = socket.events()
            var iterator = events.makeAsyncIterator()
            #expect(try await iterator.next() == .connected)
            try await socket.sendText("before")
            while let event = try await iterator.next(), event != .message(.text("before")) {}
            victim.signal(signal)
            while let event = try await iterator.next() {
                if case .reconnecting = event { break }
            }
            #expect(events.reason?.code == (signal == SIGKILL ? .connectionLost : .pongTimedOut))
            try await victim.restartServer(from: signal)
            while let event = try await iterator.next(), event != .connected {}
            try await socket.sendText("after")
            while let event = try await iterator.next(), event != .message(.text("after")) {}
        }
    }

    /// Returns an MQTT 3.1.1 packet of less than 128 bytes.
    private static func packet(_ kind: UInt8, _ body: [UInt8]) -> Data { Data([kind, UInt8(body.count)] + body) }

    private static func text(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + text.utf8 }

    @Test("MQTT over WebSocket to mosquitto: connect, subscribe and publish work, and the message is delivered")
    func mosquitto() async throws {
        let router = Place(baseURLString: try Witness.mosquitto.url, path: "/mqtt", protocols: ["mqtt"])
        try await APIClient(transport: NIOTransport()).withWebSocket(router) { socket in
            #expect(socket.subprotocol == "mqtt")
            var events = socket.events().makeAsyncIterator()
            #expect(try await events.next() == .connected)
            // A packet may be split over any number of messages.
            var bytes = Data()
            func next() async throws -> Data {
                while bytes.count < 2 || bytes.count < 2 + Int(bytes[bytes.startIndex + 1]) {
                    guard let event = try await events.next() else { break }
                    if case .message(.data(let data)) = event { bytes += data }
                }
                let packet = Data(bytes.prefix(2 + Int(bytes.dropFirst().first ?? 0)))
                bytes = Data(bytes.dropFirst(packet.count))
                return packet
            }
            try await socket.sendData(
                Self.packet(0x10, Self.text("MQTT") + [4, 2, 0, 60] + Self.text("simorgh")))
            #expect(try await next() == Data([0x20, 2, 0, 0]))
            try await socket.sendData(Self.packet(0x82, [0, 1] + Self.text("birds/+") + [0]))
            #expect(try await next() == Data([0x90, 3, 0, 1, 0]))
            let publication = Self.packet(0x30, Self.text("birds/simorgh") + Array("feather".utf8))
            try await socket.sendData(publication)
            #expect(try await next() == publication)
            #expect(try await socket.ping() > .zero)
            try await socket.sendData(Data([0xE0, 0]))
        }
    }
}

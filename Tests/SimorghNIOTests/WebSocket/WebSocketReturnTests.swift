// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import SimorghCore
import SimorghNIO
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

@Suite("WebSocketConnection: reconnecting", .timeLimit(.minutes(10)))
struct WebSocketReturnTests {
    struct Place: WebSocketRouter {
        var port: Int
        var baseURLString: String { "ws://127.0.0.1:\(port)" }
        var path: String { "/birds" }
    }

    private let client = APIClient(transport: NIOTransport())

    @Test("1,000 drops: each connection and message once and in order, delays spread, and nothing leaked")
    func thousandDrops() async throws {
        let count = 1000
        let peer = try await WebSocketPeer(onOpen: { channel, number in
            var bytes: [UInt8] = []
            for index in 0..<3 { bytes += WebSocketPeer.frame(1, Array("\((number - 1) * 3 + index)".utf8)) }
            channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenComplete { _ in
                if number <= count { channel.close(promise: nil) }
            }
        })
        var options = WebSocketOptions()
        options.reconnectPolicy = WebSocketReconnectPolicy(maximumAttempts: 1, initialDelay: 0.002, jitter: .full)
        options.reconnectPolicy.stableAfter = 0
        weak var weakly: WebSocketConnection?
        var (texts, waits, connections): ([String], [Double], Int) = ([], [], 0)
        do {
            let connection = try client.webSocketConnection(Place(port: peer.port), options: options)
            weakly = connection
            connection.connect()
            for try await event in connection.events() {
                switch event {
                case .connected: connections += 1
                case .message(.text(let text)):
                    texts.append(text)
                    if texts.count == (count + 1) * 3 { connection.close() }
                case .reconnecting(let attempt, let delay):
                    #expect(attempt == 1)
                    waits.append(delay)
                default: break
                }
            }
            try await connection.waitUntilClosed()
        }
        #expect(texts == (0..<(count + 1) * 3).map(String.init))
        #expect(connections == count + 1 && peer.accepted == count + 1)
        try await eventually { peer.open == 0 && weakly == nil }
        // Full jitter: uniformly distributed between zero and the policy's delay.
        #expect(waits.count == count && waits.allSatisfy { (0...0.002).contains($0) })
        for quarter in 0..<4 {
            let share = waits.count { Int($0 / 0.0005) == quarter || quarter == 3 && $0 >= 0.002 }
            #expect((150...350).contains(share), "\(share) of \(count) waits in quarter \(quarter)")
        }
    }

    @Test("A cut network is detected, and the connection reconnects when it works again")
    func cut() async throws {
        let peer = try await WebSocketPeer()
        var faults = FaultProxy.Configuration()
        faults.downstream.cut = .init(after: 180, .stall)
        try await FaultProxy.with(faults, to: peer.port) { proxy in
            var options = WebSocketOptions(pingInterval: 0.05)
            options.pongTimeout = 0.05
            options.reconnectPolicy = WebSocketReconnectPolicy(maximumAttempts: 100, initialDelay: 0.001, multiplier: 1)
            let connection = try client.webSocketConnection(Place(port: proxy.port), options: options)
            let events = connection.events()
            var iterator = events.makeAsyncIterator()
            let begin = ContinuousClock.now
            connection.connect()
            #expect(try await iterator.next() == .connected)
            proxy.change()
            while let event = try await iterator.next() {
                if case .reconnecting = event { break }
            }
            #expect(events.reason?.code == .pongTimedOut)
            #expect(begin.duration(to: .now) >= .milliseconds(100))
            while let event = try await iterator.next(), event != .connected {}
            connection.close()
        }
    }

    @Test("PINGs continue while the buffer of an observer suspends reading")
    func suspendedPings() async throws {
        let peer = try await WebSocketPeer()
        var options = WebSocketOptions(pingInterval: 0.1)
        options.pongTimeout = 3600
        options.buffer = WebSocketBuffer(events: 2, overflow: .suspend)
        let connection = try client.webSocketConnection(Place(port: peer.port), options: options)
        let slow = connection.events()
        connection.connect()
        try await connection.waitUntilConnected()
        let count = 200
        for _ in 0..<count { peer.send(WebSocketPeer.frame(2, [UInt8](repeating: 9, count: 100_000))) }
        // Twenty megabytes: more than the network buffers.
        var unsent = try await peer.channel?.getOption(.bufferedWritableBytes).get() ?? 0
        #expect(unsent > 0)
        #expect(await peer.next()?.opcode == 9)
        unsent = try await peer.channel?.getOption(.bufferedWritableBytes).get() ?? 0
        #expect(unsent > 0)
        var received = 0
        for try await event in slow {
            if case .message = event { received += 1 }
            if received == count { break }
        }
        connection.close()
    }

    @Test(
        "A large message arrives in parts, a lost one throws connectionLost, and the next connection delivers the next"
    )
    func parts() async throws {
        let peer = try await WebSocketPeer()
        var options = WebSocketOptions(maximumMessageSize: 1000, pingInterval: nil)
        options.streamsMessages = true
        options.reconnectPolicy = WebSocketReconnectPolicy(maximumAttempts: 10, initialDelay: 0.001)
        let connection = try client.webSocketConnection(Place(port: peer.port), options: options)
        connection.connect()
        try await connection.waitUntilConnected()
        var messages = connection.streamedMessages().makeAsyncIterator()
        let whole = (0..<20_000_000).map { UInt8(truncatingIfNeeded: $0) }
        peer.send(WebSocketPeer.frame(2, whole))
        var count = 0
        for try await part in try #require(try await messages.next()) {
            #expect(Array(part) == Array(whole[count..<(count + part.count)]))
            count += part.count
        }
        #expect(count == whole.count)
        peer.send(WebSocketPeer.frame(1, [97], isFinal: false))
        let broken = try #require(try await messages.next())
        peer.reset()
        await #expect {
            for try await _ in broken {}
        } throws: { ($0 as? WebSocketError)?.code == .connectionLost }
        try await eventually { peer.accepted == 2 }
        try await connection.waitUntilConnected()
        peer.send(1, "again")
        var text = Data()
        for try await part in try #require(try await messages.next()) { text += part }
        #expect(String(decoding: text, as: UTF8.self) == "again")
        connection.close()
        try await connection.waitUntilClosed()
    }
}

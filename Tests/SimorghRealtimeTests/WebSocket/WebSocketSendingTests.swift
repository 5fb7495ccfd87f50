// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

@Suite("WebSocketConnection: sending", .timeLimit(.minutes(5)))
struct WebSocketSendingTests {
    private let world = WebSocketFixture()

    @Test("A message sent during the first connection attempt waits for it")
    func waitsForFirst() async throws {
        let gate = Gate()
        world.server.onOpen { _, _ in
            try await gate.wait()
            return .accept
        }
        let connection = try world.connection()
        connection.connect()
        async let sent: Void = connection.sendText("early")
        _ = try await world.server.request(at: 0)
        gate.open()
        try await sent
        let peer = try await world.server.peer(at: 0)
        #expect(try await peer.receiveText() == "early")
    }

    @Test("Sending before connect() and after the end throws notConnected")
    func notConnected() async throws {
        let connection = try world.connection()
        #expect(await webSocketCode { try await connection.sendText("x") } == .notConnected)
        connection.connect()
        try await connection.waitUntilConnected()
        connection.close()
        try await connection.waitUntilClosed()
        #expect(await webSocketCode { try await connection.sendText("x") } == .notConnected)
        #expect(await webSocketCode { try await connection.ping() } == .notConnected)
    }

    @Test("Sending while reconnecting throws notConnected at once by default")
    func failsWhileReconnecting() async throws {
        let (connection, peer, _) = try await world.connected()
        peer.drop("the cable was cut")
        try await world.clock.sleeping()
        do {
            try await connection.sendText("x")
            Issue.record("it was sent")
        } catch let error as WebSocketError {
            #expect(error.code == .notConnected)
            #expect(error.message.contains("the cable was cut"))
        }
    }

    @Test("sendWhileReconnecting .wait: a message waits for the connection within the limit")
    func waitsWhileReconnecting() async throws {
        let (connection, peer, _) = try await world.connected(
            WebSocketFixture.options { $0.sendWhileReconnecting = .wait(upTo: .seconds(5)) })
        peer.drop()
        try await world.clock.sleeping()
        async let sent: Void = connection.sendText("late")
        try await world.clock.sleeping(2)
        world.clock.advance(by: .seconds(1))
        try await sent
        #expect(try await world.server.peer(at: 1).receiveText() == "late")
    }

    @Test("sendWhileReconnecting .wait: past the limit the message throws notConnected, and is not sent later")
    func bound() async throws {
        let (connection, peer, _) = try await world.connected(
            WebSocketFixture.options {
                $0.sendWhileReconnecting = .wait(upTo: .milliseconds(500))
            })
        peer.drop()
        try await world.clock.sleeping()
        let sent = Task { try await connection.sendText("never") }
        try await world.clock.sleeping(2)
        world.clock.advance(by: .milliseconds(500))
        #expect(await webSocketCode { try await sent.value } == .notConnected)
        world.clock.advance(by: .milliseconds(500))
        let other = try await world.server.peer(at: 1)
        try await connection.waitUntilConnected()
        try await connection.sendText("next")
        #expect(try await other.receiveText() == "next")
    }

    @Test("sendWhileReconnecting .wait: a message on a connection that was lost unnoticed waits for the next one")
    func unnoticedEnd() async throws {
        let (connection, peer, events) = try await world.connected(
            WebSocketFixture.options {
                $0.sendWhileReconnecting = .wait(upTo: .seconds(5))
                $0.buffer = WebSocketBuffer(events: 1, overflow: .suspend)
            })
        // The sending task would also be the reader, so nothing else reads on to the end of the connection.
        peer.send("held")
        peer.drop()
        async let sent: Void = connection.sendText("late")
        try await world.clock.sleeping(forAtMost: .seconds(1))
        #expect(connection.state == .reconnecting(attempt: 1, delay: 1))
        world.clock.advance(by: .seconds(1))
        try await sent
        #expect(try await world.server.peer(at: 1).receiveText() == "late")
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next() == .connected)
        #expect(try await iterator.next() == .message(.text("held")))
        #expect(try await iterator.next() == .reconnecting(attempt: 1, delay: 1))
        #expect(try await iterator.next() == .connected)
        #expect(events.dropped == 0)
    }

    @Test("sendWhileReconnecting .wait: a streamed message waits for the next connection if none of its parts was read")
    func unnoticedEndOfParts() async throws {
        let (connection, peer, events) = try await world.connected(
            WebSocketFixture.options {
                $0.sendWhileReconnecting = .wait(upTo: .seconds(5))
                $0.buffer = WebSocketBuffer(events: 1, overflow: .suspend)
            })
        peer.send("held")
        peer.drop()
        let (parts, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(Data("late".utf8))
        continuation.finish()
        async let sent: Void = connection.send(parts, as: .text)
        try await world.clock.sleeping(forAtMost: .seconds(1))
        world.clock.advance(by: .seconds(1))
        try await sent
        let other = try await world.server.peer(at: 1)
        #expect(try await other.receive() == .text("late"))
        // A message that loses its connection in the middle is not sent again.
        let broken = AsyncStream<Data>(unfolding: {
            other.drop()
            return nil
        })
        #expect(await webSocketCode { try await connection.send(broken) } == .closed)
        withExtendedLifetime(events) {}
    }

    @Test("A message on a connection lost unnoticed waits up to the limit, or fails at once", arguments: [true, false])
    func unnoticedEndBound(waits: Bool) async throws {
        let (connection, peer, events) = try await world.connected(
            WebSocketFixture.options {
                if waits { $0.sendWhileReconnecting = .wait(upTo: .seconds(5)) }
                $0.buffer = WebSocketBuffer(events: 1, overflow: .suspend)
            })
        // No other connection opens.
        world.server.onOpen { _, _ in
            try await Gate().wait()
            return .accept
        }
        peer.send("held")
        peer.drop()
        let sent = Task { try await connection.sendText("never") }
        if waits {
            try await world.clock.sleeping(forAtMost: .seconds(1))
            world.clock.advance(by: .seconds(5))
        }
        #expect(await webSocketCode { try await sent.value } == (waits ? .notConnected : .closed))
        connection.close()
        try await connection.waitUntilClosed()
        withExtendedLifetime(events) {}
    }

    @Test("Cancelling a waiting send throws cancelled")
    func cancellation() async throws {
        world.server.onOpen { _, _ in
            try await Gate().wait()
            return .accept
        }
        let connection = try world.connection()
        connection.connect()
        let sent = Task { try await connection.sendText("x") }
        _ = try await world.server.request(at: 0)
        sent.cancel()
        #expect(await webSocketCode { try await sent.value } == .cancelled)
        connection.close()
        try await connection.waitUntilClosed()
    }

    @Test("A value that cannot be encoded throws before anything is sent")
    func encoding() async throws {
        let (connection, peer, _) = try await world.connected()
        #expect(await webSocketCode { try await connection.send(Double.nan) } == .encodingFailed)
        try await connection.sendText("next")
        #expect(try await peer.receiveText() == "next")
    }

    @Test("20 sending tasks: each message arrives whole, once, and in the order of its task")
    func manyTasks() async throws {
        let (connection, peer, _) = try await world.connected()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<20 {
                group.addTask {
                    for number in 0..<50 { try await connection.sendText("\(task) \(number)") }
                }
            }
            try await group.waitForAll()
        }
        var next = [Int](repeating: 0, count: 20)
        for _ in 0..<1000 {
            let text = try #require(try await peer.receiveText())
            let parts = text.split(separator: " ").compactMap { Int($0) }
            try #require(parts.count == 2)
            #expect(next[parts[0]] == parts[1])
            next[parts[0]] += 1
        }
        #expect(next.allSatisfy { $0 == 50 })
    }

    @Test("A streamed message arrives as one message")
    func parts() async throws {
        let (connection, peer, _) = try await world.connected()
        let (parts, continuation) = AsyncStream.makeStream(of: Data.self)
        for part in ["one ", "message"] { continuation.yield(Data(part.utf8)) }
        continuation.finish()
        try await connection.send(parts, as: .text)
        #expect(try await peer.receive() == .text("one message"))
    }
}

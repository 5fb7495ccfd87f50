// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

@Suite("WebSocketConnection.messagesInParts", .timeLimit(.minutes(5)))
struct WebSocketFragmentsTests {
    private let world = WebSocketFixture()
    private let options = WebSocketFixture.options { $0.streamsMessages = true }

    private func text(_ parts: WebSocketFragments) async throws -> String {
        var bytes = Data()
        for try await part in parts { bytes += part }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("Messages arrive in order across connections, and events continue without them")
    func messages() async throws {
        let (connection, peer, events) = try await world.connected(options)
        var messages = connection.streamedMessages().makeAsyncIterator()
        peer.send("one")
        peer.send(.data(Data("two".utf8)))
        peer.drop()
        let first = try #require(try await messages.next())
        #expect(first.kind == .text)
        #expect(try await text(first) == "one")
        let second = try #require(try await messages.next())
        #expect(second.kind == .binary)
        #expect(try await text(second) == "two")
        #expect(try await text(second) == "")
        try await world.clock.sleeping()
        world.clock.advance(by: .seconds(1))
        let other = try await world.server.peer(at: 1)
        other.send("skipped")
        other.send("three")
        other.close()
        let skipped = try #require(try await messages.next())
        #expect(try await text(try #require(try await messages.next())) == "three")
        #expect(try await text(skipped) == "")
        #expect(try await messages.next() == nil)
        #expect(
            await WebSocketFixture.all(events).0 == [
                .connected, .reconnecting(attempt: 1, delay: 1), .connected, .disconnected(code: .normal, reason: ""),
            ])
    }

    @Test("The reason of the end is thrown once")
    func failure() async throws {
        let (connection, peer, _) = try await world.connected(options)
        var messages = connection.streamedMessages().makeAsyncIterator()
        peer.misbehave()
        await #expect { _ = try await messages.next() } throws: { ($0 as? WebSocketError)?.code == .protocolViolation }
        #expect(try await messages.next() == nil)
    }

    @Test("close() does not wait for a slow reader: a bounded number of bytes is kept, and a message past that is cut")
    func close() async throws {
        let (connection, peer, _) = try await world.connected(options)
        for number in 0..<10 { peer.send("\(number)") }
        peer.send(.data(Data(count: 3 * 1024 * 1024)))
        peer.send("dropped")
        var messages = connection.streamedMessages().makeAsyncIterator()
        let first = try #require(try await messages.next())
        connection.close()
        try await connection.waitUntilClosed()
        #expect(try await text(first) == "0")
        for number in 1..<10 { #expect(try await text(try #require(try await messages.next())) == "\(number)") }
        let last = try #require(try await messages.next())
        await #expect {
            _ = try await text(last)
        } throws: { ($0 as? WebSocketError)?.code == .closed }
        #expect(try await messages.next() == nil)
    }

    @Test("Sending while a message is half read, over a connection lost unnoticed, neither blocks nor loses messages")
    func sending() async throws {
        let (connection, peer, _) = try await world.connected(
            WebSocketFixture.options {
                $0.streamsMessages = true
                $0.sendWhileReconnecting = .wait(upTo: .seconds(5))
            })
        var messages = connection.streamedMessages().makeAsyncIterator()
        for text in ["one", "two", "three"] { peer.send(text) }
        peer.drop()
        let first = try #require(try await messages.next())
        async let sent: Void = connection.sendText("late")
        try await world.clock.sleeping(forAtMost: .seconds(1))
        #expect(connection.state == .reconnecting(attempt: 1, delay: 1))
        world.clock.advance(by: .seconds(1))
        try await sent
        #expect(try await world.server.peer(at: 1).receiveText() == "late")
        #expect(try await text(first) == "one")
        for word in ["two", "three"] {
            #expect(try await text(try #require(try await messages.next())) == word)
        }
    }

    @Test("Cancelling next() throws, and the next call gets the message")
    func cancellation() async throws {
        let (connection, peer, _) = try await world.connected(options)
        let stream = connection.streamedMessages()
        let waiting = Task {
            var messages = stream.makeAsyncIterator()
            return try await messages.next()?.kind
        }
        await yieldToOthers()
        waiting.cancel()
        await #expect { _ = try await waiting.value } throws: { ($0 as? WebSocketError)?.isCancelled == true }
        peer.send("on")
        var messages = stream.makeAsyncIterator()
        #expect(try await text(try #require(try await messages.next())) == "on")
    }

    @Test("A half-read message is reported as cut after connecting again, and takes no bytes of the next message")
    func anew() async throws {
        let (connection, peer, _) = try await world.connected(options)
        var messages = connection.streamedMessages().makeAsyncIterator()
        peer.send("one")
        let first = try #require(try await messages.next())
        connection.close()
        try await connection.waitUntilClosed()
        connection.connect()
        let other = try await world.server.peer(at: 1)
        other.send("two")
        await #expect {
            _ = try await text(first)
        } throws: { ($0 as? WebSocketError)?.code == .closed }
        #expect(try await text(first) == "")
        #expect(try await text(try #require(try await messages.next())) == "two")
    }

    @Test("messagesInParts without receivesInParts throws invalidArgument")
    func notAsked() async throws {
        let (connection, _, _) = try await world.connected()
        var messages = connection.streamedMessages().makeAsyncIterator()
        await #expect { _ = try await messages.next() } throws: { ($0 as? WebSocketError)?.code == .invalidArgument }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("WebSocketConnection: observers", .timeLimit(.minutes(5)))
struct WebSocketObserverTests {
    private let world = WebSocketFixture()

    private func texts(_ events: WebSocketEvents) async -> [String] {
        await WebSocketFixture.all(events).0.compactMap { event in
            if case .message(.text(let text)) = event { text } else { nil }
        }
    }

    @Test("SIM21: two streams both receive every message, each from its creation on")
    func twoStreams() async throws {
        let (connection, peer, first) = try await world.connected()
        let second = connection.events()
        var reading = second.makeAsyncIterator()
        #expect(try await reading.next() == .connected)
        for number in 0..<100 { peer.send("\(number)") }
        // Both observers have the messages before the third one is added.
        for number in 0..<100 { #expect(try await reading.next() == .message(.text("\(number)"))) }
        let third = connection.events()
        peer.send("last")
        peer.close()
        let all = (0..<100).map(String.init) + ["last"]
        #expect(await texts(first) == all)
        #expect(await texts(second) == ["last"])
        #expect(await texts(third) == ["last"])
        #expect(await WebSocketFixture.all(connection.events()).0 == [.disconnected(code: .normal, reason: "")])
    }

    @Test("Removed streams do not affect earlier and later ones")
    func leaving() async throws {
        let (connection, peer, _) = try await world.connected()
        var streams = (0..<5).map { _ in Optional(connection.events()) }
        streams[1] = nil
        streams[3] = nil
        streams.append(connection.events())
        for number in 0..<3 { peer.send("\(number)") }
        peer.close()
        let left = streams.compactMap(\.self)
        #expect(left.count == 4)
        for stream in left { #expect(await texts(stream) == ["0", "1", "2"]) }
    }

    @Test("The first stream gets the events from before its creation")
    func prologue() async throws {
        let connection = try world.connection()
        connection.connect()
        let peer = try await world.server.peer(at: 0)
        try await connection.waitUntilConnected()
        peer.send("early")
        peer.close(code: 4000, reason: "that was all")
        peer.send("too late")
        let events = connection.events()
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next() == .connected)
        #expect(try await iterator.next() == .message(.text("early")))
        connection.close()
    }

    @Test("dropOldest: a slow observer loses the oldest events, counted, and delays nothing else")
    func dropOldest() async throws {
        let (connection, peer, _) = try await world.connected()
        let slow = connection.events(buffer: WebSocketBuffer(events: 10))
        var quick = connection.events().makeAsyncIterator()
        _ = try await quick.next()
        for number in 0..<50 {
            peer.send("\(number)")
            #expect(try await quick.next() == .message(.text("\(number)")))
        }
        #expect(slow.dropped == 41)
        try await connection.ping()
        #expect(peer.pingCount == 1)
        peer.close()
        let last = try #require(await texts(slow).last)
        #expect(last == "49")
    }

    @Test("fail: an observer that is too far behind ends with bufferOverflow, the others continue")
    func fails() async throws {
        let (connection, peer, _) = try await world.connected()
        let slow = connection.events(buffer: WebSocketBuffer(events: 3, overflow: .fail))
        var quick = connection.events().makeAsyncIterator()
        _ = try await quick.next()
        for number in 0..<5 {
            peer.send("\(number)")
            #expect(try await quick.next() == .message(.text("\(number)")))
        }
        let (all, error) = await WebSocketFixture.all(slow)
        #expect(all == [.connected, .message(.text("0")), .message(.text("1"))])
        #expect(error?.code == .bufferOverflow)
        #expect(connection.state == .connected)
    }

    @Test("suspend: the reader waits for the observer, which loses nothing")
    func suspends() async throws {
        let (connection, peer, _) = try await world.connected()
        let slow = connection.events(buffer: WebSocketBuffer(events: 4, overflow: .suspend))
        for number in 0..<200 { peer.send("\(number)") }
        var iterator = slow.makeAsyncIterator()
        #expect(try await iterator.next() == .connected)
        var received: [String] = []
        while received.count < 200, let event = try await iterator.next() {
            if case .message(.text(let text)) = event { received.append(text) }
        }
        #expect(received == (0..<200).map(String.init))
        #expect(slow.dropped == 0)
    }

    @Test(
        "Events dropped before the first stream are counted by it",
        arguments: [.dropOldest, .fail] as [WebSocketBuffer.Overflow])
    func missedPrologue(overflow: WebSocketBuffer.Overflow) async throws {
        let connection = try world.connection(
            WebSocketFixture.Socket(),
            options: WebSocketFixture.options { $0.buffer = WebSocketBuffer(events: 3, overflow: overflow) })
        connection.connect()
        let peer = try await world.server.peer(at: 0)
        for number in 0..<10 { peer.send("\(number)") }
        peer.close()
        try await connection.waitUntilClosed()
        let events = connection.events(buffer: WebSocketBuffer())
        #expect(events.dropped == 9)
        #expect(await texts(events) == ["8", "9"])
    }

    @Test("suspend: the reader waits for the first stream, too")
    func suspendedPrologue() async throws {
        let connection = try world.connection(
            WebSocketFixture.Socket(),
            options: WebSocketFixture.options { $0.buffer = WebSocketBuffer(events: 3, overflow: .suspend) })
        connection.connect()
        let peer = try await world.server.peer(at: 0)
        for number in 0..<100 { peer.send("\(number)") }
        peer.close(code: 1000)
        try await connection.waitUntilConnected()
        await yieldToOthers(turns: 1000)
        let events = connection.events()
        #expect(await texts(events) == (0..<100).map(String.init))
        #expect(events.dropped == 0)
    }

    @Test("Messages after a Close frame are bounded for an observer that does not read, and the dropped ones counted")
    func boundedHurry() async throws {
        var bounds = WebSocketBuffer(events: 2, overflow: .suspend)
        bounds.bytes = 1000
        let hub = WebSocketEventBroadcaster(bounds)
        let id = hub.add(nil)
        hub.notify(.connected)
        hub.stopWaiting()
        let message = WebSocketMessage.data(Data(count: 100_000))
        for _ in 0..<100 { try await hub.deliver(message) }
        hub.finish(.disconnected(code: .normal, reason: ""), failure: nil)
        var kept = 0
        while let event = try await hub.next(id) { if event == .message(message) { kept += 1 } }
        #expect(kept > 10 && kept < 30)
        #expect(hub.dropped(id) == 100 - kept)
    }

    @Test(
        "Available messages are delivered in one batch while no observer would drop, suspend or fail",
        arguments: [.dropOldest, .suspend, .fail] as [WebSocketBuffer.Overflow], [true, false])
    func broughtAlong(overflow: WebSocketBuffer.Overflow, isBoundInBytes: Bool) async throws {
        var bounds = WebSocketBuffer(events: isBoundInBytes ? 1000 : 5, overflow: overflow)
        bounds.bytes = isBoundInBytes ? 50 : 1000
        let hub = WebSocketEventBroadcaster(WebSocketBuffer())
        let (slow, quick) = (hub.add(bounds), hub.add(nil))
        let messages = (0..<200).map { WebSocketMessage.data(Data(repeating: UInt8($0), count: 10)) }
        let next = Mutex(1)
        let more: @Sendable (Int) -> WebSocketMessage? = { most in
            next.withLock { next -> WebSocketMessage? in
                guard messages[next].byteCount <= most else { return nil }
                defer { next += 1 }
                return messages[next]
            }
        }
        let waiting = Task { try await hub.next(quick) }
        await yieldToOthers()
        try await hub.deliver(messages[0], more: more)
        #expect(next.withLock { $0 } == 5)
        #expect(try await waiting.value == .message(messages[0]))
        for message in messages[1..<5] { #expect(try await hub.next(quick) == .message(message)) }
        for message in messages[..<5] { #expect(try await hub.next(slow) == .message(message)) }
        #expect(hub.dropped(slow) == 0)
        hub.remove(slow)
        // A batch is limited to 64 messages, so that observers are notified before the rest is read.
        next.withLock { $0 = 6 }
        try await hub.deliver(messages[5], more: more)
        #expect(next.withLock { $0 } == 5 + 64)
        for message in messages[5..<69] { #expect(try await hub.next(quick) == .message(message)) }
    }

    @Test("hurry(connection:) affects only the reader of that connection", arguments: [1, 2, 3])
    func hurriedConnection(number: Int) async throws {
        let hub = WebSocketEventBroadcaster(WebSocketBuffer(events: 1, overflow: .suspend))
        let id = hub.add(nil)
        // Two connections were open, and the buffer of the observer is full.
        hub.notify(.connected)
        hub.notify(.connected)
        hub.stopWaiting(connection: number)
        let brought = Task { try await hub.deliver(.text("held")) }
        // A call that need not wait does not check for cancellation.
        brought.cancel()
        let isBrought = (try? await brought.value) != nil
        #expect(isBrought == (number == 2))
        #expect(try await hub.next(id) == .connected)
    }

    @Test("next() in a cancelled task throws, and leaves a buffered event in the buffer")
    func earlyCancellation() async throws {
        let hub = WebSocketEventBroadcaster(WebSocketBuffer())
        let id = hub.add(nil)
        hub.notify(.connected)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await hub.next(id)
        }
        #expect(await webSocketCode { _ = try await cancelled.value } == .cancelled)
        #expect(try await hub.next(id) == .connected)
    }

    @Test("A cancellation that races with an event loses no event", arguments: 0..<50)
    func lateCancellation(round: Int) async throws {
        let hub = WebSocketEventBroadcaster(WebSocketBuffer())
        let id = hub.add(nil)
        let waiting = Task { try await hub.next(id) }
        await yieldToOthers(turns: round)
        hub.notify(.connected)
        waiting.cancel()
        let first = try? await waiting.value
        hub.notify(.pong)
        #expect(try await hub.next(id) == (first == nil ? .connected : .pong))
    }

    @Test("close() does not wait for an observer that does not read")
    func closeWhileSuspended() async throws {
        let (connection, peer, _) = try await world.connected()
        let slow = connection.events(buffer: WebSocketBuffer(events: 2, overflow: .suspend))
        for number in 0..<50 { peer.send("\(number)") }
        connection.close()
        try await connection.waitUntilClosed()
        #expect(await texts(slow) == (0..<50).map(String.init))
    }

    @Test("A suspended observer that is removed resumes the reader")
    func leaves() async throws {
        let (connection, peer, events) = try await world.connected()
        var slow: WebSocketEvents? = connection.events(buffer: WebSocketBuffer(events: 1, overflow: .suspend))
        for number in 0..<10 { peer.send("\(number)") }
        #expect(slow?.dropped == 0)
        slow = nil
        peer.close()
        #expect(await texts(events) == (0..<10).map(String.init))
    }

    @Test("Cancelling next() throws, and the stream continues")
    func cancellation() async throws {
        let (connection, peer, events) = try await world.connected()
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next() == .connected)
        let waiting = Task {
            var iterator = events.makeAsyncIterator()
            return try await iterator.next()
        }
        waiting.cancel()
        await #expect { _ = try await waiting.value } throws: { ($0 as? WebSocketError)?.isCancelled == true }
        peer.send("on")
        #expect(try await iterator.next() == .message(.text("on")))
        connection.close()
    }

    @Test("Events of 100 connections are each delivered once, in order")
    func onceInOrder() async throws {
        let (connection, first, events) = try await world.connected(
            WebSocketFixture.options {
                $0.reconnectPolicy = WebSocketReconnectPolicy(maximumAttempts: 1, initialDelay: 0)
                $0.reconnectPolicy.stableAfter = 0
            })
        var peer = first
        for round in 0..<100 {
            for number in 0..<5 { peer.send("\(round) \(number)") }
            peer.drop()
            peer = try await world.server.peer(at: round + 1)
        }
        try await connection.waitUntilConnected()
        connection.close()
        let expected = (0..<100).flatMap { round in (0..<5).map { "\(round) \($0)" } }
        #expect(await texts(events) == expected)
        #expect(world.server.openCount == 0)
    }
}

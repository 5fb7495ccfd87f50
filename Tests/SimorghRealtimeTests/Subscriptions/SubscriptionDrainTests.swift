// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

@Suite("APIClient.drain(within:): subscriptions", .timeLimit(.minutes(5)))
struct SubscriptionDrainTests {
    private let world = SubscriptionFixture()

    @Test("A subscription ends normally, and its connection closes with 1001")
    func ends() async throws {
        let client = world.client()
        let socket = client.subscriptions(over: PlainProtocol(greets: false, confirms: false))
        var updates = socket.events("all").updates.makeAsyncIterator()
        guard case .subscribed = try await updates.next() else {
            Issue.record("not subscribed")
            return
        }
        let peer = try await world.server.peer(at: 0)
        #expect(try await peer.receiveText() == "sub 1 all")
        let drain = Task { await client.drain(within: .seconds(60)) }
        #expect(try await peer.receiveText() == "bye 1")
        #expect(await drain.value.isComplete)
        #expect(peer.receivedClose?.code == .goingAway)
        while let update = try await updates.next() {
            if case .event = update { Issue.record("no event was sent") }
        }
    }

    @Test("A pending one-shot request is answered first, and new ones are refused")
    func performs() async throws {
        let client = world.client()
        let socket = client.subscriptions(over: PlainProtocol(greets: false))
        let answer = Task { try await socket.perform("now") }
        let peer = try await world.server.peer(at: 0)
        #expect(try await peer.receiveText() == "sub 1 now")
        let drain = Task { await client.drain(within: .seconds(60)) }
        try await eventually { client.isDraining }
        // The hub refuses from the moment at which the drain reaches it.
        try await eventually {
            do {
                _ = try await socket.perform("impossible")
                return false
            } catch let error as SubscriptionError {
                return error.underlying is ClientDrainedError
            }
        }
        peer.send("event 1 42")
        peer.send("done 1")
        let payload = try await answer.value
        #expect(String(decoding: payload.message.bytes, as: UTF8.self) == "42")
        #expect(await drain.value.isComplete)
        #expect(peer.receivedClose?.code == .goingAway)
    }

    @Test("A one-shot request that was sent fails at the end of the time, and the report counts its connection")
    func endsSent() async throws {
        let client = world.client()
        let socket = client.subscriptions(over: PlainProtocol(greets: false))
        let answer = Task { try await socket.perform("now") }
        let peer = try await world.server.peer(at: 0)
        let message = try await peer.receiveText()
        #expect(message == "sub 1 now")
        let report = await client.drain(within: .zero)
        #expect(report.connections == 1 && !report.isComplete)
        let error = await #expect(throws: SubscriptionError.self) { try await answer.value }
        #expect(error?.code == .connectionLost && error?.underlying == nil)
    }

    @Test("A drain refuses a one-shot request that waits for the next connection at once")
    func endsUnsent() async throws {
        let client = world.client()
        let socket = client.subscriptions(over: PlainProtocol())
        let answer = Task { try await socket.perform("now") }
        let peer = try await world.server.peer(at: 0)
        peer.drop()
        try await eventually { if case .reconnecting = socket.state { true } else { false } }
        // The clock stands still: the drain ends before its time.
        let report = await client.drain(within: .seconds(60))
        #expect(report.connections == 0 && report.isComplete)
        let error = await #expect(throws: SubscriptionError.self) { try await answer.value }
        #expect(error?.code == .connectionFailed && error?.underlying is ClientDrainedError)
        #expect(world.server.peers.count == 1)
    }

    @Test("A subscription client that is made after the drain is refused with a typed error")
    func late() async throws {
        let client = world.client()
        await client.drain(within: .zero)
        let socket = client.subscriptions(over: PlainProtocol(greets: false))
        let error = await #expect(throws: SubscriptionError.self) { _ = try await socket.perform("now") }
        #expect((error?.underlying as? NetworkError)?.underlyingError is ClientDrainedError)
        #expect(world.server.peers.isEmpty)
    }
}

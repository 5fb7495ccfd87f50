// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghSupport
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// Reconnections whose path returns while the client is not in backoff, immediately, or never.
@Suite(.timeLimit(.minutes(5)))
struct PathReturnTests {
    private let network = ScriptedNetwork(.disconnected)
    private static let away = TransportError(.cannotConnectToHost, phase: .connect, message: "away")
    private static let policy = WebSocketReconnectPolicy(
        maximumAttempts: 5, initialDelay: 60, multiplier: 1, maximumDelay: 60, jitter: .none)

    // MARK: WebSocket

    @Test("WebSocket: a path that returns while connecting ends the next backoff")
    func webSocket() async throws {
        let world = WebSocketFixture()
        let options = WebSocketFixture.options { $0.reconnectPolicy = Self.policy }
        let connection = try world.connection(WebSocketFixture.Socket(), options: options) {
            $0.networkMonitor = network.monitor()
        }
        connection.connect()
        let peer = try await world.server.peer(at: 0)
        try await connection.waitUntilConnected()
        #expect(network.watchers == 0)
        world.server.onOpen { [network] _, _ in
            network.become(.connected(.wifi))
            return .fail(Self.away)
        }
        peer.drop()
        try await world.clock.sleeping()
        try await network.watched()
        world.clock.advance(by: .seconds(60))
        _ = try await world.server.request(at: 1)
        // The second attempt has failed; the path returned meanwhile, so only the minimum backoff remains.
        try await world.clock.sleeping(2)
        world.clock.advance(by: .milliseconds(999))
        #expect(world.server.requests.count == 2)
        world.clock.advance(by: .milliseconds(1))
        _ = try await world.server.request(at: 2)
        connection.close()
        try await connection.waitUntilClosed()
        try await network.unwatched()
    }

    // MARK: Subscriptions

    private func socket(_ world: SubscriptionFixture) -> SubscriptionClient<PlainProtocol> {
        var options = SubscriptionOptions()
        options.webSocket.reconnectPolicy = Self.policy
        return world.client { $0.networkMonitor = network.monitor() }
            .subscriptions(over: PlainProtocol(), options: options)
    }

    @Test("Subscription: a path that returns before or after the minimum backoff ends it", arguments: [false, true])
    func subscription(isEarly: Bool) async throws {
        let world = SubscriptionFixture()
        world.server.onOpen { _, _ in .fail(Self.away) }
        let listener = SubscriptionListener(payloads: socket(world).events("a"))
        #expect(try await listener.word(0) == "interrupted connectionFailed for 60 s")
        try await network.watched()
        // The full backoff and its minimum; the sleeper of the deadline for the attempt may still be there.
        try await world.clock.sleeping(for: .seconds(60))
        if isEarly {
            network.become(.connected(.wifi))
            try await world.clock.sleeping(for: .milliseconds(500))
        }
        world.clock.advance(by: .milliseconds(499))
        if isEarly { #expect(world.clock.wakings.contains(world.clock.now.advanced(by: .milliseconds(1)))) }
        #expect(world.server.requests.count == 1)
        if !isEarly {
            world.clock.advance(by: .milliseconds(1))
            network.become(.connected(.wifi))
        }
        // The rest of the minimum backoff, and none of the full backoff.
        try await world.clock.skipWaits(upTo: .milliseconds(500)) { world.server.requests.count > 1 }
        // Long before the end of the full backoff.
        #expect(world.clock.now.offset < .seconds(50))
    }

    @Test("Subscription: a path that returns while connecting ends the next backoff")
    func subscriptionMeanwhile() async throws {
        let world = SubscriptionFixture()
        let attempts = Counter()
        world.server.onOpen { [network] _, _ in
            if attempts.next() == 2 { network.become(.connected(.wifi)) }
            return .fail(Self.away)
        }
        let socket = socket(world)
        let listener = SubscriptionListener(payloads: socket.events("a"))
        #expect(try await listener.word(0) == "interrupted connectionFailed for 60 s")
        try await network.watched()
        // Not the sleeper of the deadline for the attempt.
        try await world.clock.sleeping(for: .seconds(60))
        world.clock.advance(by: .seconds(60))
        _ = try await world.server.request(at: 1)
        // The minimum of the second backoff.
        try await world.clock.sleeping(for: .seconds(1))
        world.clock.advance(by: .seconds(1))
        _ = try await world.server.request(at: 2)
        await socket.disconnect()
        try await network.unwatched()
    }

    // MARK: Event sources

    private func events(
        _ transport: StubServer, _ clock: TestClock, _ options: EventSourceOptions = EventSourceOptions()
    ) -> Task<[String], any Error> {
        let client = APIClient.scripted(transport) {
            $0.time = clock.timeSource
            $0.random = RandomSource { 0 }
            $0.networkMonitor = network.monitor()
        }
        return Task {
            var data: [String] = []
            for try await event in client.eventSource(.get, "feed", options: options) { data.append(event.data) }
            return data
        }
    }

    private static let end = StubResponse.status(.noContent)

    @Test("Event source: a path that returns while connecting ends the next backoff")
    func eventSource() async throws {
        let clock = TestClock()
        let count = Counter()
        let transport = StubServer { [network] _ in
            switch count.next() {
            case 1: return .failure(Self.away)
            case 2:
                network.become(.connected(.wifi))
                return .failure(Self.away)
            default: return Self.end
            }
        }
        var options = EventSourceOptions()
        options.reconnectDelay = .seconds(60)
        let read = events(transport, clock, options)
        try await clock.sleeping()
        try await network.watched()
        clock.advance(by: .seconds(60))
        _ = try await transport.request(at: 1)
        try await clock.sleeping(2)
        clock.advance(by: .milliseconds(999))
        #expect(transport.requestCount == 2)
        clock.advance(by: .milliseconds(1))
        #expect(try await read.value == [])
        #expect(transport.requestCount == 3)
        try await network.unwatched()
    }

    @Test("Event source: onNetworkAvailable that returns at once keeps the minimum backoff")
    func always() async throws {
        let clock = TestClock()
        let transport = StubServer { _ in .text("", contentType: "text/event-stream") }
        var options = EventSourceOptions()
        options.onNetworkAvailable = {}
        let read = events(transport, clock, options)
        for attempt in 1...4 {
            // The minimum backoff; the sleeper of the previous full backoff may still be there.
            try await clock.sleeping(for: .milliseconds(500) * attempt)
            clock.advance(by: .milliseconds(500) * attempt - .milliseconds(1))
            // The sleeper of the minimum backoff is still waiting.
            #expect(clock.wakings.contains(clock.now.advanced(by: .milliseconds(1))))
            #expect(transport.requestCount == attempt)
            clock.advance(by: .milliseconds(1))
            _ = try await transport.request(at: attempt)
        }
        read.cancel()
        _ = await read.result
    }

    @Test("Event source: Retry-After is honored even if onNetworkAvailable returns at once")
    func retryAfter() async throws {
        let clock = TestClock()
        let transport = StubServer(inOrder: [.status(.serviceUnavailable).header(.retryAfter, value: "30"), Self.end])
        var options = EventSourceOptions()
        options.onNetworkAvailable = {}
        let isWaiting = Gate()
        options.onState = { if case .waiting(let delay, _) = $0, delay == .seconds(30) { isWaiting.open() } }
        let read = events(transport, clock, options)
        try await isWaiting.wait()
        try await clock.sleeping()
        clock.advance(by: .seconds(29))
        #expect(clock.wakings.contains(clock.now.advanced(by: .seconds(1))))
        #expect(transport.requestCount == 1)
        clock.advance(by: .seconds(1))
        #expect(try await read.value == [])
        #expect(transport.requestCount == 2)
    }

    @Test("Event source: onNetworkAvailable that ignores cancellation does not delay the reconnection")
    func ignoresCancellation() async throws {
        let clock = TestClock()
        let gate = Gate()
        let transport = StubServer(inOrder: [.failure(Self.away), Self.end])
        var options = EventSourceOptions()
        options.onNetworkAvailable = { await Task.detached { try? await gate.wait() }.value }
        let read = events(transport, clock, options)
        try await clock.sleeping()
        clock.advance(by: .seconds(6))
        #expect(try await read.value == [])
        gate.open()
    }
}

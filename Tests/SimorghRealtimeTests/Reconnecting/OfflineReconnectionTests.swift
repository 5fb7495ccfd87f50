// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

/// Attempts to connect while the machine has no network.
@Suite(.timeLimit(.minutes(5)))
struct OfflineReconnectionTests {
    private let network = ScriptedNetwork(.disconnected)
    private static let offline = TransportError(
        .notConnectedToInternet, phase: .connect, message: "offline", requestMayHaveBeenSent: false)
    private static let policy = WebSocketReconnectPolicy(maximumAttempts: 2, initialDelay: 1, maximumDelay: 30)

    // MARK: Backoff

    private func waits(_ policy: WebSocketReconnectPolicy, _ count: Int) -> [ReconnectBackoff.Decision] {
        var machine = ReconnectBackoff(policy)
        return (0..<count).map { _ in machine.after(.offline, fraction: 0) }
    }

    @Test("Backoff: attempts without a network do not count, and wait for as long as the policy allows")
    func uncounted() {
        var policy = Self.policy
        policy.maximumOfflineWait = 70
        #expect(
            waits(policy, 6) == [
                .reconnect(attempt: 1, after: .seconds(30)), .reconnect(attempt: 1, after: .seconds(30)),
                .reconnect(attempt: 1, after: .seconds(10)), .reconnect(attempt: 1, after: .seconds(1)),
                .reconnect(attempt: 2, after: .seconds(2)), .exhausted,
            ])
        #expect(waits(Self.policy, 120).last == .reconnect(attempt: 1, after: .seconds(30)))
        #expect(waits(Self.policy, 123).last == .exhausted)
    }

    @Test("Backoff: an attempt with a network, and a request of the caller, reset the sum of the waits")
    func resets() {
        var policy = Self.policy
        policy.maximumOfflineWait = 30
        var machine = ReconnectBackoff(policy)
        #expect(machine.after(.offline, fraction: 0) == .reconnect(attempt: 1, after: .seconds(30)))
        #expect(machine.after(.failed(isTransient: true), fraction: 0) == .reconnect(attempt: 1, after: .seconds(1)))
        #expect(machine.after(.offline, fraction: 0) == .reconnect(attempt: 1, after: .seconds(30)))
        #expect(machine.after(.offline, fraction: 0) == .reconnect(attempt: 2, after: .seconds(2)))
        #expect(machine.after(.offline, fraction: 0) == .exhausted)
        machine.reset()
        #expect(machine.after(.offline, fraction: 0) == .reconnect(attempt: 1, after: .seconds(30)))
    }

    @Test("Backoff: all attempts count without a wait for the network, and without attempts there is no wait")
    func limits() {
        var policy = Self.policy
        policy.maximumOfflineWait = 0
        #expect(waits(policy, 1) == [.reconnect(attempt: 1, after: .seconds(1))])
        #expect(waits(.none, 1) == [.exhausted])
        // A policy without delays does not repeat the attempts without a pause.
        let hasty = WebSocketReconnectPolicy(maximumAttempts: 1, initialDelay: 0, maximumDelay: 0)
        #expect(waits(hasty, 1) == [.reconnect(attempt: 1, after: .seconds(1))])
    }

    @Test("Backoff: after the network has returned, the clients of a region do not all connect at once")
    func jitter() {
        var policy = Self.policy
        policy.jitter = .full
        for (fraction, minimum) in [(0.0, Duration.milliseconds(250)), (1, .milliseconds(500))] {
            var machine = ReconnectBackoff(policy)
            #expect(machine.after(.offline, fraction: fraction) == .reconnect(attempt: 1, after: .seconds(30)))
            #expect(machine.minimumWait == minimum)
        }
    }

    // MARK: WebSocket

    private func connection(_ world: WebSocketFixture) throws -> WebSocketConnection {
        world.server.onOpen { [network] _, _ in
            network.status.isConnected ? .accept(subprotocol: nil) : .fail(Self.offline)
        }
        let options = WebSocketFixture.options { $0.reconnectPolicy = Self.policy }
        return try world.connection(WebSocketFixture.Socket(), options: options) {
            $0.networkMonitor = network.monitor()
        }
    }

    @Test("WebSocket: attempts without a network do not count, and the return of the network ends the wait")
    func webSocket() async throws {
        let world = WebSocketFixture()
        let connection = try connection(world)
        var events = connection.events().makeAsyncIterator()
        connection.connect()
        for _ in 1...10 {
            #expect(try await events.next() == .reconnecting(attempt: 1, delay: 30))
            try await world.clock.sleeping(for: .seconds(30))
            world.clock.advance(by: .seconds(30))
        }
        #expect(try await events.next() == .reconnecting(attempt: 1, delay: 30))
        try await network.watched()
        try await world.clock.sleeping(for: .seconds(30))
        network.become(.connected(.wifi))
        try await world.clock.sleeping(for: .milliseconds(500))
        world.clock.advance(by: .milliseconds(500))
        #expect(try await events.next() == .connected)
        connection.close()
        try await connection.waitUntilClosed()
        try await network.unwatched()
    }

    @Test("WebSocket: an attempt that fails as offline counts if the monitor reports a route")
    func route() async throws {
        let world = WebSocketFixture()
        network.become(.connected(.wifi))
        let connection = try connection(world)
        world.server.onOpen { _, _ in .fail(Self.offline) }
        var events = connection.events().makeAsyncIterator()
        connection.connect()
        for attempt in 1...2 {
            #expect(try await events.next() == .reconnecting(attempt: attempt, delay: Double(attempt)))
            try await world.clock.sleeping(for: .seconds(attempt))
            world.clock.advance(by: .seconds(attempt))
        }
        await #expect(throws: WebSocketError.self) { while try await events.next() != nil {} }
    }

    @Test("WebSocket: close() ends the wait for the network")
    func closing() async throws {
        let world = WebSocketFixture()
        let connection = try connection(world)
        var events = connection.events().makeAsyncIterator()
        connection.connect()
        #expect(try await events.next() == .reconnecting(attempt: 1, delay: 30))
        connection.close()
        try await connection.waitUntilClosed()
        try await network.unwatched()
    }

    // MARK: Subscriptions

    @Test("Subscription: attempts without a network do not count, and the return of the network ends the wait")
    func subscription() async throws {
        let world = SubscriptionFixture()
        world.server.onOpen { [network] _, _ in
            network.status.isConnected ? .accept(subprotocol: nil) : .fail(Self.offline)
        }
        var options = SubscriptionOptions()
        options.webSocket.reconnectPolicy = Self.policy
        let socket = world.client { $0.networkMonitor = network.monitor() }
            .subscriptions(over: PlainProtocol(), options: options)
        let listener = SubscriptionListener(payloads: socket.events("a"))
        for attempt in 0..<10 {
            #expect(try await listener.word(attempt) == "interrupted connectionFailed")
            try await world.clock.sleeping(for: .seconds(30))
            world.clock.advance(by: .seconds(30))
        }
        #expect(try await listener.word(10) == "interrupted connectionFailed")
        try await network.watched()
        try await world.clock.sleeping(for: .seconds(30))
        network.become(.connected(.wifi))
        try await world.clock.sleeping(for: .milliseconds(500))
        world.clock.advance(by: .milliseconds(500))
        _ = try await world.server.peer(at: 0)
        await socket.disconnect()
        try await network.unwatched()
    }
}

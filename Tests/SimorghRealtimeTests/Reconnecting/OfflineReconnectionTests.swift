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

    /// Returns the backoff of a connection that was open.
    private func backoff(_ policy: WebSocketReconnectPolicy) -> ReconnectBackoff {
        var machine = ReconnectBackoff(policy)
        machine.connected()
        return machine
    }

    private func waits(
        _ policy: WebSocketReconnectPolicy, _ count: Int, after ending: ReconnectBackoff.Ending = .offline,
        waited: Duration? = nil
    ) -> [ReconnectBackoff.Decision] {
        var machine = backoff(policy)
        return (0..<count).map { _ in
            let decision = machine.after(ending, fraction: 0)
            if case .reconnect(_, let delay) = decision { machine.waited(waited ?? delay) }
            return decision
        }
    }

    @Test("Backoff: attempts without a network do not count, and wait for as long as the policy allows")
    func uncounted() {
        var policy = Self.policy
        policy.maximumOfflineWait = 70
        #expect(waits(policy, 6) == waits(policy, 6, after: .forbiddenNetwork))
        #expect(
            waits(policy, 6) == [
                .reconnect(attempt: 1, after: .seconds(30)), .reconnect(attempt: 1, after: .seconds(30)),
                .reconnect(attempt: 1, after: .seconds(10)), .reconnect(attempt: 1, after: .seconds(1)),
                .reconnect(attempt: 2, after: .seconds(2)), .exhausted,
            ])
        #expect(waits(Self.policy, 120).last == .reconnect(attempt: 1, after: .seconds(30)))
        #expect(waits(Self.policy, 123).last == .exhausted)
    }

    @Test("Backoff: the limit is that of the time that was waited, at most the planned time of each wait")
    func waited() {
        let full = WebSocketReconnectPolicy(maximumAttempts: 1, initialDelay: 1, maximumDelay: 30)
        // The network returns and is lost again after a second: an hour is 3,600 waits.
        #expect(waits(full, 3600, waited: .seconds(1)).last == .reconnect(attempt: 1, after: .seconds(1)))
        #expect(waits(full, 3602, waited: .seconds(1)).last == .exhausted)
        // The process was suspended for an hour in each wait.
        #expect(waits(full, 120, waited: .seconds(3600)).last == .reconnect(attempt: 1, after: .seconds(30)))
        #expect(waits(full, 122, waited: .seconds(3600)).last == .exhausted)
        // A wait that counts as an attempt is not part of the sum.
        var machine = backoff(full)
        _ = machine.after(.failed(isTransient: true), fraction: 0)
        machine.waited(.seconds(3600))
        #expect(machine.after(.offline, fraction: 0) == .reconnect(attempt: 1, after: .seconds(30)))
    }

    @Test("Backoff: before the first connection, attempts without a network count")
    func first() {
        var machine = ReconnectBackoff(Self.policy)
        for attempt in 1...2 {
            let decision = machine.after(.offline, fraction: 0)
            #expect(decision == .reconnect(attempt: attempt, after: .seconds(attempt)))
        }
        #expect(machine.after(.offline, fraction: 0) == .exhausted)
    }

    @Test("A network that the request may not use is no network; without one, a monitor has to confirm it")
    func endings() {
        let forbidden = TransportError(forbiddenBy: .cellular)
        for (error, ending) in [(forbidden, ReconnectBackoff.Ending.forbiddenNetwork), (Self.offline, .offline)] {
            #expect(ReconnectBackoff.Ending(opening: .urlError(error), now: Date()) == ending)
            #expect(ConnectionLoss(dialing: NetworkError.urlError(error), now: Date()).ending == ending)
            #expect(ConnectionLoss(describing: error, now: Date()).ending == ending)
            #expect(ConnectionLoss.isTransient(error))
        }
    }

    @Test("Backoff: an attempt with a network, and a request of the caller, reset the sum of the waits")
    func resets() {
        var policy = Self.policy
        policy.maximumOfflineWait = 30
        var machine = backoff(policy)
        #expect(machine.after(.offline, fraction: 0) == .reconnect(attempt: 1, after: .seconds(30)))
        machine.waited(.seconds(30))
        #expect(machine.after(.failed(isTransient: true), fraction: 0) == .reconnect(attempt: 1, after: .seconds(1)))
        #expect(machine.after(.offline, fraction: 0) == .reconnect(attempt: 1, after: .seconds(30)))
        machine.waited(.seconds(30))
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
            var machine = backoff(policy)
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
        network.become(.connected(.wifi))
        let connection = try connection(world)
        var events = connection.events().makeAsyncIterator()
        connection.connect()
        #expect(try await events.next() == .connected)
        network.become(.disconnected)
        try await world.server.peer(at: 0).drop()
        #expect(try await events.next() == .reconnecting(attempt: 1, delay: 1))
        try await world.clock.sleeping(for: .seconds(1))
        world.clock.advance(by: .seconds(1))
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

    @Test("WebSocket: a network that the request may not use is waited for, although the monitor reports a route")
    func forbidden() async throws {
        let world = WebSocketFixture()
        network.become(.connected(.wifi))
        let connection = try connection(world)
        world.server.onOpen { [network] _, _ in
            network.status.type == .wifi ? .accept(subprotocol: nil) : .fail(TransportError(forbiddenBy: .cellular))
        }
        var events = connection.events().makeAsyncIterator()
        connection.connect()
        #expect(try await events.next() == .connected)
        network.become(.connected(.cellular))
        try await world.server.peer(at: 0).drop()
        #expect(try await events.next() == .reconnecting(attempt: 1, delay: 1))
        try await world.clock.sleeping(for: .seconds(1))
        world.clock.advance(by: .seconds(1))
        for _ in 1...5 {
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
    }

    @Test(
        "WebSocket: an offline attempt counts if the monitor reports a route, and before the first connection",
        arguments: [true, false])
    func counted(hasRoute: Bool) async throws {
        let world = WebSocketFixture()
        if hasRoute { network.become(.connected(.wifi)) }
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
        #expect(try await events.next() == .reconnecting(attempt: 1, delay: 1))
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
            .subscriptions(over: PlainProtocol(greets: false, confirms: false), options: options)
        network.become(.connected(.wifi))
        let listener = SubscriptionListener(payloads: socket.events("a"))
        let peer = try await world.server.peer(at: 0)
        #expect(try await listener.word(0) == "subscribed")
        network.become(.disconnected)
        peer.drop()
        #expect(try await listener.word(1) == "interrupted connectionLost")
        try await world.clock.sleeping(for: .seconds(1))
        world.clock.advance(by: .seconds(1))
        for _ in 0..<10 {
            try await world.clock.sleeping(for: .seconds(30))
            world.clock.advance(by: .seconds(30))
        }
        try await network.watched()
        try await world.clock.sleeping(for: .seconds(30))
        #expect(socket.state == .reconnecting(attempt: 1, delay: .seconds(30)))
        network.become(.connected(.wifi))
        try await world.clock.sleeping(for: .milliseconds(500))
        world.clock.advance(by: .milliseconds(500))
        _ = try await world.server.peer(at: 1)
        await socket.disconnect()
        try await network.unwatched()
    }

    @Test("Subscription: before the first connection, attempts without a network count, and an unsent request ends")
    func firstSubscription() async throws {
        let world = SubscriptionFixture()
        world.server.onOpen { _, _ in .fail(Self.offline) }
        var options = SubscriptionOptions()
        options.webSocket.reconnectPolicy = Self.policy
        let socket = world.client { $0.networkMonitor = network.monitor() }
            .subscriptions(over: PlainProtocol(greets: false, confirms: false), options: options)
        let answer = Task { try await socket.perform("a") }
        for attempt in 1...2 {
            try await world.clock.sleeping(for: .seconds(attempt))
            world.clock.advance(by: .seconds(attempt))
        }
        await #expect(throws: SubscriptionError.self) { try await answer.value }
        #expect(world.server.requests.count == 3)
        try await network.unwatched()
    }
}

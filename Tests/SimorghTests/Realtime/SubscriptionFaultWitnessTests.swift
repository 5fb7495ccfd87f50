// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import TestSupport
import Testing

/// The faults of the simulated servers in Tests/Peers/subscriptions.py, for each protocol that can have them.
@Suite("Subscription faults", .timeLimit(.minutes(10)))
struct SubscriptionFaultWitnessTests {
    private typealias Place = SubscriptionWitnessTests.Place

    enum Wire: CaseIterable, Sendable {
        case appSync, appSyncEvents, binance, phoenix, absinthe, pusher, graphQL, olderGraphQL

        /// Returns true if a message starts the subscription.
        func asks(_ message: JSON) -> Bool {
            switch self {
            case .appSync, .olderGraphQL: message.type == "start"
            case .appSyncEvents, .graphQL: message.type == "subscribe"
            case .binance: message.method == "SUBSCRIBE"
            case .phoenix: message[3] == "phx_join"
            case .absinthe: message[3] == "doc"
            case .pusher: message.event == "pusher:subscribe"
            }
        }
    }

    private struct Listening: Sendable {
        let place: SubscriptionWitnessTests.Place
        let updates: SubscriptionUpdates<SubscriptionPayload>
        let disconnect: @Sendable () async -> Void
    }

    private static func listening<Spoken: SubscriptionProtocol>(
        to place: Place, _ spoken: Spoken, _ operation: Spoken.Operation, _ options: SubscriptionOptions
    ) -> Listening {
        let socket = APIClient().subscriptions(over: spoken, options: options)
        return Listening(place: place, updates: socket.events(operation).updates) { await socket.disconnect() }
    }

    // `life` is the interval of the client's keep-alive requests, or the longest time without the server's keep-alive.
    private static func listening(
        _ wire: Wire, _ faults: String, _ options: SubscriptionOptions = SubscriptionWitnessTests.options,
        life: Duration? = nil, to document: GraphQLOperation = "subscription { silent }", on server: String? = nil
    ) throws -> Listening {
        let place = try Place(faults, on: server)
        switch wire {
        case .appSync:
            return listening(
                to: place, AppSyncProtocol(place.base + "/graphql", authorization: .apiKey("k")), document, options)
        case .appSyncEvents:
            let events = AppSyncEventsProtocol(place.base + "/event/realtime", authorization: .apiKey("k"))
            return listening(to: place, events, .channel("/chat/a"), options)
        case .binance: return listening(to: place, BinanceProtocol(url: place.base), "coin@trade", options)
        case .phoenix:
            var phoenix = PhoenixProtocol(url: place.base + "/socket/websocket")
            if let life { phoenix.heartbeat = life }
            return listening(to: place, phoenix, .topic("room:1"), options)
        case .absinthe:
            var absinthe = AbsintheProtocol(url: place.base + "/socket/websocket")
            if let life { absinthe.heartbeat = life }
            return listening(to: place, absinthe, document, options)
        case .pusher:
            var pusher = PusherProtocol(key: "key", host: place.base)
            if let life { pusher.pongTimeout = life }
            return listening(to: place, pusher, .channel("silent"), options)
        case .graphQL:
            var graphQL = GraphQLTransportProtocol(url: place.base + "/plain")
            graphQL.pingInterval = life
            if let life { graphQL.pongTimeout = life }
            return listening(to: place, graphQL, document, options)
        case .olderGraphQL:
            var older = LegacyGraphQLProtocol(url: place.base + "/plain")
            if let life { older.keepAliveTimeout = life }
            return listening(to: place, older, document, options)
        }
    }

    @Test("A slow acknowledgment is awaited, and the subscription is requested once", arguments: Wire.allCases)
    func slow(wire: Wire) async throws {
        let listening = try Self.listening(wire, "ack_delay=0.3")
        let begin = ContinuousClock.now
        var updates = listening.updates.makeAsyncIterator()
        guard case .subscribed? = try await updates.next() else {
            Issue.record("expected .subscribed first")
            return
        }
        #expect(begin.duration(to: .now) >= .milliseconds(290))
        // A request that needs no acknowledgment may still be in transit.
        try await eventually { try await listening.place.said().map { $0.count(where: wire.asks) } == [1] }
        await listening.disconnect()
        #expect(try await listening.place.said().map { $0.count(where: wire.asks) } == [1])
    }

    @Test("A missing acknowledgment times out after the configured time", arguments: Wire.allCases)
    func never(wire: Wire) async throws {
        var options = SubscriptionWitnessTests.options
        (options.readyTimeout, options.subscribeTimeout) = (.seconds(1), .seconds(1))
        options.webSocket.reconnectPolicy = .none
        let listening = try Self.listening(wire, "ack_never=1", options)
        let error = await #expect(throws: SubscriptionError.self) {
            for try await _ in listening.updates {}
        }
        #expect(error?.code == .timedOut)
        await listening.disconnect()
        #expect(try await listening.place.said().count <= 1)
    }

    // Binance's servers only send WebSocket pings as keep-alive.
    @Test(
        "Missing keep-alives count as a lost connection, and the client reconnects",
        arguments: Wire.allCases.filter { $0 != .binance })
    func silence(wire: Wire) async throws {
        let listening = try Self.listening(
            wire, "ka_stop_after=1,timeout_ms=300,activity_s=0.2", life: .milliseconds(300))
        var (losses, isBack) = (0, false)
        for try await update in listening.updates {
            if case .interrupted(let error, _) = update {
                #expect(error.code == .timedOut)
                losses += 1
            }
            if case .resumed = update {
                isBack = true
                break
            }
        }
        #expect(losses > 0 && isBack)
        await listening.disconnect()
        let connections = try await listening.place.said()
        #expect(connections.count > 1 && connections.allSatisfy { $0.count(where: wire.asks) <= 1 })
    }

    @Test(
        "After a server was killed or stopped the client subscribes again once, and events continue",
        arguments: [Wire.appSync, .graphQL], [SIGKILL, SIGSTOP])
    func death(wire: Wire, signal: Int32) async throws {
        let command: [String] = try await APIClient(
            baseURL: Witness.subscriptions.url.replacingOccurrences(of: "ws://", with: "http://")
        ).get("victim")
        var victim = try await RestartableServer(command)
        defer { victim.end() }
        var options = SubscriptionWitnessTests.options
        options.webSocket.reconnectPolicy = WebSocketReconnectPolicy(
            maximumAttempts: .max, initialDelay: 0.01, maximumDelay: 0.05)
        let listening = try Self.listening(
            wire, "timeout_ms=5000", options, life: .seconds(5), to: "subscription { tick }",
            on: "ws://127.0.0.1:\(victim.port)")
        var updates = listening.updates.makeAsyncIterator()
        guard case .subscribed? = try await updates.next(), case .event? = try await updates.next() else {
            Issue.record("expected .subscribed and an event first")
            return
        }
        victim.signal(signal)
        var loss: SubscriptionError?
        while loss == nil, let update = try await updates.next() {
            if case .interrupted(let error, _) = update { loss = error }
        }
        #expect(loss?.code == (signal == SIGKILL ? SubscriptionError.Code.connectionLost : .timedOut))
        try await victim.restartServer(from: signal)
        guard case .resumed? = try await updates.next() else {
            Issue.record("expected .resumed next")
            return
        }
        for n in 0..<3 {
            guard case .event(let payload)? = try await updates.next() else {
                Issue.record("no event")
                return
            }
            let data = try payload.decoded(as: JSON.self)["data"]
            #expect((wire == .appSync ? data.onTick.n : data.tick).int == n)
        }
        await listening.disconnect()
        // The restarted process has seen only the second connection.
        let asked = try await listening.place.said().map { $0.count(where: wire.asks) }
        // A stopped process may also have recorded an abandoned connection attempt.
        #expect(signal == SIGKILL ? asked == [1] : asked.filter { $0 > 0 } == [1, 1])
    }

    @Test("A refused document fails only its own subscription", arguments: [Wire.absinthe, .graphQL, .olderGraphQL])
    func refusal(wire: Wire) async throws {
        let listening = try Self.listening(wire, "start_error=1")
        let error = await #expect(throws: SubscriptionError.self) {
            for try await _ in listening.updates {}
        }
        #expect((error?.underlying as? GraphQLErrors)?.description == "refused")
        // Only Absinthe acknowledges a subscription; with the others, a subscription that fails has already begun.
        #expect(error?.code == (wire == .absinthe ? SubscriptionError.Code.refused : SubscriptionError.Code.failed))
        await listening.disconnect()
        #expect(try await listening.place.said().count == 1)
    }

    @Test("GraphQL reconnects after each drop, and subscribes once per connection", arguments: [false, true])
    func drops(isOlder: Bool) async throws {
        let place = try Place("drop_after=2,drops=5,tick_ms=1")
        let url = place.base + "/plain"
        let document: GraphQLOperation = "subscription { tick }"
        if isOlder {
            let socket = SubscriptionWitnessTests.socket(LegacyGraphQLProtocol(url: url))
            try await SubscriptionWitnessTests.survive(5, socket, document)
        } else {
            let socket = SubscriptionWitnessTests.socket(GraphQLTransportProtocol(url: url))
            try await SubscriptionWitnessTests.survive(5, socket, document)
        }
        let wire = isOlder ? Wire.olderGraphQL : .graphQL
        let connections = try await place.said()
        #expect(connections.count == 6)
        for said in connections { #expect(said.count(where: wire.asks) == 1) }
    }
}

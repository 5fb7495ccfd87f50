// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import TestSupport
import Testing

/// Each protocol against the simulated servers of Tests/Peers/subscriptions.py, with each of their faults.
@Suite(.timeLimit(.minutes(10)))
struct SubscriptionWitnessTests {
    private struct Tick: Decodable, Sendable { let n: Int }

    /// A URL on the server with its faults and its own journal.
    struct Place {
        let journal = UUID().uuidString.lowercased()
        let server: String
        let base: String

        /// Creates a place on the given server, or on the one that scripts/with-test-servers has started.
        init(_ faults: String = "", on server: String? = nil) throws {
            self.server = try server ?? Witness.subscriptions.url
            base = self.server + "/with/" + (faults.isEmpty ? "" : faults + ",") + "journal=\(journal)"
        }

        /// Returns the client's messages, per connection.
        func said() async throws -> [[JSON]] {
            let url = server.replacingOccurrences(of: "ws://", with: "http://")
            let texts: [[String]] = try await APIClient(baseURL: url).get("journal/\(journal)")
            return try texts.map { try $0.map { try JSON(parsing: Data($0.utf8)) } }
        }
    }

    static let options: SubscriptionOptions = {
        var options = SubscriptionOptions(
            webSocket: WebSocketOptions(
                reconnectPolicy: WebSocketReconnectPolicy(maximumAttempts: 1000, initialDelay: 0.01, maximumDelay: 0.05)
            ))
        // Timeouts are long, because the machine may be slow.
        options.readyTimeout = .seconds(3600)
        options.subscribeTimeout = .seconds(3600)
        return options
    }()

    static func socket<Wire: SubscriptionProtocol>(
        _ wire: Wire, _ change: (inout SubscriptionOptions) -> Void = { _ in }
    ) -> SubscriptionClient<Wire> {
        var options = options
        change(&options)
        return APIClient().subscriptions(over: wire, options: options)
    }

    private static func take<Event>(_ count: Int, of events: SubscriptionEvents<Event>) async throws -> [Event] {
        var taken: [Event] = []
        for try await event in events {
            taken.append(event)
            if taken.count == count { break }
        }
        return taken
    }

    @Test(
        "AppSync: both placements of the credentials work, ticks arrive in order, and `stop` is sent at the end",
        arguments: AppSyncProtocol.Placement.allCases)
    func appSync(placement: AppSyncProtocol.Placement) async throws {
        let place = try Place()
        var wire = AppSyncProtocol(place.base + "/graphql", authorization: .apiKey("da2-key"))
        wire.placement = placement
        let socket = Self.socket(wire)
        let ticks = try await Self.take(
            3, of: socket.events("subscription { onTick { n } }", as: Tick.self, at: "data.onTick"))
        #expect(ticks.map(\.n) == [0, 1, 2])
        await socket.disconnect()
        // The server may still be reading the last bytes that it received.
        try await eventually { try await place.said().joined().count >= 3 }
        #expect(try await place.said().map { $0.map(\.type) } == [["connection_init", "start", "stop"]])
    }

    @Test("AppSync: after each of many drops every subscription is started again, once and in order")
    func appSyncDrops() async throws {
        let place = try Place("drop_after=6,drops=20,tick_ms=1,together=3")
        let socket = Self.socket(AppSyncProtocol(place.base + "/graphql", authorization: .token { "t" })) {
            $0.linger = .seconds(3600)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...3 {
                group.addTask {
                    var interruptions = 0
                    let events = socket.events("subscription { onTick { n } } # \(number)" as GraphQLOperation)
                    for try await update in events.updates {
                        if case .interrupted = update { interruptions += 1 }
                        if case .event = update, interruptions >= 20 { break }
                    }
                }
            }
            try await group.waitForAll()
        }
        await socket.disconnect()
        let connections = try await place.said()
        #expect(connections.count == 21)
        // The server sends data, and drops the connection, only after it has read all three.
        for said in connections {
            #expect(said.prefix(4).map(\.type) == ["connection_init", "start", "start", "start"])
            #expect(said.filter { $0.type == "start" }.map(\.id) == ["1", "2", "3"])
        }
    }

    /// Listens until the subscription has survived the given number of drops and has received an event afterwards.
    static func survive<Wire: SubscriptionProtocol>(
        _ drops: Int, _ socket: SubscriptionClient<Wire>, _ operation: Wire.Operation
    ) async throws {
        var interruptions = 0
        for try await update in socket.events(operation).updates {
            if case .interrupted = update { interruptions += 1 }
            if case .event = update, interruptions >= drops { break }
        }
        await socket.disconnect()
    }

    @Test("Each protocol reconnects after each drop, and subscribes once per connection", arguments: 0..<6)
    func drops(kind: Int) async throws {
        let place = try Place("drop_after=2,drops=5,tick_ms=1")
        let word: (JSON) -> Bool
        switch kind {
        case 0, 1:
            var wire = BinanceProtocol(url: place.base)
            wire.isCombined = kind == 0
            try await Self.survive(5, Self.socket(wire), "coin@trade")
            word = { $0.method == "SUBSCRIBE" }
        case 2:
            try await Self.survive(
                5, Self.socket(PhoenixProtocol(url: place.base + "/socket/websocket")), .topic("room:1"))
            word = { $0[3] == "phx_join" }
        case 3:
            try await Self.survive(
                5, Self.socket(AbsintheProtocol(url: place.base + "/socket/websocket")), "subscription { tick }")
            word = { $0[3] == "doc" }
        case 4:
            try await Self.survive(5, Self.socket(PusherProtocol(key: "key", host: place.base)), .channel("a"))
            word = { $0.event == "pusher:subscribe" }
        default:
            // The server only echoes published events, until it drops the connection.
            let socket = Self.socket(AppSyncEventsProtocol(place.base + "/event/realtime", authorization: .apiKey("k")))
            {
                $0.linger = .seconds(3600)
            }
            let publisher = Task {
                while !Task.isCancelled { _ = try? await socket.publish([1], on: "/chat/a") }
            }
            var interruptions = 0
            for try await update in socket.events(.channel("/chat/*")).updates {
                if case .interrupted = update { interruptions += 1 }
                if case .event = update, interruptions >= 5 { break }
            }
            publisher.cancel()
            await publisher.value
            await socket.disconnect()
            word = { $0.type == "subscribe" }
        }
        let connections = try await place.said()
        #expect(connections.count == 6)
        for said in connections { #expect(said.count(where: word) == 1) }
    }

    @Test("Phoenix reconnects after each of 1,000 drops, and subscribes once per connection")
    func thousandDrops() async throws {
        let place = try Place("drop_after=1,drops=1000,tick_ms=0")
        let socket = Self.socket(PhoenixProtocol(url: place.base + "/socket/websocket")) {
            $0.webSocket.reconnectPolicy = WebSocketReconnectPolicy(maximumAttempts: .max, initialDelay: 0)
        }
        try await Self.survive(1000, socket, .topic("room:1", event: "tick"))
        let connections = try await place.said()
        #expect(connections.count == 1001)
        for said in connections { #expect(said.count { $0[3] == "phx_join" } == 1) }
        #expect(socket.state == .disconnected)
    }

    @Test("Subscriptions work through nginx, through a proxy, and through both", arguments: ["nginx", "squid", "both"])
    func ways(way: String) async throws {
        let place = try Place("drop_after=3,drops=2,tick_ms=1")
        var url = place.base
        if way != "squid" {
            let nginx = try Witness.nginx.url.replacingOccurrences(of: "http://", with: "ws://")
            url = url.replacingOccurrences(of: try Witness.subscriptions.url, with: nginx + "/subscriptions")
        }
        var configuration = APIClient.Configuration()
        if way != "nginx" {
            configuration.route.proxy = .url(
                try Witness.squid.url.replacingOccurrences(of: "http://", with: "http://zal:feather%3A1@"))
        }
        let client = APIClient(configuration: configuration)
        let socket = client.subscriptions(
            over: PhoenixProtocol(url: url + "/socket/websocket"), options: Self.options)
        try await Self.survive(2, socket, .topic("room:1", event: "tick"))
        #expect(try await place.said().count == 3)
    }

    @Test("AppSync: missing keep-alives count as a lost connection, and a missing connection_ack times out")
    func appSyncSilence() async throws {
        let place = try Place("ka_stop_after=1,timeout_ms=300")
        let socket = Self.socket(AppSyncProtocol(place.base + "/graphql", authorization: .apiKey("k")))
        let interrupted = try await socket.events("subscription { silent }").updates.first { update in
            if case .interrupted(let error, _) = update { error.code == .timedOut } else { false }
        }
        #expect(interrupted != nil)
        await socket.disconnect()

        let never = Self.socket(
            AppSyncProtocol(try Place("ack_never=1").base + "/graphql", authorization: .apiKey("k"))
        ) {
            $0.readyTimeout = .seconds(2)
            $0.webSocket.reconnectPolicy = .none
        }
        let error = await #expect(throws: SubscriptionError.self) {
            for try await _ in never.events("subscription { silent }") {}
        }
        #expect(error?.code == .timedOut)

        let slow = Self.socket(
            AppSyncProtocol(try Place("ack_delay=0.3").base + "/graphql", authorization: .apiKey("k")))
        #expect(try await Self.take(1, of: slow.events("subscription { onTick }")).count == 1)
        await slow.disconnect()
    }

    @Test("AppSync: a refused start fails only its subscription, refused credentials fail permanently")
    func appSyncRefusals() async throws {
        let limited = Self.socket(
            AppSyncProtocol(try Place("start_error=1").base + "/graphql", authorization: .apiKey("k")))
        let postponed = try await limited.events("subscription { onTick }").updates.first { update in
            guard case .interrupted(let error, _) = update else { return false }
            return (error.underlying as? AppSyncErrors)?.isLimit == true
        }
        #expect(postponed != nil, "a limit error is retried")
        await limited.disconnect()
        let socket = Self.socket(
            AppSyncProtocol(try Place("start_error=1").base + "/graphql", authorization: .apiKey("k"))
        ) {
            $0.webSocket.reconnectPolicy = .none
        }
        let refused = await #expect(throws: SubscriptionError.self) {
            for try await _ in socket.events("subscription { onTick }") {}
        }
        #expect(refused?.code == .refused && (refused?.underlying as? AppSyncErrors)?.isLimit == true)
        await socket.disconnect()
        let place = try Place()
        let stranger = Self.socket(AppSyncProtocol(place.base + "/graphql", authorization: .signed { _ in [:] }))
        let error = await #expect(throws: SubscriptionError.self) {
            for try await _ in stranger.events("subscription { onTick }") {}
        }
        #expect((error?.underlying as? AppSyncErrors)?.isUnauthorized == true)
        #expect(try await place.said().count == 1)
    }

    @Test("AppSync Events: published events arrive only at subscriptions of their channel")
    func appSyncEvents() async throws {
        let place = try Place()
        let socket = Self.socket(AppSyncEventsProtocol(place.base + "/event/realtime", authorization: .apiKey("k")))
        var all = socket.events(.channel("/chat/*"), as: Tick.self).updates.makeAsyncIterator()
        guard case .subscribed = try await all.next() else {
            Issue.record("not subscribed")
            return
        }
        var other = socket.events(.channel("/other/a"), as: Tick.self).updates.makeAsyncIterator()
        _ = try await other.next()
        let answer = try await socket.publish([["n": 1], ["n": 2]], on: "/chat/lobby")
        #expect(answer.successful.array?.count == 2)
        for n in 1...2 {
            guard case .event(let tick) = try await all.next() else {
                Issue.record("no event")
                return
            }
            #expect(tick.n == n)
        }
        let error = await #expect(throws: SubscriptionError.self) {
            try await socket.publish(Array(repeating: 1, count: 6), on: "/chat/lobby")
        }
        #expect(error?.underlying is AppSyncErrors)
        await socket.disconnect()
        try await eventually { try await place.said().first?.last?.type == "unsubscribe" }
    }

    @Test("AppSync Events: a refused channel fails alone, and missing keep-alives count as a lost connection")
    func appSyncEventsFaults() async throws {
        let refusing = try Place("start_error=1").base + "/event/realtime"
        let socket = Self.socket(AppSyncEventsProtocol(refusing, authorization: .apiKey("k")))
        let error = await #expect(throws: SubscriptionError.self) {
            for try await _ in socket.events(.channel("/chat/a")) {}
        }
        #expect((error?.underlying as? AppSyncErrors)?.isUnauthorized == true)
        await socket.disconnect()
        let quiet = try Place("ka_stop_after=1,timeout_ms=300").base + "/event/realtime"
        let silent = Self.socket(AppSyncEventsProtocol(quiet, authorization: .apiKey("k")))
        let lost = try await silent.events(.channel("/chat/a")).updates.first { update in
            if case .interrupted(let error, _) = update { error.code == .timedOut } else { false }
        }
        #expect(lost != nil)
        await silent.disconnect()
    }

    @Test("Binance: combined and raw streams work, at five messages per second", arguments: [true, false])
    func binance(isCombined: Bool) async throws {
        let place = try Place()
        var wire = BinanceProtocol(url: place.base)
        wire.isCombined = isCombined
        let socket = Self.socket(wire)
        struct Trade: Decodable, Sendable { let s: String }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                group.addTask {
                    let events = socket.events(BinanceProtocol.Streams(["coin\(number)@trade"]), as: Trade.self)
                    let symbols = try await Self.take(3, of: events).map(\.s)
                    #expect(symbols == Array(repeating: "COIN\(number)", count: 3))
                }
            }
            try await group.waitForAll()
        }
        let error = await #expect(throws: SubscriptionError.self) {
            for try await _ in socket.events("nonsense") {}
        }
        #expect((error?.underlying as? BinanceError)?.code == 2, "\(String(describing: error))")
        await socket.disconnect()
    }

    @Test("Binance: the client reconnects before an announced shutdown, and subscribes to everything again")
    func binanceShutdown() async throws {
        let place = try Place("shutdown_after=2")
        let socket = Self.socket(BinanceProtocol(url: place.base))
        let resumed = try await socket.events("coin@trade").updates.first { update in
            if case .resumed = update { true } else { false }
        }
        #expect(resumed != nil)
        await socket.disconnect()
        let connections = try await place.said()
        #expect(connections.count >= 2 && connections.allSatisfy { $0.first?.method == "SUBSCRIBE" })
    }

    @Test("Phoenix: topics, pushes, recovery after a channel crash, and refusals work")
    func phoenix() async throws {
        let place = try Place("crash_after=2")
        let socket = Self.socket(PhoenixProtocol(url: place.base + "/socket/websocket"))
        let ticks = try await Self.take(4, of: socket.events(.topic("room:1", event: "tick"), as: Tick.self))
        #expect(ticks.map(\.n).prefix(2) == [0, 1] && ticks.count == 4)
        var topic = socket.events(.topic("room:2")).updates.makeAsyncIterator()
        _ = try await topic.next()
        let echo = try await socket.perform(.push("room:2", event: "echo", payload: ["x": 1]))
        #expect(try echo.decoded(as: JSON.self) == ["x": 1])
        let refused = await #expect(throws: SubscriptionError.self) {
            try await socket.perform(.push("room:2", event: "what"))
        }
        #expect((refused?.underlying as? PhoenixError)?.response.reason == "unmatched")
        await socket.disconnect()
        let closed = Self.socket(PhoenixProtocol(url: try Place("start_error=1").base + "/socket/websocket"))
        let error = await #expect(throws: SubscriptionError.self) {
            for try await _ in closed.events(.topic("room:1")) {}
        }
        #expect(error?.code == .refused)
        await closed.disconnect()
    }

    @Test("Absinthe: a subscription and a query share one channel")
    func absinthe() async throws {
        let place = try Place()
        let socket = Self.socket(AbsintheProtocol(url: place.base + "/socket/websocket"))
        let ticks = try await Self.take(3, of: socket.subscribe("subscription { tick }", as: JSON.self))
        #expect(ticks.map(\.tick) == [0, 1, 2])
        let hello: JSON = try await socket.execute("{ hello }")
        #expect(hello.hello == "world")
        await socket.disconnect()
    }

    @Test("Pusher: public and private channels share a connection, and silence triggers pusher:ping")
    func pusher() async throws {
        let place = try Place("activity_s=0.2")
        var wire = PusherProtocol(key: "key", host: place.base)
        wire.authorize = { channel, socketID in ["auth": .string("key:\(channel):\(socketID)")] }
        let socket = Self.socket(wire)
        async let first = Self.take(3, of: socket.events(.channel("a", event: "tick"), as: Tick.self))
        async let second = Self.take(3, of: socket.events(.channel("private-b", event: "tick"), as: Tick.self))
        #expect(try await first.map(\.n) == [0, 1, 2])
        #expect(try await second.map(\.n) == [0, 1, 2])
        var silent = socket.events(.channel("silent")).updates.makeAsyncIterator()
        _ = try await silent.next()
        try await eventually { try await place.said().joined().contains { $0.event == "pusher:ping" } }
        await socket.disconnect()
        let stranger = Self.socket(PusherProtocol(key: "key", host: place.base))
        let refused = await #expect(throws: SubscriptionError.self) {
            for try await _ in stranger.events(.channel("private-b")) {}
        }
        #expect((refused?.underlying as? PusherError)?.code == 401)
        let nowhere = try Place("start_error=1")
        let unknown = Self.socket(PusherProtocol(key: "key", host: nowhere.base))
        let error = await #expect(throws: SubscriptionError.self) {
            for try await _ in unknown.events(.channel("a")) {}
        }
        #expect(error?.closure?.code == 4001 || (error?.underlying as? PusherError)?.code == 4001)
        #expect(try await nowhere.said().count == 1)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghTesting

extension DemoStep {
    static let events = DemoStep(
        "events", title: "Server-sent events, which resume after the last event",
        code: """
            for try await event in client.eventSource(.get, "feed") {
                print("\\(event.event): \\(event.data)")
                if event.data == "love" { break }
            }
            """,
        run: showEvents
    )

    private static func showEvents(_ environment: DemoEnvironment) async throws {
        let (client, print) = (environment.client, environment.print)
        // demo: events
        for try await event in client.eventSource(.get, "feed") {
            print("\(event.event): \(event.data)")
            if event.data == "love" { break }
        }
        // demo: end
        try environment.expect("valley: quest", "valley: love")
    }

    static let webSocket = DemoStep(
        "websocket", title: "A WebSocket, and models both ways",
        code: """
            struct Echo: WebSocketRouter {
                let baseURLString: String
                let path = "/echo"
            }

            let echo = Echo(baseURLString: url)
            try await client.withWebSocket(echo) { socket in
                try await socket.send(NewUser(name: "Simorgh"))
                for try await user in socket.messages(of: NewUser.self) {
                    print("\\(user.name) is back")
                    break
                }
            }
            """,
        run: showWebSocket
    )

    private static func showWebSocket(_ environment: DemoEnvironment) async throws {
        let (client, print) = (environment.client, environment.print)
        try await MockServer.with { server in
            DemoServer.addSockets(to: server)
            let url = server.webSocketURL
            // demo: websocket
            let echo = Echo(baseURLString: url)
            try await client.withWebSocket(echo) { socket in
                try await socket.send(NewUser(name: "Simorgh"))
                for try await user in socket.messages(of: NewUser.self) {
                    print("\(user.name) is back")
                    break
                }
            }
            // demo: end
        }
        try environment.expect("Simorgh is back")
    }

    static let subscription = DemoStep(
        "subscription", title: "A subscription, which ends with its loop",
        code: """
            struct Prices: SubscriptionRouter {
                struct Event: Codable { let price: Int }

                let baseURLString: String
                let path = "/prices"
                var subscribeMessage: some Encodable { ["subscribe": "prices"] }
            }

            for try await event in client.subscribe(Prices(baseURLString: url)) {
                print("a feather costs \\(event.price)")
                if event.price == 3 { break }
            }
            """,
        run: showSubscription
    )

    private static func showSubscription(_ environment: DemoEnvironment) async throws {
        let (client, print) = (environment.client, environment.print)
        try await MockServer.with { server in
            DemoServer.addSockets(to: server)
            let url = server.webSocketURL
            // demo: subscription
            for try await event in client.subscribe(Prices(baseURLString: url)) {
                print("a feather costs \(event.price)")
                if event.price == 3 { break }
            }
            // demo: end
        }
        try environment.expect("a feather costs 1", "a feather costs 2", "a feather costs 3")
    }

    static let network = DemoStep(
        "network", title: "The network status and its changes (simulated)",
        code: """
            let monitor = network.monitor()
            monitor.startMonitoring()
            for await connectivity in monitor.statusStream() {
                print(connectivity.isConnected ? "online" : "offline")
                if !connectivity.isConnected { break }
            }
            """,
        run: showNetwork
    )

    private static func showNetwork(_ environment: DemoEnvironment) async throws {
        let network = ScriptedNetwork(.connected(.wifi))
        let print: @Sendable (String) -> Void = { line in
            environment.print(line)
            network.become(.disconnected)
        }
        // demo: network
        let monitor = network.monitor()
        monitor.startMonitoring()
        for await connectivity in monitor.statusStream() {
            print(connectivity.isConnected ? "online" : "offline")
            if !connectivity.isConnected { break }
        }
        // demo: end
        try environment.expect("online", "offline")
    }
}
#endif

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension APIClient {
    /// Many subscriptions over one WebSocket, in a protocol that the server speaks; it connects when somebody subscribes.
    ///
    /// Each opening of a connection is a request of this client, as it is for
    /// ``webSocketConnection(_:options:)``: with its header fields, cookies, credentials and limits.
    ///
    /// - Parameters:
    ///   - wire: The protocol, and where the server is.
    ///   - options: How it connects, waits, and keeps what is not taken yet.
    /// - Returns: The socket; letting go of it ends what is left of it.
    public func subscriptions<Wire: SubscriptionProtocol>(
        over wire: Wire, options: SubscriptionOptions = SubscriptionOptions()
    ) -> SubscriptionSocket<Wire> {
        SubscriptionSocket(
            subscriptionHub(wire, options), options: options, decoder: settings.decoder)
    }

    /// A subscription with a connection of its own; it is not connected yet.
    ///
    /// - Parameters:
    ///   - router: Where to connect, what to say, and how to read what comes.
    ///   - options: How it connects, waits, and keeps what is not taken yet.
    ///   - decoder: Decodes the events; the client's by default.
    /// - Returns: The subscription, which begins with ``SubscriptionConnection/connect()``.
    /// - Throws: ``WebSocketRouterError`` for a router that names nothing to connect to.
    public func subscription<Router: SubscriptionRouter>(
        _ router: Router, options: SubscriptionOptions = SubscriptionOptions(), decoder: JSONDecoder? = nil
    ) throws -> SubscriptionConnection<Router> {
        _ = try WebSocketRequest(router).url(settings)
        return SubscriptionConnection(core(router, options, decoder))
    }

    /// The events of a subscription: each iteration connects and subscribes, and ends both when it is left or cancelled.
    ///
    /// ```swift
    /// for try await trade in client.subscribe(Trades()) { print(trade) }
    /// ```
    /// - Parameters:
    ///   - router: Where to connect, what to say, and how to read what comes.
    ///   - options: How it connects, waits, and keeps what is not taken yet.
    ///   - decoder: Decodes the events; the client's by default.
    /// - Returns: The events: cold.
    public func subscribe<Router: SubscriptionRouter>(
        _ router: Router, options: SubscriptionOptions = SubscriptionOptions(), decoder: JSONDecoder? = nil
    ) -> SubscriptionEvents<Router.Event> {
        let decoder = decoder ?? settings.decoder
        return SubscriptionEvents(read: { try router.decodeEvent(from: $0.message, using: decoder) }) {
            let core = self.core(router, options, decoder)
            let seat = core.seat()
            core.listen()
            return seat
        }
    }

    private func core<Router: SubscriptionRouter>(
        _ router: Router, _ options: SubscriptionOptions, _ decoder: JSONDecoder?
    ) -> SubscriptionCore<Router> {
        let wire = RouterProtocol(router: router, encoder: configuration.coding.encoder ?? Coders.encoder)
        // Of one that is wanted anew the hub may hear before it hears of the end of the last: for a moment there are two.
        var unbounded = options
        unbounded.maximumSubscriptions = .max
        return SubscriptionCore(
            router, subscriptionHub(wire, unbounded), options: options,
            decoder: decoder ?? settings.decoder)
    }

    private func subscriptionHub<Wire: SubscriptionProtocol>(
        _ wire: Wire, _ options: SubscriptionOptions
    ) -> SubscriptionHub<Wire> {
        let settings = settings
        let configuration = settings.configuration
        var options = options
        options.webSocket.clientPaths = configuration.pathWatch
        options.onState = { [self, observe = options.onState] state in
            self.settings.observation.log?.write(state)
            observe?(state)
        }
        options.onStray = { [self] in self.settings.observation.log?.writeStraySubscription() }
        return SubscriptionHub(
            wire, options: options, time: configuration.time, random: configuration.random,
            loops: settings.transport as? any LoopTransport
        ) { [self] router, options in
            try await openWebSocket(
                options.link, usesCredentials: options.allowsAuthentication, logged: .subscription
            ) {
                try WebSocketRequest(router)
            }
        }
    }
}

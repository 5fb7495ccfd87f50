// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension APIClient {
    /// Returns a client for many subscriptions over one WebSocket; it connects at the first subscription.
    ///
    /// Each opening of a connection is a request of this client, as for ``webSocketConnection(_:options:)``: with its
    /// header fields, cookies, credentials and limits.
    ///
    /// - Parameters:
    ///   - wire: The subscription protocol, with the address of the server.
    ///   - options: The options for connections, timeouts and buffers.
    /// - Returns: The subscription client; releasing it ends its remaining subscriptions.
    public func subscriptions<Wire: SubscriptionProtocol>(
        over wire: Wire, options: SubscriptionOptions = SubscriptionOptions()
    ) -> SubscriptionClient<Wire> {
        SubscriptionClient(
            subscriptionHub(wire, options: options), options: options, decoder: settings.decoder)
    }

    /// Creates a subscription with its own connection.
    ///
    /// It is not connected yet.
    ///
    /// - Parameters:
    ///   - router: The address, the messages to send, and the decoding of events.
    ///   - options: The options for connections, timeouts and buffers.
    ///   - decoder: The decoder of the events; by default the client's.
    /// - Returns: The subscription; start it with ``SubscriptionConnection/connect()``.
    /// - Throws: ``WebSocketRouterError`` if the router does not describe a valid WebSocket URL.
    public func subscription<Router: SubscriptionRouter>(
        _ router: Router, options: SubscriptionOptions = SubscriptionOptions(), decoder: JSONDecoder? = nil
    ) throws -> SubscriptionConnection<Router> {
        _ = try WebSocketRequest(router).url(settings)
        return SubscriptionConnection(core(router, options: options, decoder: decoder))
    }

    /// Returns the events of a subscription with its own connection.
    ///
    /// Each iteration connects and subscribes. Leaving the loop or cancelling its task ends both.
    ///
    ///
    /// ```swift
    /// for try await trade in client.subscribe(Trades()) { print(trade) }
    /// ```
    /// - Parameters:
    ///   - router: The address, the messages to send, and the decoding of events.
    ///   - options: The options for connections, timeouts and buffers.
    ///   - decoder: The decoder of the events; by default the client's.
    /// - Returns: The events; nothing is sent before the first iteration.
    public func subscribe<Router: SubscriptionRouter>(
        _ router: Router, options: SubscriptionOptions = SubscriptionOptions(), decoder: JSONDecoder? = nil
    ) -> SubscriptionEvents<Router.Event> {
        let decoder = decoder ?? settings.decoder
        return SubscriptionEvents(read: { try router.decodeEvent(from: $0.message, using: decoder) }) {
            let core = self.core(router, options: options, decoder: decoder)
            let subscriber = core.addSubscriber()
            core.listen()
            return subscriber
        }
    }

    private func core<Router: SubscriptionRouter>(
        _ router: Router, options: SubscriptionOptions, decoder: JSONDecoder?
    ) -> SharedSubscription<Router> {
        let wire = SingleSubscriptionProtocol(router: router, encoder: configuration.coding.encoder ?? Coders.encoder)
        // At a restart, the hub may receive the new subscription before the end of the old one, so two exist for a
        // moment.
        var unbounded = options
        unbounded.maximumSubscriptions = .max
        return SharedSubscription(
            router, hub: subscriptionHub(wire, options: unbounded), options: options,
            decoder: decoder ?? settings.decoder)
    }

    private func subscriptionHub<Wire: SubscriptionProtocol>(
        _ wire: Wire, options: SubscriptionOptions
    ) -> SubscriptionMultiplexer<Wire> {
        let settings = settings
        let configuration = settings.configuration
        var options = options
        options.webSocket.clientPaths = configuration.pathWatch
        options.onState = { [self, observe = options.onState] state in
            self.settings.observation.log?.write(state)
            observe?(state)
        }
        options.onUnknownID = { [self] in self.settings.observation.log?.writeUnknownSubscriptionID() }
        let hub = SubscriptionMultiplexer(
            wire, options: options, time: configuration.time, random: configuration.random,
            loops: settings.transport as? any EventLoopTransport
        ) { [self] router, options in
            try await openWebSocket(
                options.link, usesCredentials: options.allowsAuthentication, logged: .subscription
            ) {
                try WebSocketRequest(router)
            }
        }
        gate.add(hub)
        return hub
    }
}

extension NetworkLog {
    /// Logs that a message with a subscription ID that this connection never used was ignored.
    func writeUnknownSubscriptionID() {
        guard level >= .standard else { return }
        write(entry("subscriptions message with an unknown id ignored"))
    }

    /// Logs a change of the connection's state.
    func write(_ state: SubscriptionState) {
        guard level >= .standard else { return }
        var entry: LogEntry
        switch state {
        case .idle: return
        case .connecting(let attempt):
            entry = self.entry("subscriptions connecting")
            entry.attempt = attempt
        case .connected: entry = self.entry("subscriptions connected")
        case .reconnecting(let attempt, let delay):
            entry = self.entry("subscriptions reconnecting")
            entry.attempt = attempt
            entry.facts.append(("after", Self.milliseconds(delay)))
        case .disconnected: entry = self.entry("subscriptions disconnected")
        }
        write(entry)
    }
}

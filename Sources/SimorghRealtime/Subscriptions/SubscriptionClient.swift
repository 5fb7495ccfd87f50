// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A client for many subscriptions over one WebSocket, in a given subscription protocol.
///
/// ```swift
/// let shop = client.subscriptions(over: GraphQLTransportProtocol(url: "wss://shop.example/graphql"))
/// for try await price in shop.subscribe("subscription { price(of: 7) }", as: Price.self) { print(price) }
/// ```
/// It connects at the first subscription, and closes the connection after the last one has ended. After a lost
/// connection it reconnects and subscribes again, in order. Releasing it ends its remaining subscriptions.
public final class SubscriptionClient<Wire: SubscriptionProtocol>: Sendable {
    private let hub: SubscriptionMultiplexer<Wire>
    private let options: SubscriptionOptions
    /// The decoder of events that have no other decoder.
    package let decoder: JSONDecoder

    package init(_ hub: SubscriptionMultiplexer<Wire>, options: SubscriptionOptions, decoder: JSONDecoder) {
        self.hub = hub
        self.options = options
        self.decoder = decoder
    }

    deinit { hub.disconnect() }

    /// The state of the connection.
    public var state: SubscriptionState { hub.status }

    /// Connects, and stays connected even without subscriptions.
    public func connect() { hub.connect() }

    /// Replaces the current connection with a new one immediately.
    public func reconnect() { hub.reconnect() }

    /// Ends all subscriptions, waits for the server's confirmations within the options' timeout, and disconnects.
    public func disconnect() async {
        hub.disconnect()
        await hub.ended()
    }

    /// Returns the events of an operation as the server sends them; each iteration subscribes again.
    ///
    /// - Parameter operation: The content of the subscription.
    /// - Returns: The events; nothing is sent before the first iteration.
    public func events(_ operation: Wire.Operation) -> SubscriptionEvents<SubscriptionPayload> {
        events(operation) { $0 }
    }

    /// Returns the decoded events of an operation; each iteration subscribes again.
    ///
    /// - Parameters:
    ///   - operation: The content of the subscription.
    ///   - type: The type of an event.
    ///   - keyPath: The key path of the value within the event; by default the whole event.
    /// - Returns: The events; nothing is sent before the first iteration.
    public func events<Model: Decodable & Sendable>(
        _ operation: Wire.Operation, as type: Model.Type, at keyPath: DecodableKeyPath = []
    ) -> SubscriptionEvents<Model> {
        events(operation) { [decoder] in try $0.decoded(as: type, at: keyPath, decoder: decoder) }
    }

    /// Returns the events of an operation, decoded by a function; each iteration subscribes again.
    ///
    /// - Parameters:
    ///   - operation: The content of the subscription.
    ///   - read: Decodes an event; `nil` ignores it, and an error ends the subscription.
    /// - Returns: The events; nothing is sent before the first iteration.
    public func events<Event: Sendable>(
        _ operation: Wire.Operation, read: @escaping @Sendable (SubscriptionPayload) throws -> Event?
    ) -> SubscriptionEvents<Event> {
        SubscriptionEvents(read: read) { [self] in
            let buffer = SubscriptionBuffer(options)
            let id = hub.subscribe(operation, sink: buffer)
            // Keeps the socket alive while a subscriber reads.
            buffer.onLeave { [self] in hub.unsubscribe(id) }
            return SubscriberLifetime(buffer)
        }
    }

    /// Sends a one-shot request (a query, a mutation or a publication) and returns its answer.
    ///
    /// The request is never sent twice. A connection that is lost before the answer arrives is an error, and so is an
    /// answer that does not arrive within ``SubscriptionOptions/answerTimeout``.
    ///
    /// A request that was not sent yet waits with the connection: before the first one for as many attempts as the
    /// reconnect policy allows, later without a network for up to ``WebSocketReconnectPolicy/maximumOfflineWait``. To
    /// wait for less time, set that limit, or cancel the task.
    ///
    /// - Parameter operation: The content of the request.
    /// - Returns: The answer.
    /// - Throws: ``SubscriptionError``.
    public func perform(_ operation: Wire.Operation) async throws -> SubscriptionPayload {
        // The request may have side effects, so it is not sent for a cancelled task.
        guard !Task.isCancelled else { throw SubscriptionError(.cancelled, message: "the subscription was cancelled") }
        let buffer = SubscriptionBuffer(options)
        let id = hub.subscribe(operation, isOneShot: true, sink: buffer)
        buffer.onLeave { [self] in hub.unsubscribe(id) }
        let subscriber = SubscriberLifetime(buffer)
        var answer: SubscriptionPayload?
        do {
            while let item = try await subscriber.buffer.next() {
                if case .payload(let payload) = item, answer == nil { answer = payload }
            }
        } catch {
            // A received answer counts, even if the connection ended before the server's completion message.
            guard answer != nil else { throw error }
        }
        guard let answer else {
            throw SubscriptionError(.noEvent, message: "the server ended the request without an answer")
        }
        return answer
    }
}

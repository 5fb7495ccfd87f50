// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// Many subscriptions over one WebSocket, in a protocol that both sides speak.
///
/// ```swift
/// let shop = client.subscriptions(over: GraphQLTransportProtocol(url: "wss://shop.example/graphql"))
/// for try await price in shop.subscribe("subscription { price(of: 7) }", as: Price.self) { print(price) }
/// ```
/// It connects when somebody subscribes, and closes when the last subscription has gone. A connection that is lost is made
/// again, and what was subscribed is subscribed again, in order. Letting go of it ends what is left.
public final class SubscriptionSocket<Wire: SubscriptionProtocol>: Sendable {
    private let hub: SubscriptionHub<Wire>
    private let options: SubscriptionOptions
    /// Decodes events where no other decoder is given.
    package let decoder: JSONDecoder

    package init(_ hub: SubscriptionHub<Wire>, options: SubscriptionOptions, decoder: JSONDecoder) {
        self.hub = hub
        self.options = options
        self.decoder = decoder
    }

    deinit { hub.disconnect() }

    /// What the connection is doing.
    public var state: SubscriptionState { hub.status }

    /// Connects, and stays connected without subscriptions, too.
    public func connect() { hub.connect() }

    /// Leaves the connection of now for a new one, at once.
    public func reconnect() { hub.reconnect() }

    /// Ends all subscriptions, waits for the server's word as long as the options say, and closes the connection.
    public func disconnect() async {
        hub.disconnect()
        await hub.ended()
    }

    /// The events of an operation as the server sends them; each iteration subscribes anew.
    ///
    /// - Parameter operation: What the subscription asks for.
    /// - Returns: The events: cold.
    public func events(_ operation: Wire.Operation) -> SubscriptionEvents<SubscriptionPayload> {
        events(operation) { $0 }
    }

    /// The events of an operation, decoded; each iteration subscribes anew.
    ///
    /// - Parameters:
    ///   - operation: What the subscription asks for.
    ///   - type: The model of an event.
    ///   - keyPath: The way from the event to the model; the whole event by default.
    /// - Returns: The events: cold.
    public func events<Model: Decodable & Sendable>(
        _ operation: Wire.Operation, as type: Model.Type, at keyPath: DecodableKeyPath = []
    ) -> SubscriptionEvents<Model> {
        events(operation) { [decoder] in try $0.decoded(as: type, at: keyPath, decoder: decoder) }
    }

    /// The events of an operation, read by a function; each iteration subscribes anew.
    ///
    /// - Parameters:
    ///   - operation: What the subscription asks for.
    ///   - read: Reads an event; `nil` drops it, and what it throws ends the subscription.
    /// - Returns: The events: cold.
    public func events<Event: Sendable>(
        _ operation: Wire.Operation, read: @escaping @Sendable (SubscriptionPayload) throws -> Event?
    ) -> SubscriptionEvents<Event> {
        SubscriptionEvents(read: read) { [self] in
            let mailbox = SubscriptionMailbox(options)
            let id = hub.subscribe(operation, mailbox)
            // The socket stays for as long as somebody listens.
            mailbox.onLeave { [self] in hub.unsubscribe(id) }
            return SubscriptionSeat(mailbox)
        }
    }

    /// Asks for something that is answered once: a query, a mutation, a publication.
    ///
    /// It is never sent twice: where the connection is lost before the answer has come, that is an error. So is no answer
    /// within ``SubscriptionOptions/answerTimeout``.
    ///
    /// - Parameter operation: What is asked for.
    /// - Returns: The answer.
    /// - Throws: ``SubscriptionError``.
    public func perform(_ operation: Wire.Operation) async throws -> SubscriptionPayload {
        // It may change something, for somebody who has gone.
        guard !Task.isCancelled else { throw SubscriptionError(.cancelled, "the subscription was cancelled") }
        let mailbox = SubscriptionMailbox(options)
        let id = hub.subscribe(operation, isOneShot: true, mailbox)
        mailbox.onLeave { [self] in hub.unsubscribe(id) }
        let seat = SubscriptionSeat(mailbox)
        var answer: SubscriptionPayload?
        do {
            while let item = try await seat.mailbox.next() {
                if case .payload(let payload) = item, answer == nil { answer = payload }
            }
        } catch {
            // What has come is the answer, however the connection ended before the server said that it is all.
            guard answer != nil else { throw error }
        }
        guard let answer else { throw SubscriptionError(.noEvent, "the server ended it without an answer") }
        return answer
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A description of a subscription: the address, the messages to send, and the decoding of events.
///
/// ```swift
/// struct Trades: SubscriptionRouter {
///     typealias Event = Trade
///     var baseURLString: String { "wss://stream.example.com" }
///     var path: String { "/ws" }
///     var subscribeMessage: some Encodable { ["method": "SUBSCRIBE", "params": ["btcusdt@trade"], "id": 1] }
///     func decodeEvent(from message: WebSocketMessage, using decoder: JSONDecoder) throws -> Trade? {
///         try? message.decoded(decoder: decoder)
///     }
/// }
/// ```
/// Each subscription has its own connection. To share a connection between subscriptions, or for a richer server
/// protocol, use ``SubscriptionProtocol``.
public protocol SubscriptionRouter: WebSocketRouter {
    /// The type of an event.
    associatedtype Event: Sendable
    /// The type of the message that subscribes.
    associatedtype SubscribeMessage: Encodable
    /// The type of the message that unsubscribes.
    associatedtype UnsubscribeMessage: Encodable = JSON

    /// The message to send on each connection after ``negotiate(over:)``, as JSON text.
    @SubscriptionMessageBuilder var subscribeMessage: SubscribeMessage { get }
    /// The message to send before the connection is closed. Default: `nil`, which sends nothing.
    @SubscriptionMessageBuilder var unsubscribeMessage: UnsubscribeMessage? { get }

    /// Decodes an event from a message. Default: decodes the whole message as an ``Event``.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - decoder: The client's decoder.
    /// - Returns: The event; `nil` to ignore the message, for example an acknowledgement.
    /// - Throws: Any error; it ends the subscription.
    func decodeEvent(from message: WebSocketMessage, using decoder: JSONDecoder) throws -> Event?

    /// Performs a handshake on each connection before ``subscribeMessage``. Default: none.
    ///
    /// The messages that it receives are not passed to ``decodeEvent(from:using:)``. Its time is limited by
    /// ``SubscriptionOptions/readyTimeout``.
    ///
    /// - Parameter transport: The connection.
    /// - Throws: Any error. It ends the subscription, and becomes ``SubscriptionError/underlying``.
    func negotiate(over transport: any SubscriptionTransport) async throws

    /// Returns true if a message confirms ``unsubscribeMessage``.
    ///
    /// The confirmation is awaited up to ``SubscriptionOptions/unsubscribeTimeout``. With `nil`, the default, it is
    /// not awaited.
    ///
    /// - Parameter message: A message that arrived after ``unsubscribeMessage`` was sent.
    /// - Returns: True if it is the confirmation; `nil` if the server does not send confirmations.
    func confirmsUnsubscribe(_ message: WebSocketMessage) -> Bool?
}

extension SubscriptionRouter where UnsubscribeMessage == JSON {
    /// `nil`: no message is sent.
    public var unsubscribeMessage: JSON? { nil }
}

extension SubscriptionRouter where Event: Decodable {
    /// Decodes the whole message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - decoder: The client's decoder.
    /// - Returns: The event.
    /// - Throws: `DecodingError`.
    public func decodeEvent(from message: WebSocketMessage, using decoder: JSONDecoder) throws -> Event? {
        try message.decoded(as: Event.self, decoder: decoder)
    }
}

extension SubscriptionRouter {
    /// Does nothing.
    ///
    /// - Parameter transport: The connection.
    /// - Throws: Never.
    public func negotiate(over transport: any SubscriptionTransport) async throws {}

    /// Returns `nil`, because the server does not send confirmations.
    ///
    /// - Parameter message: The message.
    /// - Returns: `nil`.
    public func confirmsUnsubscribe(_ message: WebSocketMessage) -> Bool? { nil }
}

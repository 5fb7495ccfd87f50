// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A subscription as a value: where to connect, what to say, how to read what comes.
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
/// It has a connection of its own. Where many subscriptions are to share one, or the server's protocol has more to say,
/// there is ``SubscriptionProtocol``.
public protocol SubscriptionRouter: WebSocketRouter {
    /// What comes.
    associatedtype Event: Sendable
    /// What is said to subscribe.
    associatedtype SubscribeMessage: Encodable
    /// What is said to end it.
    associatedtype UnsubscribeMessage: Encodable = JSON

    /// What is sent on each connection, after ``negotiate(over:)``, as text in JSON.
    @SubscriptionMessageBuilder var subscribeMessage: SubscribeMessage { get }
    /// What is sent to end the subscription, before the connection is closed; `nil`, the default, sends nothing.
    @SubscriptionMessageBuilder var unsubscribeMessage: UnsubscribeMessage? { get }

    /// Reads a message; decodes all of it as an ``Event`` by default.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - decoder: The client's decoder.
    /// - Returns: The event; `nil` drops the message, which is what to do with acknowledgements.
    /// - Throws: Any error; it ends the subscription.
    func decodeEvent(from message: WebSocketMessage, using decoder: JSONDecoder) throws -> Event?

    /// Says what has to be said on each connection before ``subscribeMessage``; by default nothing.
    ///
    /// What it receives, nobody else sees. It is bounded by ``SubscriptionOptions/readyTimeout``.
    ///
    /// - Parameter transport: The connection.
    /// - Throws: Any error; it ends the subscription, and stands in ``SubscriptionError/underlying``.
    func negotiate(over transport: any SubscriptionTransport) async throws

    /// Whether a message that comes after ``unsubscribeMessage`` was sent confirms it.
    ///
    /// It is waited for as long as ``SubscriptionOptions/unsubscribeTimeout`` says; `nil`, the default, waits for none.
    ///
    /// - Parameter message: The message.
    /// - Returns: Whether it is the confirmation; `nil` where the server sends none.
    func confirmsUnsubscribe(_ message: WebSocketMessage) -> Bool?
}

extension SubscriptionRouter where UnsubscribeMessage == JSON {
    /// Nothing.
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
    /// Says nothing.
    ///
    /// - Parameter transport: The connection.
    /// - Throws: Nothing.
    public func negotiate(over transport: any SubscriptionTransport) async throws {}

    /// Waits for no confirmation.
    ///
    /// - Parameter message: The message.
    /// - Returns: Nothing.
    public func confirmsUnsubscribe(_ message: WebSocketMessage) -> Bool? { nil }
}

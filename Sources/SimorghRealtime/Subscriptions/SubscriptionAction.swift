// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// An action that a ``SubscriptionSession`` requests.
public enum SubscriptionAction: Sendable {
    /// Send a message. Messages are sent in order, limited by ``SubscriptionProtocol/pacing``.
    case send(WebSocketMessage)
    /// Send a message, or replace an earlier message of this kind that is still queued.
    ///
    /// Use it for answers to pings, of which only the last matters.
    case sendLatest(WebSocketMessage)
    /// The handshake is complete, so subscriptions may be sent.
    case ready
    /// The server accepted a subscription.
    case accepted(SubscriptionID)
    /// The server sent an event of a subscription.
    case event(SubscriptionID, SubscriptionPayload)
    /// The server completed a subscription, so no more events follow.
    case completed(SubscriptionID)
    /// The server rejected a subscription or ended it with an error. Other subscriptions go on.
    case failed(SubscriptionID, any Error)
    /// The server cannot serve a subscription at the moment, for example because it crashed or has too many.
    ///
    /// The subscriber receives an interruption. The session is asked to subscribe again after a wait that grows as in
    /// the reconnect policy, and the subscription fails after the maximum number of attempts. A one-shot request
    /// fails immediately.
    case postponed(SubscriptionID, any Error)
    /// The server confirmed the end of a subscription, or does not send confirmations.
    case released(SubscriptionID)
    /// Start or restart a timer; ``SubscriptionSession/elapsed(_:)`` is called when it fires.
    case startTimer(SubscriptionTimer, Duration)
    /// Stop a timer.
    case stopTimer(SubscriptionTimer)
    /// Treat the connection as dead if no message arrives for this time; `nil` turns the check off.
    case expectMessages(every: Duration?)
    /// Drop this connection and reconnect as the reconnect policy says.
    case reconnect(any Error)
    /// Close the connection permanently; every subscription ends with the error.
    case giveUp(any Error, WebSocketCloseCode = .normal)
}

extension SubscriptionAction {
    /// Returns an action that sends a JSON value as a text message.
    ///
    /// - Parameter json: The value.
    /// - Returns: The action.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if the value cannot be encoded.
    public static func send(_ json: JSON) throws -> SubscriptionAction {
        .send(.text(String(decoding: try json.data(), as: UTF8.self)))
    }

    /// Returns an action that sends a JSON value as a text message, replacing an earlier one that is still queued.
    ///
    /// - Parameter json: The value.
    /// - Returns: The action.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if the value cannot be encoded.
    public static func sendLatest(_ json: JSON) throws -> SubscriptionAction {
        .sendLatest(.text(String(decoding: try json.data(), as: UTF8.self)))
    }
}

/// The name of a timer of a ``SubscriptionSession``.
public struct SubscriptionTimer: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name.
    public let name: String

    /// Creates a timer name.
    ///
    /// - Parameter name: The name, unique within the session.
    public init(_ name: String) { self.name = name }

    /// Creates a timer name from a string literal.
    ///
    /// - Parameter value: The name.
    public init(stringLiteral value: String) { name = value }
}

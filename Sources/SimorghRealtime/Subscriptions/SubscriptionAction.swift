// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// What a ``SubscriptionSession`` wants done.
public enum SubscriptionAction: Sendable {
    /// Send a message; messages go out in order, as fast as ``SubscriptionProtocol/pacing`` allows.
    case send(WebSocketMessage)
    /// Send a message in the place of an earlier one of this kind that still waits to be sent: the answer to a ping, of which
    /// only the last counts.
    case sendLatest(WebSocketMessage)
    /// The handshake is done: subscriptions may follow.
    case ready
    /// The server has accepted a subscription.
    case accepted(SubscriptionID)
    /// An event of a subscription.
    case event(SubscriptionID, SubscriptionPayload)
    /// The server has ended a subscription: there is nothing more to come.
    case completed(SubscriptionID)
    /// The server has refused a subscription, or ended it in an error; the others go on.
    case failed(SubscriptionID, any Error)
    /// The server does not have a subscription for now: it crashed, or there were too many.
    ///
    /// Its listener hears of an interruption, and the session is told of it again after a wait that grows as the reconnect
    /// policy has it; after as many attempts as that allows it fails. What is asked for once fails at once.
    case postponed(SubscriptionID, any Error)
    /// The server has confirmed the end of a subscription, or confirms none.
    case released(SubscriptionID)
    /// Start a timer, or start it anew; ``SubscriptionSession/elapsed(_:)`` is told when it has run down.
    case startTimer(SubscriptionTimer, Duration)
    /// Stop a timer.
    case stopTimer(SubscriptionTimer)
    /// From now on some message comes at least this often, or the connection is dead; `nil` for no such promise.
    case expectMessages(every: Duration?)
    /// Leave this connection and come back, as the reconnect policy has it.
    case reconnect(any Error)
    /// Close the connection for good: every subscription ends in the error.
    case giveUp(any Error, WebSocketCloseCode = .normal)
}

extension SubscriptionAction {
    /// Sends a value as text in JSON.
    ///
    /// - Parameter json: The value.
    /// - Returns: The action.
    /// - Throws: ``/SimorghCore/InvalidRequest`` when the value cannot be written.
    public static func send(_ json: JSON) throws -> SubscriptionAction {
        .send(.text(String(decoding: try json.data(), as: UTF8.self)))
    }

    /// Sends a value as text in JSON, in the place of an earlier one of this kind that still waits to be sent.
    ///
    /// - Parameter json: The value.
    /// - Returns: The action.
    /// - Throws: ``/SimorghCore/InvalidRequest`` when the value cannot be written.
    public static func sendLatest(_ json: JSON) throws -> SubscriptionAction {
        .sendLatest(.text(String(decoding: try json.data(), as: UTF8.self)))
    }
}

/// Names a timer of a ``SubscriptionSession``.
public struct SubscriptionTimer: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name.
    public let name: String

    /// Creates a name.
    ///
    /// - Parameter name: The name, unlike that of other timers of the session.
    public init(_ name: String) { self.name = name }

    /// Creates a name.
    ///
    /// - Parameter value: The name.
    public init(stringLiteral value: String) { name = value }
}

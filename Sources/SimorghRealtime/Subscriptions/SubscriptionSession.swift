// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The protocol state of one connection: a value that takes events and returns actions.
///
/// It holds no socket, task or clock, so a test can pass it any message of a server. Each connection gets a new
/// session. After it returns ``SubscriptionAction/ready``, all current subscriptions are passed to it again, in
/// order.
public protocol SubscriptionSession: Sendable {
    /// The content of one subscription.
    associatedtype Operation: Sendable

    /// Handles that the connection is open.
    ///
    /// A protocol without handshake returns ``SubscriptionAction/ready``, which is the default. A protocol with a
    /// handshake returns it once the server has agreed, within ``SubscriptionOptions/readyTimeout``.
    ///
    /// - Parameter subprotocol: The subprotocol that the server selected.
    /// - Returns: The actions.
    /// - Throws: Any error: the connection is unusable, and no further attempt is made.
    mutating func opened(subprotocol: String?) throws -> [SubscriptionAction]

    /// Subscribes.
    ///
    /// If the server does not confirm subscriptions, return ``SubscriptionAction/accepted(_:)`` right away. Otherwise
    /// that action, an event or an end is awaited for ``SubscriptionOptions/subscribeTimeout``.
    ///
    /// - Parameters:
    ///   - operation: The content of the subscription.
    ///   - id: The identifier of the subscription.
    /// - Returns: The actions.
    /// - Throws: Any error, which ends the subscription.
    mutating func subscribe(_ operation: Operation, id: SubscriptionID) throws -> [SubscriptionAction]

    /// Unsubscribes.
    ///
    /// If the server confirms the end, return ``SubscriptionAction/released(_:)`` when the confirmation arrives; it
    /// is awaited for ``SubscriptionOptions/unsubscribeTimeout``. Otherwise return that action right away.
    ///
    /// - Parameter id: The identifier of the subscription.
    /// - Returns: The actions.
    mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction]

    /// Sends what the session has collected after a batch of `subscribe` and `unsubscribe` calls.
    ///
    /// It is called after each batch; after the handshake, the batch contains every subscription. It is for protocols
    /// that combine several subscriptions in one message. Does nothing by default.
    ///
    /// - Returns: The actions.
    mutating func flush() -> [SubscriptionAction]

    /// Handles a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The actions. Actions for a subscription that has ended, never existed, or is not subscribed on this
    ///   connection at the moment are ignored.
    /// - Throws: Any error: the server violates the protocol, and the connection is closed permanently.
    mutating func received(_ message: WebSocketMessage) throws -> [SubscriptionAction]

    /// Handles that a timer of the session has fired; does nothing by default.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: The actions.
    mutating func elapsed(_ timer: SubscriptionTimer) -> [SubscriptionAction]

    /// Handles that a timer has fired while reading was paused because of a slow subscriber.
    ///
    /// With ``WebSocketBuffer/Overflow/suspend``, a missing message then says nothing about the server. A session
    /// that must send messages periodically, such as heartbeats, returns them here, too. The timer is restarted
    /// afterwards unless the returned actions do so. Does nothing by default.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: The actions.
    mutating func timerFiredWhilePaused(_ timer: SubscriptionTimer) -> [SubscriptionAction]

    /// Handles that this side is about to close the connection; returns no messages by default.
    ///
    /// - Returns: The last messages, as actions.
    mutating func closing() -> [SubscriptionAction]
}

extension SubscriptionSession {
    /// Returns ``SubscriptionAction/ready``.
    ///
    /// - Parameter subprotocol: The subprotocol that the server selected.
    /// - Returns: ``SubscriptionAction/ready``.
    /// - Throws: Never.
    public mutating func opened(subprotocol: String?) throws -> [SubscriptionAction] { [.ready] }

    /// Returns no actions.
    ///
    /// - Returns: An empty array.
    public mutating func flush() -> [SubscriptionAction] { [] }

    /// Returns no actions.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: An empty array.
    public mutating func timerFiredWhilePaused(_ timer: SubscriptionTimer) -> [SubscriptionAction] { [] }

    /// Returns no actions.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: An empty array.
    public mutating func elapsed(_ timer: SubscriptionTimer) -> [SubscriptionAction] { [] }

    /// Returns no actions.
    ///
    /// - Returns: An empty array.
    public mutating func closing() -> [SubscriptionAction] { [] }
}

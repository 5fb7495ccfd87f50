// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The messages of one connection, read and written: a value that is told what happens and says what to do.
///
/// It holds no socket, no task and no clock, so that a test tells it whatever a server may say. A new one is made for each
/// connection: what was subscribed before is told to it again, in order, once it has said ``SubscriptionAction/ready``.
public protocol SubscriptionSession: Sendable {
    /// What one subscription asks for.
    associatedtype Operation: Sendable

    /// The connection is open.
    ///
    /// Whoever needs no handshake answers with ``SubscriptionAction/ready``, which is the default; whoever does says it
    /// when the server has agreed, within ``SubscriptionOptions/readyTimeout``.
    ///
    /// - Parameter subprotocol: What the server chose of the subprotocols that were offered.
    /// - Returns: What to do.
    /// - Throws: Any error: the connection is not to be used, and another attempt would fare no better.
    mutating func opened(subprotocol: String?) throws -> [SubscriptionAction]

    /// A subscription is wanted.
    ///
    /// Where the server confirms none, ``SubscriptionAction/accepted(_:)`` belongs into the answer; else it, an event or an
    /// end is awaited for ``SubscriptionOptions/subscribeTimeout``.
    ///
    /// - Parameters:
    ///   - operation: What it asks for.
    ///   - id: Its name.
    /// - Returns: What to do.
    /// - Throws: Any error: the subscription ends in it.
    mutating func subscribe(_ operation: Operation, id: SubscriptionID) throws -> [SubscriptionAction]

    /// A subscription is wanted no more.
    ///
    /// Where the server confirms it, ``SubscriptionAction/released(_:)`` is said then, and awaited for
    /// ``SubscriptionOptions/unsubscribeTimeout``; else it belongs into the answer.
    ///
    /// - Parameter id: Its name.
    /// - Returns: What to do.
    mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction]

    /// What is wanted for now, or wanted no more, has all been told: after a handshake that is every subscription.
    ///
    /// For protocols that say several in one message; does nothing by default.
    ///
    /// - Returns: What to do.
    mutating func flush() -> [SubscriptionAction]

    /// A message has come.
    ///
    /// - Parameter message: The message.
    /// - Returns: What to do. What is said of a subscription that is over, that never was, or that the server of this
    ///   connection is not asked for at the moment, is ignored.
    /// - Throws: Any error: the server does not speak this protocol, and the connection is given up for good.
    mutating func received(_ message: WebSocketMessage) throws -> [SubscriptionAction]

    /// A timer that the session had started has run down; does nothing by default.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: What to do.
    mutating func elapsed(_ timer: SubscriptionTimer) -> [SubscriptionAction]

    /// A timer has run down while nothing was read, because a listener is slow and what comes is to wait for him
    /// (``WebSocketBuffer/Overflow/suspend``): what did not come says nothing about the server.
    ///
    /// A session that must say something from time to time says it here, too. The timer is started anew afterwards, unless
    /// the answer does. Does nothing by default.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: What to do.
    mutating func elapsedUnread(_ timer: SubscriptionTimer) -> [SubscriptionAction]

    /// The connection is about to be closed from this side; by default nothing is said.
    ///
    /// - Returns: The last messages.
    mutating func closing() -> [SubscriptionAction]
}

extension SubscriptionSession {
    /// Is ready at once.
    ///
    /// - Parameter subprotocol: What the server chose.
    /// - Returns: ``SubscriptionAction/ready``.
    /// - Throws: Nothing.
    public mutating func opened(subprotocol: String?) throws -> [SubscriptionAction] { [.ready] }

    /// Says nothing.
    ///
    /// - Returns: Nothing.
    public mutating func flush() -> [SubscriptionAction] { [] }

    /// Does nothing.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: Nothing.
    public mutating func elapsedUnread(_ timer: SubscriptionTimer) -> [SubscriptionAction] { [] }

    /// Does nothing.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: Nothing.
    public mutating func elapsed(_ timer: SubscriptionTimer) -> [SubscriptionAction] { [] }

    /// Says nothing.
    ///
    /// - Returns: Nothing.
    public mutating func closing() -> [SubscriptionAction] { [] }
}

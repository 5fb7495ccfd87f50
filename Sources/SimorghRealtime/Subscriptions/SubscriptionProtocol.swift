// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What a server's subscriptions are made of, as messages of a WebSocket: the language that a ``SubscriptionSocket`` speaks.
///
/// A conforming value says how a connection is opened, and makes the ``SubscriptionSession`` that reads and writes its
/// messages. It does *not* connect, wait, or come back: the socket does, and subscribes again what was subscribed.
///
/// `GraphQLTransportProtocol`, `PhoenixProtocol`, `PusherProtocol` and others are there; the article
/// *Writing a subscription protocol* builds one.
public protocol SubscriptionProtocol: Sendable {
    /// What one subscription asks for: a query, a topic.
    associatedtype Operation: Sendable
    /// Reads and writes the messages of one connection.
    associatedtype Session: SubscriptionSession where Session.Operation == Operation

    /// How many messages may be sent in a time; `nil`, the default, for any number.
    var pacing: SubscriptionPacing? { get }

    /// Describes a connection, before each attempt at one: a token is asked for here, and is never an old one.
    ///
    /// - Parameter attempt: How many attempts there were in a row, this one included; from 1.
    /// - Returns: The request, and the session for the connection.
    /// - Throws: Any error. One of the network that may pass, such as a ``/SimorghCore/NetworkError`` that the token's server could not be
    ///   reached, is a failed attempt like others; another is final. A ``SubscriptionError`` whose code is
    ///   ``SubscriptionError/Code/connectionFailed`` says of your own errors that they may pass.
    func opening(attempt: Int) async throws -> SubscriptionOpening<Session>

    /// Whether ``prepared(_:for:)`` is to be asked; not by default.
    var preparesOperations: Bool { get }

    /// Completes an operation with what takes a while to get, a signature say, each time before it is sent.
    ///
    /// Several are completed at the same time. They are sent in order, but nobody waits long for one that is late, and one
    /// that takes longer than ``SubscriptionOptions/subscribeTimeout`` is cancelled and tried again.
    ///
    /// - Parameters:
    ///   - operation: The operation as it was asked for.
    ///   - session: The session as it is, for what the server has told it.
    /// - Returns: The operation for the session.
    /// - Throws: Any error. After one of the network that may pass, it is asked again; in another the subscription ends.
    func prepared(_ operation: Operation, for session: Session) async throws -> Operation

    /// Judges the end of a connection.
    ///
    /// - Parameter closure: How it ended.
    /// - Returns: What to do; `nil`, the default, leaves it to the options' reconnect policy.
    func verdict(on closure: WebSocketClosure) -> SubscriptionVerdict?

    /// Returns true if the server closed the connection because its credentials have expired; never by default.
    ///
    /// If the connection had worked, it is made again once, with a new ``opening(attempt:)``, before
    /// ``verdict(on:)`` counts. A connection that lasts for ``WebSocketReconnectPolicy/stableAfter`` allows another time.
    ///
    /// - Parameter closure: How the connection ended.
    /// - Returns: A Boolean value that indicates whether fresh credentials may help.
    func mayHaveExpired(_ closure: WebSocketClosure) -> Bool
}

extension SubscriptionProtocol {
    /// Any number.
    public var pacing: SubscriptionPacing? { nil }

    /// Nothing is to be completed.
    public var preparesOperations: Bool { false }

    /// Leaves the operation as it is.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - session: The session.
    /// - Returns: The operation.
    /// - Throws: Nothing.
    public func prepared(_ operation: Operation, for session: Session) async throws -> Operation { operation }

    /// Leaves it to the reconnect policy.
    ///
    /// - Parameter closure: How the connection ended.
    /// - Returns: Nothing.
    public func verdict(on closure: WebSocketClosure) -> SubscriptionVerdict? { nil }

    /// Returns false.
    ///
    /// - Parameter closure: How the connection ended.
    /// - Returns: False.
    public func mayHaveExpired(_ closure: WebSocketClosure) -> Bool { false }
}

/// What to do after the end of a connection.
public enum SubscriptionVerdict: Sendable, Hashable {
    /// Connect again, as the reconnect policy has it, and subscribe again.
    case reconnect
    /// Connect again without a wait, as often as the reconnect policy allows in a row.
    case reconnectAtOnce
    /// Give up: each subscription ends in an error.
    case giveUp
}

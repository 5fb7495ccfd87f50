// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A server's protocol for subscriptions over a WebSocket, used by a ``SubscriptionClient``.
///
/// A conforming value describes the connection and creates the ``SubscriptionSession`` that reads and writes its
/// messages. It does *not* connect, wait or reconnect: the ``SubscriptionClient`` does, and it subscribes again after
/// a reconnection.
///
/// `GraphQLTransportProtocol`, `PhoenixProtocol`, `PusherProtocol` and others are built in. The article *Writing a
/// subscription protocol* explains how to write one.
public protocol SubscriptionProtocol: Sendable {
    /// The content of one subscription, such as a query or a topic.
    associatedtype Operation: Sendable
    /// The session that reads and writes the messages of one connection.
    associatedtype Session: SubscriptionSession where Session.Operation == Operation

    /// The rate limit for messages to the server. Default: `nil`, no limit.
    var pacing: MessageRateLimit? { get }

    /// Describes a connection.
    ///
    /// It is called before each attempt to connect, so that it can fetch a fresh token.
    ///
    /// - Parameter attempt: The number of the attempt in a row, counted from 1.
    /// - Returns: The request, and the session for the connection.
    /// - Throws: Any error. After a transient network error, such as a ``/SimorghCore/NetworkError`` because the
    ///   token server is unreachable, the attempt counts as failed like any other. Any other error is final. To mark
    ///   your own error as transient, throw a ``SubscriptionError`` with the code
    ///   ``SubscriptionError/Code/connectionFailed``.
    func opening(attempt: Int) async throws -> SubscriptionConnectionRequest<Session>

    /// True if ``prepared(_:for:)`` must be called for each operation. Default: `false`.
    var preparesOperations: Bool { get }

    /// Completes an operation with data that takes time to get, such as a signature, each time before it is sent.
    ///
    /// Several operations are prepared concurrently and sent in order, but later operations do not wait long for a
    /// slow one. A preparation that exceeds ``SubscriptionOptions/subscribeTimeout`` is cancelled and retried.
    ///
    /// - Parameters:
    ///   - operation: The original operation.
    ///   - session: A copy of the current session, with the data that the server has sent.
    /// - Returns: The operation to pass to the session.
    /// - Throws: Any error. After a transient network error it is called again; any other error ends the
    ///   subscription.
    func prepared(_ operation: Operation, for session: Session) async throws -> Operation

    /// Decides what to do after a connection has ended.
    ///
    /// - Parameter closure: The description of the end.
    /// - Returns: The decision; `nil`, the default, applies the reconnect policy of the options.
    func decision(on closure: WebSocketCloseInfo) -> ReconnectDecision?

    /// Returns true if the server closed the connection because its credentials have expired. Default: `false`.
    ///
    /// If the connection had completed its handshake, it is opened again once, with a new ``opening(attempt:)``,
    /// before ``decision(on:)`` applies. A connection that lasts for ``WebSocketReconnectPolicy/stableAfter`` allows
    /// this again.
    ///
    /// - Parameter closure: The description of the end of the connection.
    /// - Returns: True if fresh credentials may help.
    func mayHaveExpired(_ closure: WebSocketCloseInfo) -> Bool
}

extension SubscriptionProtocol {
    /// `nil`: no rate limit.
    public var pacing: MessageRateLimit? { nil }

    /// `false`: operations need no preparation.
    public var preparesOperations: Bool { false }

    /// Returns the operation unchanged.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - session: The session.
    /// - Returns: The operation.
    /// - Throws: Never.
    public func prepared(_ operation: Operation, for session: Session) async throws -> Operation { operation }

    /// Returns `nil`, which applies the reconnect policy.
    ///
    /// - Parameter closure: The description of the end of the connection.
    /// - Returns: `nil`.
    public func decision(on closure: WebSocketCloseInfo) -> ReconnectDecision? { nil }

    /// Returns false.
    ///
    /// - Parameter closure: The description of the end of the connection.
    /// - Returns: False.
    public func mayHaveExpired(_ closure: WebSocketCloseInfo) -> Bool { false }
}

/// A decision after the end of a connection.
public enum ReconnectDecision: Sendable, Hashable {
    /// Reconnect as the reconnect policy says, and subscribe again.
    case reconnect
    /// Reconnect without a wait, up to the number of attempts in a row of the reconnect policy.
    case reconnectImmediately
    /// Give up: each subscription ends with an error.
    case giveUp
}

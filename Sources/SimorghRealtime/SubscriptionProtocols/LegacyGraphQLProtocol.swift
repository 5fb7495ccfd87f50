// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// GraphQL over WebSocket with the older subprotocol, `graphql-ws` of subscriptions-transport-ws.
///
/// The newer protocol is ``GraphQLTransportProtocol``. Some servers of this one reject queries and mutations.
public struct LegacyGraphQLProtocol: SubscriptionProtocol {
    /// The URL of the server.
    public var url: String
    /// The header fields of the request.
    ///
    /// Default: none.
    public var headers: [String: String] = [:]
    /// Returns the payload of `connection_init`, such as a token; called before each connection.
    ///
    /// Default: none.
    public var initPayload: @Sendable () async throws -> JSON? = { nil }
    /// The maximum time without a message after the server's first `ka`.
    ///
    /// Default: 60 seconds; `nil` for no limit.
    public var keepAliveTimeout: Duration? = .seconds(60)

    /// Creates the protocol for a server.
    ///
    /// - Parameter url: The URL of the server, a `ws` or `wss` URL.
    public init(url: String) { self.url = url }

    /// Describes a connection.
    ///
    /// - Parameter attempt: The number of the attempt in a row, counted from 1.
    /// - Returns: The request and the session.
    /// - Throws: The error of ``initPayload``.
    public func opening(attempt: Int) async throws -> SubscriptionConnectionRequest<LegacyGraphQLSession> {
        SubscriptionConnectionRequest(
            url: url, headers: headers, subprotocols: ["graphql-ws"],
            session: LegacyGraphQLSession(initPayload: try await initPayload(), keepAliveTimeout: keepAliveTimeout))
    }
}

/// The session of the older `graphql-ws`.
public struct LegacyGraphQLSession: SubscriptionSession {
    let initPayload: JSON?
    let keepAliveTimeout: Duration?
    private var isKeptAlive = false

    package init(initPayload: JSON?, keepAliveTimeout: Duration?) {
        self.initPayload = initPayload
        self.keepAliveTimeout = keepAliveTimeout
    }

    /// Starts the handshake.
    ///
    /// - Parameter subprotocol: The subprotocol that the server selected.
    /// - Returns: A `connection_init` message.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if the payload cannot be encoded.
    public mutating func opened(subprotocol: String?) throws -> [SubscriptionAction] {
        [try .send(["type": "connection_init", "payload": initPayload ?? [:]])]
    }

    /// Sends an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - id: The identifier of the subscription.
    /// - Returns: A `start` message.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if the operation cannot be encoded.
    public mutating func subscribe(
        _ operation: GraphQLOperation, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        [try .send(["type": "start", "id": .string(id.description), "payload": operation.json]), .accepted(id)]
    }

    /// Ends an operation.
    ///
    /// - Parameter id: The identifier of the subscription.
    /// - Returns: A `stop` message; some servers answer it, but they need not.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        [.send(.text(#"{"type":"stop","id":"\#(id)"}"#)), .released(id)]
    }

    /// Handles a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The actions.
    /// - Throws: `DecodingError` or ``UnknownSubscriptionMessageError`` if it is not a message of this protocol.
    public mutating func received(_ message: WebSocketMessage) throws -> [SubscriptionAction] {
        let frame = try message.decoded(as: TypedMessage.self)
        let payload = SubscriptionPayload(message, at: ["payload"])
        switch (frame.type, frame.id) {
        case ("connection_ack", _): return [.ready]
        case ("connection_error", _): return [.giveUp(GraphQLErrors(payload))]
        case ("ka", _):
            guard !isKeptAlive, let keepAliveTimeout else { return [] }
            isKeptAlive = true
            return [.expectMessages(every: keepAliveTimeout)]
        case ("data", let id?): return [.event(id, payload)]
        case ("error", let id?): return [.failed(id, GraphQLErrors(payload))]
        case ("complete", let id?): return [.completed(id)]
        case ("data", nil), ("error", nil), ("complete", nil): return [.completed(.unknown)]
        default: throw UnknownSubscriptionMessageError(frame.type)
        }
    }

    /// Announces the end of the connection.
    ///
    /// - Returns: A `connection_terminate` message.
    public mutating func closing() -> [SubscriptionAction] { [.send(.text(#"{"type":"connection_terminate"}"#))] }
}

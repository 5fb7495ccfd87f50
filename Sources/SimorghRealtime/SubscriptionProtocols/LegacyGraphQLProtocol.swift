// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// GraphQL over WebSocket as older servers speak it: the subprotocol `graphql-ws` of subscriptions-transport-ws.
///
/// The newer protocol is ``GraphQLTransportProtocol``. Some servers of this one refuse queries and mutations.
public struct LegacyGraphQLProtocol: SubscriptionProtocol {
    /// Where the server is.
    public var url: String
    /// Header fields of the request; none by default.
    public var headers: [String: String] = [:]
    /// Asked before each connection for what `connection_init` tells the server, such as a token; nothing by default.
    public var initPayload: @Sendable () async throws -> JSON? = { nil }
    /// How long a server that has sent a `ka` may be silent after it; 60 seconds by default, `nil` for ever.
    public var keepAliveTimeout: Duration? = .seconds(60)

    /// Creates the protocol for a server.
    ///
    /// - Parameter url: Where it is: a `ws` or `wss` URL.
    public init(url: String) { self.url = url }

    /// Describes a connection.
    ///
    /// - Parameter attempt: How many there were in a row.
    /// - Returns: The request and the session.
    /// - Throws: What ``initPayload`` throws.
    public func opening(attempt: Int) async throws -> SubscriptionOpening<LegacyGraphQLSession> {
        SubscriptionOpening(
            url: url, headers: headers, subprotocols: ["graphql-ws"],
            session: LegacyGraphQLSession(initPayload: try await initPayload(), keepAliveTimeout: keepAliveTimeout))
    }
}

/// The messages of the older `graphql-ws`.
public struct LegacyGraphQLSession: SubscriptionSession {
    let initPayload: JSON?
    let keepAliveTimeout: Duration?
    private var isKeptAlive = false

    package init(initPayload: JSON?, keepAliveTimeout: Duration?) {
        self.initPayload = initPayload
        self.keepAliveTimeout = keepAliveTimeout
    }

    /// Introduces this side.
    ///
    /// - Parameter subprotocol: What the server chose.
    /// - Returns: `connection_init`.
    /// - Throws: ``/SimorghCore/InvalidRequest`` when the payload cannot be written.
    public mutating func opened(subprotocol: String?) throws -> [SubscriptionAction] {
        [try .send(["type": "connection_init", "payload": initPayload ?? [:]])]
    }

    /// Asks for an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - id: Its name.
    /// - Returns: `start`.
    /// - Throws: ``/SimorghCore/InvalidRequest`` when it cannot be written.
    public mutating func subscribe(
        _ operation: GraphQLOperation, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        [try .send(["type": "start", "id": .string(id.description), "payload": operation.json]), .accepted(id)]
    }

    /// Ends an operation.
    ///
    /// - Parameter id: Its name.
    /// - Returns: `stop`; some servers answer it, and none must.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        [.send(.text(#"{"type":"stop","id":"\#(id)"}"#)), .released(id)]
    }

    /// Reads a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: What to do.
    /// - Throws: `DecodingError` or ``UnknownSubscriptionMessage`` for what is none of this protocol's.
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
        default: throw UnknownSubscriptionMessage(frame.type)
        }
    }

    /// Takes leave.
    ///
    /// - Returns: `connection_terminate`.
    public mutating func closing() -> [SubscriptionAction] { [.send(.text(#"{"type":"connection_terminate"}"#))] }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// GraphQL subscriptions of AWS AppSync.
///
/// ```swift
/// let api = AppSyncProtocol(
///     "https://abc.appsync-api.eu-west-1.amazonaws.com/graphql", authorization: .apiKey("da2-…"))
/// for try await post in client.subscriptions(over: api).subscribe("subscription { onPost { id } }", as: Post.self) {
///     print(post)
/// }
/// ```
public struct AppSyncProtocol: SubscriptionProtocol {
    /// The position of the connection's credentials in the upgrade request.
    public enum Placement: Sendable, Hashable, CaseIterable {
        /// In the query of the URL, which may appear in logs.
        case query
        /// In a subprotocol.
        case subprotocol
    }

    private let endpoint: AppSyncEndpoint
    /// The authorization of connections and subscriptions.
    public var authorization: AppSyncAuthorization
    /// The position of the connection's credentials.
    ///
    /// Default: in a subprotocol.
    public var placement = Placement.subprotocol

    /// `true`: each operation needs credentials.
    public var preparesOperations: Bool { true }

    /// Creates the protocol for an API.
    ///
    /// - Parameters:
    ///   - endpoint: The address of the API as its settings show it, a custom domain, or a `wss` URL to connect to.
    ///   - authorization: The authorization of connections and subscriptions.
    public init(_ endpoint: String, authorization: AppSyncAuthorization) {
        self.endpoint = AppSyncEndpoint(endpoint, customPath: "/realtime")
        self.authorization = authorization
    }

    /// Describes a connection, with fresh credentials.
    ///
    /// - Parameter attempt: The number of the attempt in a row, counted from 1.
    /// - Returns: The request and the session.
    /// - Throws: The error of the authorization.
    public func opening(attempt: Int) async throws -> SubscriptionConnectionRequest<AppSyncSession> {
        let header = try await authorization.json(host: endpoint.host, path: "/graphql/connect", body: "{}")
        switch placement {
        case .query:
            return SubscriptionConnectionRequest(
                url: endpoint.url, query: ["header": try AppSyncText.plain(header), "payload": "e30="],
                subprotocols: ["graphql-ws"], session: AppSyncSession())
        case .subprotocol:
            return SubscriptionConnectionRequest(
                url: endpoint.url, subprotocols: ["graphql-ws", "header-\(try AppSyncText.token(header))"],
                session: AppSyncSession())
        }
    }

    /// Adds the credentials to an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - session: The session.
    /// - Returns: The operation with its credentials in its extensions.
    /// - Throws: The error of the authorization.
    public func prepared(
        _ operation: GraphQLOperation, for session: AppSyncSession
    ) async throws -> GraphQLOperation {
        var operation = operation
        let fields = try await authorization.json(
            host: endpoint.host, path: "/graphql", body: try AppSyncSession.data(operation))
        var extensions = operation.extensions?.object ?? [:]
        extensions["authorization"] = fields
        operation.extensions = .object(extensions)
        return operation
    }

    /// Gives up if the server rejected the request or the credentials.
    ///
    /// - Parameter closure: The description of the end of the connection.
    /// - Returns: The decision.
    public func decision(on closure: WebSocketCloseInfo) -> ReconnectDecision? {
        AppSyncText.decision(on: closure)
    }

    /// Returns true for 4401: the token may have expired.
    ///
    /// - Parameter closure: The description of the end of the connection.
    /// - Returns: True if a fresh token may help.
    public func mayHaveExpired(_ closure: WebSocketCloseInfo) -> Bool { closure.code.rawValue == 4401 }
}

/// The session of AppSync subscriptions.
public struct AppSyncSession: SubscriptionSession {
    package init() {}

    /// Returns the operation as the JSON text that AppSync signs and parses.
    static func data(_ operation: GraphQLOperation) throws -> String {
        var plain = operation
        plain.extensions = nil
        var json = plain.json.object ?? [:]
        if json["variables"] == nil { json["variables"] = [:] }
        return String(decoding: try JSON.object(json).data(), as: UTF8.self)
    }

    /// Starts the handshake.
    ///
    /// - Parameter subprotocol: The subprotocol that the server selected.
    /// - Returns: A `connection_init` message.
    public mutating func opened(subprotocol: String?) -> [SubscriptionAction] {
        [AppSyncText.introduction]
    }

    /// Subscribes; AppSync confirms it.
    ///
    /// - Parameters:
    ///   - operation: The subscription with its credentials.
    ///   - id: The identifier of the subscription.
    /// - Returns: A `start` message.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if the operation cannot be encoded.
    public mutating func subscribe(
        _ operation: GraphQLOperation, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        let payload: JSON = [
            "data": .string(try Self.data(operation)), "extensions": operation.extensions ?? [:],
        ]
        return [try .send(["type": "start", "id": .string(id.description), "payload": payload])]
    }

    /// Ends a subscription, which AppSync confirms.
    ///
    /// - Parameter id: The identifier of the subscription.
    /// - Returns: A `stop` message.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        [.send(.text(#"{"type":"stop","id":"\#(id)"}"#))]
    }

    /// Handles a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The actions.
    /// - Throws: `DecodingError` or ``UnknownSubscriptionMessageError`` if it is not a message of AppSync.
    public mutating func received(_ message: WebSocketMessage) throws -> [SubscriptionAction] {
        let frame = try message.decoded(as: TypedMessage.self)
        switch (frame.type, frame.id) {
        case ("connection_ack", _):
            let payload = SubscriptionPayload(message, at: ["payload"])
            return [.expectMessages(every: AppSyncAcknowledgement.timeout(payload)), .ready]
        case ("ka", _): return []
        case ("start_ack", let id?): return [.accepted(id)]
        case ("data", let id?): return [.event(id, SubscriptionPayload(message, at: ["payload"]))]
        // Also the answer to `stop`.
        case ("complete", let id?): return [.completed(id)]
        case ("error", let id?): return [AppSyncText.failure(of: id, message)]
        case ("connection_error", _), ("error", nil): return [AppSyncText.refusal(message)]
        case ("start_ack", nil), ("data", nil), ("complete", nil): return [.completed(.unknown)]
        default: throw UnknownSubscriptionMessageError(frame.type)
        }
    }
}

/// The payload of a `connection_ack` message.
struct AppSyncAcknowledgement: Decodable {
    let connectionTimeoutMs: Double?

    /// Returns the maximum time without a message from the server; five minutes if the server sent none.
    static func timeout(_ payload: SubscriptionPayload) -> Duration {
        let milliseconds = try? payload.decoded(as: AppSyncAcknowledgement.self).connectionTimeoutMs
        guard let milliseconds, milliseconds > 0 else { return .seconds(300) }
        return Duration(clampingSeconds: milliseconds / 1000)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// GraphQL subscriptions of AWS AppSync.
///
/// ```swift
/// let api = AppSyncProtocol("https://abc.appsync-api.eu-west-1.amazonaws.com/graphql", .apiKey("da2-…"))
/// for try await post in client.subscriptions(over: api).subscribe("subscription { onPost { id } }", as: Post.self) {
///     print(post)
/// }
/// ```
public struct AppSyncProtocol: SubscriptionProtocol {
    /// Where the credentials of the connection stand.
    public enum Placement: Sendable, Hashable, CaseIterable {
        /// In the URL's query, which logs may keep.
        case query
        /// In a subprotocol.
        case subprotocol
    }

    private let endpoint: AppSyncEndpoint
    /// How AppSync is told who connects and subscribes.
    public var authorization: AppSyncAuthorization
    /// Where the credentials of the connection stand; in a subprotocol by default.
    public var placement = Placement.subprotocol

    /// Operations get their credentials.
    public var preparesOperations: Bool { true }

    /// Creates the protocol for an API.
    ///
    /// - Parameters:
    ///   - endpoint: The API's address as its settings show it, a domain of your own, or a `wss` URL to connect to.
    ///   - authorization: How AppSync is told who connects and subscribes.
    public init(_ endpoint: String, _ authorization: AppSyncAuthorization) {
        self.endpoint = AppSyncEndpoint(endpoint, customPath: "/realtime")
        self.authorization = authorization
    }

    /// Describes a connection, with fresh credentials.
    ///
    /// - Parameter attempt: How many there were in a row.
    /// - Returns: The request and the session.
    /// - Throws: What the authorization throws.
    public func opening(attempt: Int) async throws -> SubscriptionOpening<AppSyncSession> {
        let header = try await authorization.json(host: endpoint.host, path: "/graphql/connect", body: "{}")
        switch placement {
        case .query:
            return SubscriptionOpening(
                url: endpoint.url, query: ["header": try AppSyncText.plain(header), "payload": "e30="],
                subprotocols: ["graphql-ws"], session: AppSyncSession())
        case .subprotocol:
            return SubscriptionOpening(
                url: endpoint.url, subprotocols: ["graphql-ws", "header-\(try AppSyncText.token(header))"],
                session: AppSyncSession())
        }
    }

    /// Gives an operation its credentials.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - session: The session.
    /// - Returns: The operation with them among its extensions.
    /// - Throws: What the authorization throws.
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

    /// Gives up where the credentials are refused.
    ///
    /// - Parameter closure: How the connection ended.
    /// - Returns: What to do.
    public func verdict(on closure: WebSocketClosure) -> SubscriptionVerdict? {
        AppSyncText.verdict(on: closure)
    }

    /// Returns true for 4401: the token may have expired.
    ///
    /// - Parameter closure: How the connection ended.
    /// - Returns: A Boolean value that indicates whether a fresh token may help.
    public func mayHaveExpired(_ closure: WebSocketClosure) -> Bool { closure.code.rawValue == 4401 }
}

/// The messages of AppSync's subscriptions.
public struct AppSyncSession: SubscriptionSession {
    package init() {}

    /// The operation as AppSync signs and reads it.
    static func data(_ operation: GraphQLOperation) throws -> String {
        var plain = operation
        plain.extensions = nil
        var json = plain.json.object ?? [:]
        if json["variables"] == nil { json["variables"] = [:] }
        return String(decoding: try JSON.object(json).data(), as: UTF8.self)
    }

    /// Introduces this side.
    ///
    /// - Parameter subprotocol: What the server chose.
    /// - Returns: `connection_init`.
    public mutating func opened(subprotocol: String?) -> [SubscriptionAction] {
        [AppSyncText.introduction]
    }

    /// Asks for a subscription, which AppSync confirms.
    ///
    /// - Parameters:
    ///   - operation: The subscription, with its credentials.
    ///   - id: Its name.
    /// - Returns: `start`.
    /// - Throws: ``/SimorghCore/InvalidRequest`` when it cannot be written.
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
    /// - Parameter id: Its name.
    /// - Returns: `stop`.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        [.send(.text(#"{"type":"stop","id":"\#(id)"}"#))]
    }

    /// Reads a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: What to do.
    /// - Throws: `DecodingError` or ``UnknownSubscriptionMessage`` for what is none of AppSync's.
    public mutating func received(_ message: WebSocketMessage) throws -> [SubscriptionAction] {
        let frame = try message.decoded(as: TypedMessage.self)
        switch (frame.type, frame.id) {
        case ("connection_ack", _):
            let payload = SubscriptionPayload(message, at: ["payload"])
            return [.expectMessages(every: AppSyncAcknowledgement.timeout(payload)), .ready]
        case ("ka", _): return []
        case ("start_ack", let id?): return [.accepted(id)]
        case ("data", let id?): return [.event(id, SubscriptionPayload(message, at: ["payload"]))]
        // The word on `stop`, too.
        case ("complete", let id?): return [.completed(id)]
        case ("error", let id?): return [AppSyncText.failure(of: id, message)]
        case ("connection_error", _), ("error", nil): return [AppSyncText.refusal(message)]
        case ("start_ack", nil), ("data", nil), ("complete", nil): return [.completed(.unknown)]
        default: throw UnknownSubscriptionMessage(frame.type)
        }
    }
}

/// What AppSync promises when it agrees to a connection.
struct AppSyncAcknowledgement: Decodable {
    let connectionTimeoutMs: Double?

    /// How long the server is silent at most; five minutes where it does not say.
    static func timeout(_ payload: SubscriptionPayload) -> Duration {
        let told = try? payload.decoded(as: AppSyncAcknowledgement.self).connectionTimeoutMs
        guard let told, told > 0 else { return .seconds(300) }
        return Duration(clampingSeconds: told / 1000)
    }
}

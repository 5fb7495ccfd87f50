// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// GraphQL over WebSocket with the current subprotocol, `graphql-transport-ws`.
///
/// ```swift
/// let shop = client.subscriptions(over: GraphQLTransportProtocol(url: "wss://shop.example/graphql"))
/// for try await price in shop.subscribe("subscription { price(of: 7) }", as: Price.self) { print(price) }
/// ```
public struct GraphQLTransportProtocol: SubscriptionProtocol {
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
    /// A callback for the payload of `connection_ack`.
    ///
    /// It must not block. Default: none.
    public var onAcknowledge: (@Sendable (JSON) -> Void)?
    /// The interval of pings of this protocol.
    ///
    /// Default: `nil`, no pings, because the WebSocket sends its own.
    public var pingInterval: Duration?
    /// The timeout for the answer to a ping.
    ///
    /// Default: 10 seconds.
    public var pongTimeout: Duration = .seconds(10)

    /// Creates the protocol for a server.
    ///
    /// - Parameter url: The URL of the server, a `ws` or `wss` URL.
    public init(url: String) { self.url = url }

    /// Describes a connection.
    ///
    /// - Parameter attempt: The number of the attempt in a row, counted from 1.
    /// - Returns: The request and the session.
    /// - Throws: The error of ``initPayload``.
    public func opening(attempt: Int) async throws -> SubscriptionConnectionRequest<GraphQLTransportSession> {
        SubscriptionConnectionRequest(
            url: url, headers: headers, subprotocols: ["graphql-transport-ws"],
            session: GraphQLTransportSession(
                initPayload: try await initPayload(), onAcknowledge: onAcknowledge, pingInterval: pingInterval,
                pongTimeout: pongTimeout))
    }

    /// Gives up if another attempt would fail the same way: bad request, bad credentials, duplicate ID.
    ///
    /// After 4401 on an acknowledged connection, one more attempt is made first, with a fresh payload from
    /// ``initPayload``.
    ///
    /// - Parameter closure: The description of the end of the connection.
    /// - Returns: The decision.
    public func decision(on closure: WebSocketCloseInfo) -> ReconnectDecision? {
        switch closure.code.rawValue {
        case 1000, 1001, 1005, 1006, 1012, 1013, 1014: .reconnect
        case 1000..<2000, 4004, 4005, 4400, 4401, 4406, 4409, 4429, 4500: .giveUp
        default: .reconnect
        }
    }

    /// Returns true for 4401: the token of ``initPayload`` may have expired.
    ///
    /// - Parameter closure: The description of the end of the connection.
    /// - Returns: True if a fresh payload may help.
    public func mayHaveExpired(_ closure: WebSocketCloseInfo) -> Bool { closure.code.rawValue == 4401 }
}

/// The session of `graphql-transport-ws`.
public struct GraphQLTransportSession: SubscriptionSession {
    private static let badRequest: WebSocketCloseCode = 4400
    private static let ping: SubscriptionTimer = "ping"
    private static let pong: SubscriptionTimer = "pong"

    let initPayload: JSON?
    let onAcknowledge: (@Sendable (JSON) -> Void)?
    let pingInterval: Duration?
    let pongTimeout: Duration
    private var isAcknowledged = false
    /// True if a ping is unanswered.
    private var isAwaitingPong = false

    package init(
        initPayload: JSON?, onAcknowledge: (@Sendable (JSON) -> Void)?, pingInterval: Duration?, pongTimeout: Duration
    ) {
        self.initPayload = initPayload
        self.onAcknowledge = onAcknowledge
        self.pingInterval = pingInterval
        self.pongTimeout = pongTimeout
    }

    /// Starts the handshake.
    ///
    /// - Parameter subprotocol: The subprotocol that the server selected.
    /// - Returns: A `connection_init` message.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if the payload cannot be encoded.
    public mutating func opened(subprotocol: String?) throws -> [SubscriptionAction] {
        var message: [String: JSON] = ["type": "connection_init"]
        if let initPayload { message["payload"] = initPayload }
        return [try .send(.object(message))]
    }

    /// Sends an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - id: The identifier of the subscription.
    /// - Returns: A `subscribe` message.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if the operation cannot be encoded.
    public mutating func subscribe(
        _ operation: GraphQLOperation, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        let message: JSON = ["type": "subscribe", "id": .string(id.description), "payload": operation.json]
        return [try .send(message), .accepted(id)]
    }

    /// Ends an operation.
    ///
    /// - Parameter id: The identifier of the subscription.
    /// - Returns: A `complete` message, which the server does not answer.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        [.send(.text(#"{"type":"complete","id":"\#(id)"}"#)), .released(id)]
    }

    /// Handles a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The actions.
    public mutating func received(_ message: WebSocketMessage) -> [SubscriptionAction] {
        guard let frame = try? message.decoded(as: TypedMessage.self) else { return [unknown(message)] }
        switch (frame.type, frame.id) {
        case ("connection_ack", _):
            guard !isAcknowledged else { return [unknown(message)] }
            isAcknowledged = true
            onAcknowledge?((try? message.decoded(as: JSON.self))?.payload ?? .null)
            return [.ready] + (pingInterval.map { [.startTimer(Self.ping, $0)] } ?? [])
        case ("next", let id?): return [.event(id, SubscriptionPayload(message, at: ["payload"]))]
        case ("complete", let id?): return [.completed(id)]
        case ("error", let id?):
            return [.failed(id, GraphQLErrors(SubscriptionPayload(message, at: ["payload"])))]
        // The ID belongs to none of our operations, so the message is ignored and logged.
        case ("next", nil), ("complete", nil), ("error", nil): return [.completed(.unknown)]
        case ("ping", _):
            let payload = (try? message.decoded(as: JSON.self))?.payload ?? .null
            let answer: JSON = payload.isNull ? ["type": "pong"] : ["type": "pong", "payload": payload]
            return (try? SubscriptionAction.sendLatest(answer)).map { [$0] } ?? []
        case ("pong", _):
            isAwaitingPong = false
            return [.stopTimer(Self.pong)]
        default: return [unknown(message)]
        }
    }

    /// Sends a ping, or reconnects if a ping was not answered in time.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: The actions.
    public mutating func elapsed(_ timer: SubscriptionTimer) -> [SubscriptionAction] {
        guard timer == Self.ping, let pingInterval else {
            return [
                .reconnect(SubscriptionError(.timedOut, message: "no answer to a ping within \(pongTimeout.shown)"))
            ]
        }
        // A pong to any ping answers the oldest unanswered one, so its timeout is not restarted.
        let wait: [SubscriptionAction] = isAwaitingPong ? [] : [.startTimer(Self.pong, pongTimeout)]
        isAwaitingPong = true
        return [.send(.text(#"{"type":"ping"}"#))] + wait + [.startTimer(Self.ping, pingInterval)]
    }

    private func unknown(_ message: WebSocketMessage) -> SubscriptionAction {
        .giveUp(
            SubscriptionError(
                .invalidMessage, message: "the server sent a message that is invalid in graphql-transport-ws",
                underlying: UnknownSubscriptionMessageError(message)), Self.badRequest)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// GraphQL over WebSocket as most servers speak it today: the subprotocol `graphql-transport-ws`.
///
/// ```swift
/// let shop = client.subscriptions(over: GraphQLTransportProtocol(url: "wss://shop.example/graphql"))
/// for try await price in shop.subscribe("subscription { price(of: 7) }", as: Price.self) { print(price) }
/// ```
public struct GraphQLTransportProtocol: SubscriptionProtocol {
    /// Where the server is.
    public var url: String
    /// Header fields of the request; none by default.
    public var headers: [String: String] = [:]
    /// Asked before each connection for what `connection_init` tells the server, such as a token; nothing by default.
    public var initPayload: @Sendable () async throws -> JSON? = { nil }
    /// Told what `connection_ack` tells, on a thread where nothing may wait; nobody by default.
    public var onAcknowledge: (@Sendable (JSON) -> Void)?
    /// How often the server is asked for a sign of life, by a ping of this protocol; `nil`, the default, for never, since the
    /// WebSocket has pings of its own.
    public var pingInterval: Duration?
    /// How long the answer may take; 10 seconds by default.
    public var pongTimeout: Duration = .seconds(10)

    /// Creates the protocol for a server.
    ///
    /// - Parameter url: Where it is: a `ws` or `wss` URL.
    public init(url: String) { self.url = url }

    /// Describes a connection.
    ///
    /// - Parameter attempt: How many there were in a row.
    /// - Returns: The request and the session.
    /// - Throws: What ``initPayload`` throws.
    public func opening(attempt: Int) async throws -> SubscriptionOpening<GraphQLTransportSession> {
        SubscriptionOpening(
            url: url, headers: headers, subprotocols: ["graphql-transport-ws"],
            session: GraphQLTransportSession(
                initPayload: try await initPayload(), onAcknowledge: onAcknowledge, pingInterval: pingInterval,
                pongTimeout: pongTimeout))
    }

    /// Gives up where another attempt would meet the same: a bad request, bad credentials, an id that is taken.
    ///
    /// After 4401 on a connection that had been acknowledged, ``initPayload`` is asked for a fresh payload once first.
    ///
    /// - Parameter closure: How the connection ended.
    /// - Returns: What to do.
    public func verdict(on closure: WebSocketClosure) -> SubscriptionVerdict? {
        switch closure.code.rawValue {
        case 1000, 1001, 1005, 1006, 1012, 1013, 1014: .reconnect
        case 1000..<2000, 4004, 4005, 4400, 4401, 4406, 4409, 4429, 4500: .giveUp
        default: .reconnect
        }
    }

    /// Returns true for 4401: the token of ``initPayload`` may have expired.
    ///
    /// - Parameter closure: How the connection ended.
    /// - Returns: A Boolean value that indicates whether a fresh payload may help.
    public func mayHaveExpired(_ closure: WebSocketClosure) -> Bool { closure.code.rawValue == 4401 }
}

/// The messages of `graphql-transport-ws`.
public struct GraphQLTransportSession: SubscriptionSession {
    private static let badRequest: WebSocketCloseCode = 4400
    private static let ping: SubscriptionTimer = "ping"
    private static let pong: SubscriptionTimer = "pong"

    let initPayload: JSON?
    let onAcknowledge: (@Sendable (JSON) -> Void)?
    let pingInterval: Duration?
    let pongTimeout: Duration
    private var isAcknowledged = false
    /// Whether a ping has no answer yet.
    private var isAsking = false

    package init(
        initPayload: JSON?, onAcknowledge: (@Sendable (JSON) -> Void)?, pingInterval: Duration?, pongTimeout: Duration
    ) {
        self.initPayload = initPayload
        self.onAcknowledge = onAcknowledge
        self.pingInterval = pingInterval
        self.pongTimeout = pongTimeout
    }

    /// Introduces this side.
    ///
    /// - Parameter subprotocol: What the server chose.
    /// - Returns: `connection_init`.
    /// - Throws: ``/SimorghCore/InvalidRequest`` when the payload cannot be written.
    public mutating func opened(subprotocol: String?) throws -> [SubscriptionAction] {
        var message: [String: JSON] = ["type": "connection_init"]
        if let initPayload { message["payload"] = initPayload }
        return [try .send(.object(message))]
    }

    /// Asks for an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - id: Its name.
    /// - Returns: `subscribe`.
    /// - Throws: ``/SimorghCore/InvalidRequest`` when it cannot be written.
    public mutating func subscribe(
        _ operation: GraphQLOperation, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        let message: JSON = ["type": "subscribe", "id": .string(id.description), "payload": operation.json]
        return [try .send(message), .accepted(id)]
    }

    /// Ends an operation.
    ///
    /// - Parameter id: Its name.
    /// - Returns: `complete`, which the server does not answer.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        [.send(.text(#"{"type":"complete","id":"\#(id)"}"#)), .released(id)]
    }

    /// Reads a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: What to do.
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
        // The id names none of our operations: the message is ignored, and the log says so.
        case ("next", nil), ("complete", nil), ("error", nil): return [.completed(.unknown)]
        case ("ping", _):
            let payload = (try? message.decoded(as: JSON.self))?.payload ?? .null
            let answer: JSON = payload.isNull ? ["type": "pong"] : ["type": "pong", "payload": payload]
            return (try? SubscriptionAction.sendLatest(answer)).map { [$0] } ?? []
        case ("pong", _):
            isAsking = false
            return [.stopTimer(Self.pong)]
        default: return [unknown(message)]
        }
    }

    /// Asks for a sign of life, or gives up waiting for one.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: What to do.
    public mutating func elapsed(_ timer: SubscriptionTimer) -> [SubscriptionAction] {
        guard timer == Self.ping, let pingInterval else {
            return [.reconnect(SubscriptionError(.timedOut, "a ping was not answered after \(pongTimeout.shown)"))]
        }
        // The answer to any ping is the answer to the first that has none.
        let wait: [SubscriptionAction] = isAsking ? [] : [.startTimer(Self.pong, pongTimeout)]
        isAsking = true
        return [.send(.text(#"{"type":"ping"}"#))] + wait + [.startTimer(Self.ping, pingInterval)]
    }

    private func unknown(_ message: WebSocketMessage) -> SubscriptionAction {
        .giveUp(
            SubscriptionError(
                .invalidMessage, "the server does not speak graphql-transport-ws",
                underlying: UnknownSubscriptionMessage(message)), Self.badRequest)
    }
}

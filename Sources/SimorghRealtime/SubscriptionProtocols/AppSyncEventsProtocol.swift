// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// AWS AppSync Events, with channels to subscribe to and to publish on.
///
/// ```swift
/// let api = AppSyncEventsProtocol(
///     "https://abc.appsync-api.eu-west-1.amazonaws.com/event", authorization: .apiKey("da2-…"))
/// let socket = client.subscriptions(over: api)
/// try await socket.publish(["hello"], on: "/chat/lobby")
/// for try await line in socket.events(.channel("/chat/*"), as: Line.self) { print(line) }
/// ```
public struct AppSyncEventsProtocol: SubscriptionProtocol {
    private let endpoint: AppSyncEndpoint
    /// The authorization of connections, subscriptions and publications.
    public var authorization: AppSyncAuthorization

    /// `true`: each operation needs credentials.
    public var preparesOperations: Bool { true }

    /// Creates the protocol for an API.
    ///
    /// - Parameters:
    ///   - endpoint: The address of the API as its settings show it, `https://…/event`, or a `wss` URL to connect to.
    ///   - authorization: The authorization of connections, subscriptions and publications.
    public init(_ endpoint: String, authorization: AppSyncAuthorization) {
        let bare = endpoint.hasSuffix("/event") ? endpoint + "/realtime" : endpoint
        self.endpoint = AppSyncEndpoint(bare, customPath: "")
        self.authorization = authorization
    }

    /// Describes a connection, with fresh credentials.
    ///
    /// - Parameter attempt: The number of the attempt in a row, counted from 1.
    /// - Returns: The request and the session.
    /// - Throws: The error of the authorization.
    public func opening(attempt: Int) async throws -> SubscriptionConnectionRequest<AppSyncEventsSession> {
        let header = try await authorization.json(host: endpoint.host, path: "/event", body: "{}")
        return SubscriptionConnectionRequest(
            url: endpoint.url, subprotocols: ["aws-appsync-event-ws", "header-\(try AppSyncText.token(header))"],
            session: AppSyncEventsSession())
    }

    /// Adds the credentials to an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - session: The session.
    /// - Returns: The operation with its credentials.
    /// - Throws: The error of the authorization.
    public func prepared(
        _ operation: AppSyncEventsOperation, for session: AppSyncEventsSession
    ) async throws -> AppSyncEventsOperation {
        let body = String(decoding: try JSON.object(try operation.body()).data(), as: UTF8.self)
        return operation.authorized(try await authorization.json(host: endpoint.host, path: "/event", body: body))
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

/// The session of AppSync Events.
public struct AppSyncEventsSession: SubscriptionSession {
    package init() {}

    /// Starts the handshake.
    ///
    /// - Parameter subprotocol: The subprotocol that the server selected.
    /// - Returns: A `connection_init` message.
    public mutating func opened(subprotocol: String?) -> [SubscriptionAction] {
        [AppSyncText.introduction]
    }

    /// Subscribes to a channel or publishes events; AppSync confirms both.
    ///
    /// - Parameters:
    ///   - operation: The operation with its credentials.
    ///   - id: The identifier of the subscription.
    /// - Returns: A `subscribe` or `publish` message.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if the operation cannot be encoded.
    public mutating func subscribe(
        _ operation: AppSyncEventsOperation, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        var message = try operation.body()
        message["id"] = .string(id.description)
        switch operation {
        case .channel(_, let fields):
            message["type"] = "subscribe"
            message["authorization"] = fields
        case .publish(_, _, let fields):
            message["type"] = "publish"
            message["authorization"] = fields
        }
        return [try .send(.object(message))]
    }

    /// Ends a subscription, which AppSync confirms.
    ///
    /// - Parameter id: The identifier of the subscription.
    /// - Returns: An `unsubscribe` message.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        [.send(.text(#"{"type":"unsubscribe","id":"\#(id)"}"#))]
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
            return [.expectMessages(every: AppSyncAcknowledgement.timeout(SubscriptionPayload(message))), .ready]
        case ("ka", _): return []
        case ("subscribe_success", let id?): return [.accepted(id)]
        case ("data", let id?): return try events(message).map { .event(id, $0) }
        case ("publish_success", let id?): return [.event(id, SubscriptionPayload(message)), .completed(id)]
        case ("unsubscribe_success", let id?), ("unsubscribe_error", let id?): return [.released(id)]
        case ("subscribe_error", let id?), ("publish_error", let id?), ("broadcast_error", let id?), ("error", let id?):
            return [AppSyncText.failure(of: id, message)]
        case ("connection_error", _), ("error", nil): return [AppSyncText.refusal(message)]
        case ("data", nil): return [.completed(.unknown)]
        case (_, nil): return []
        default: throw UnknownSubscriptionMessageError(frame.type)
        }
    }

    /// The maximum number of events in a message; AppSync accepts far fewer in a publication.
    private static let maximumEvents = 1000

    /// Returns the events of a message.
    ///
    /// An event is a string of JSON; the documentation of AppSync also shows an array of strings.
    private func events(_ message: WebSocketMessage) throws -> [SubscriptionPayload] {
        let json = (try? message.decoded(as: JSON.self))?.event ?? .null
        let events = json.array ?? [json]
        guard events.count <= Self.maximumEvents else {
            throw UnknownSubscriptionMessageError("data with \(events.count) events")
        }
        return events.map { event in
            guard let text = event.string else { return SubscriptionPayload(.text(event.description)) }
            return SubscriptionPayload(.text(text))
        }
    }
}

extension SubscriptionClient where Wire == AppSyncEventsProtocol {
    /// Publishes events on a channel.
    ///
    /// - Parameters:
    ///   - events: The events, at most five.
    ///   - channel: The channel, `/namespace/name`.
    /// - Returns: The result of each event as AppSync reports it, in `successful` and `failed`.
    /// - Throws: ``SubscriptionError``; its ``SubscriptionError/underlying`` is an ``AppSyncErrors`` if AppSync
    ///   rejected the publication.
    @discardableResult
    public func publish(_ events: [JSON], on channel: String) async throws -> JSON {
        let payload = try await perform(.publish(channel, events))
        do {
            return try payload.decoded(as: JSON.self)
        } catch {
            throw SubscriptionError(
                .decodingFailed, message: "the response could not be decoded: \(error)", underlying: error)
        }
    }
}

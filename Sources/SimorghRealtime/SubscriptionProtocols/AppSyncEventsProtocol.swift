// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// AWS AppSync Events: channels to listen to and to publish on.
///
/// ```swift
/// let api = AppSyncEventsProtocol("https://abc.appsync-api.eu-west-1.amazonaws.com/event", .apiKey("da2-…"))
/// let socket = client.subscriptions(over: api)
/// try await socket.publish(["hello"], on: "/chat/lobby")
/// for try await line in socket.events(.channel("/chat/*"), as: Line.self) { print(line) }
/// ```
public struct AppSyncEventsProtocol: SubscriptionProtocol {
    private let endpoint: AppSyncEndpoint
    /// How AppSync is told who connects, subscribes and publishes.
    public var authorization: AppSyncAuthorization

    /// Operations get their credentials.
    public var preparesOperations: Bool { true }

    /// Creates the protocol for an API.
    ///
    /// - Parameters:
    ///   - endpoint: The API's address as its settings show it, `https://…/event`, or a `wss` URL to connect to.
    ///   - authorization: How AppSync is told who connects, subscribes and publishes.
    public init(_ endpoint: String, _ authorization: AppSyncAuthorization) {
        let bare = endpoint.hasSuffix("/event") ? endpoint + "/realtime" : endpoint
        self.endpoint = AppSyncEndpoint(bare, customPath: "")
        self.authorization = authorization
    }

    /// Describes a connection, with fresh credentials.
    ///
    /// - Parameter attempt: How many there were in a row.
    /// - Returns: The request and the session.
    /// - Throws: What the authorization throws.
    public func opening(attempt: Int) async throws -> SubscriptionOpening<AppSyncEventsSession> {
        let header = try await authorization.json(host: endpoint.host, path: "/event", body: "{}")
        return SubscriptionOpening(
            url: endpoint.url, subprotocols: ["aws-appsync-event-ws", "header-\(try AppSyncText.token(header))"],
            session: AppSyncEventsSession())
    }

    /// Gives an operation its credentials.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - session: The session.
    /// - Returns: The operation with them.
    /// - Throws: What the authorization throws.
    public func prepared(
        _ operation: AppSyncEventsOperation, for session: AppSyncEventsSession
    ) async throws -> AppSyncEventsOperation {
        let body = String(decoding: try JSON.object(try operation.body()).data(), as: UTF8.self)
        return operation.authorized(try await authorization.json(host: endpoint.host, path: "/event", body: body))
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

/// The messages of AppSync Events.
public struct AppSyncEventsSession: SubscriptionSession {
    package init() {}

    /// Introduces this side.
    ///
    /// - Parameter subprotocol: What the server chose.
    /// - Returns: `connection_init`.
    public mutating func opened(subprotocol: String?) -> [SubscriptionAction] {
        [AppSyncText.introduction]
    }

    /// Asks for a channel, or for a publication; AppSync confirms either.
    ///
    /// - Parameters:
    ///   - operation: What is asked for, with its credentials.
    ///   - id: Its name.
    /// - Returns: `subscribe` or `publish`.
    /// - Throws: ``/SimorghCore/InvalidRequest`` when it cannot be written.
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
    /// - Parameter id: Its name.
    /// - Returns: `unsubscribe`.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        [.send(.text(#"{"type":"unsubscribe","id":"\#(id)"}"#))]
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
        default: throw UnknownSubscriptionMessage(frame.type)
        }
    }

    /// More than AppSync takes at once by far.
    private static let mostEvents = 1000

    /// An event is JSON in a text; the documentation also shows a list of them.
    private func events(_ message: WebSocketMessage) throws -> [SubscriptionPayload] {
        let json = (try? message.decoded(as: JSON.self))?.event ?? .null
        let events = json.array ?? [json]
        guard events.count <= Self.mostEvents else {
            throw UnknownSubscriptionMessage("data with \(events.count) events")
        }
        return events.map { event in
            guard let text = event.string else { return SubscriptionPayload(.text(event.description)) }
            return SubscriptionPayload(.text(text))
        }
    }
}

extension SubscriptionSocket where Wire == AppSyncEventsProtocol {
    /// Publishes events on a channel.
    ///
    /// - Parameters:
    ///   - events: The events, five at most.
    ///   - channel: The channel: `/namespace/name`.
    /// - Returns: What became of each event, as AppSync says it: `successful` and `failed`.
    /// - Throws: ``SubscriptionError``; its ``SubscriptionError/underlying`` is an ``AppSyncErrors`` where AppSync refused.
    @discardableResult
    public func publish(_ events: [JSON], on channel: String) async throws -> JSON {
        let payload = try await perform(.publish(channel, events))
        do {
            return try payload.decoded(as: JSON.self)
        } catch {
            throw SubscriptionError(.decodingFailed, "the answer could not be read: \(error)", underlying: error)
        }
    }
}

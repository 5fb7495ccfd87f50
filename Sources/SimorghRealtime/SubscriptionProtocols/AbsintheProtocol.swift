// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// GraphQL subscriptions of Absinthe, over Phoenix channels.
public struct AbsintheProtocol: SubscriptionProtocol {
    /// The URL to connect to.
    public var url: String
    /// Returns additional query items, such as a token; called before each connection.
    ///
    /// Default: none.
    public var parameters: @Sendable () async throws -> [String: String] = { [:] }
    /// The interval of the heartbeat messages.
    ///
    /// Default: 30 seconds.
    public var heartbeat: Duration = .seconds(30)

    /// Creates the protocol for a server.
    ///
    /// - Parameter url: The URL to connect to, a `ws` or `wss` URL that usually ends in `/websocket`.
    public init(url: String) { self.url = url }

    /// Describes a connection.
    ///
    /// - Parameter attempt: The number of the attempt in a row, counted from 1.
    /// - Returns: The request and the session.
    /// - Throws: The error of ``parameters``.
    public func opening(attempt: Int) async throws -> SubscriptionConnectionRequest<AbsintheSession> {
        var query = try await parameters()
        query["vsn"] = "2.0.0"
        return SubscriptionConnectionRequest(url: url, query: query, session: AbsintheSession(heartbeat: heartbeat))
    }
}

/// The session of the Absinthe protocol.
public struct AbsintheSession: SubscriptionSession {
    private enum Request: Sendable {
        case join
        case document(SubscriptionID)
        case unsubscribe(SubscriptionID)
    }

    /// A document without an answer; `isWanted` is false if it was unsubscribed in the meantime.
    private struct Document: Sendable {
        let operation: GraphQLOperation
        var isWanted = true
    }

    /// A subscription and its name on the server.
    private struct Named: Sendable {
        let id: SubscriptionID
        let name: String
        let operation: GraphQLOperation
    }

    private static let control = "__absinthe__:control"

    private var requests: PhoenixRequests<Request>
    private var joinReference: String?
    /// The names on the server, which are the topics of the events.
    private var names: [SubscriptionID: Named] = [:]
    private var ids: [String: [SubscriptionID]] = [:]
    private var pending: [SubscriptionID: Document] = [:]
    /// The subscriptions that were ended while an equal document was pending, by the pending subscription.
    ///
    /// They are ended on the server once the pending subscription turns out to have another name there.
    private var deferredEnds: [SubscriptionID: [Named]] = [:]

    package init(heartbeat: Duration) { requests = PhoenixRequests(heartbeat: heartbeat) }

    /// Joins the control topic of Absinthe.
    ///
    /// - Parameter subprotocol: The subprotocol that the server selected.
    /// - Returns: A `phx_join` message.
    /// - Throws: ``/SimorghCore/InvalidRequestError``; never for this message.
    public mutating func opened(subprotocol: String?) throws -> [SubscriptionAction] {
        let reference = requests.next(.join)
        joinReference = reference
        return [
            try PhoenixMessage(
                joinReference: reference, reference: reference, topic: Self.control, event: "phx_join"
            ).action(),
            requests.begin,
        ]
    }

    /// Sends a document.
    ///
    /// - Parameters:
    ///   - operation: The document.
    ///   - id: The identifier of the subscription.
    /// - Returns: A `doc` message.
    /// - Throws: ``/SimorghCore/InvalidRequestError`` if the document cannot be encoded.
    public mutating func subscribe(
        _ operation: GraphQLOperation, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        let reference = requests.next(.document(id))
        let message = try PhoenixMessage(
            joinReference: joinReference, reference: reference, topic: Self.control, event: "doc",
            payload: operation.json
        ).action()
        pending[id] = Document(operation: operation)
        return [message]
    }

    /// Ends a subscription, which Absinthe confirms.
    ///
    /// A subscription without an answer is ended once the answer arrives.
    ///
    /// - Parameter id: The identifier of the subscription.
    /// - Returns: An `unsubscribe` message; no message if there is no answer yet, or if another subscription needs the
    ///   document on the server.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        guard let named = names.removeValue(forKey: id) else {
            guard pending[id] != nil else { return [.released(id)] }
            pending[id]?.isWanted = false
            return []
        }
        ids[named.name]?.removeAll { $0 == id }
        if ids[named.name]?.isEmpty == true { ids[named.name] = nil }
        return end(named)
    }

    /// Handles a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: The actions.
    /// - Throws: `DecodingError` if the message is not an array of five elements.
    public mutating func received(_ message: WebSocketMessage) throws -> [SubscriptionAction] {
        let frame = try message.decoded(as: PhoenixMessage.self)
        switch frame.event {
        case "phx_reply": return reply(frame, message: message)
        case "subscription:data":
            return (ids[frame.topic] ?? []).map { .event($0, SubscriptionPayload(message, at: ["4", "result"])) }
        case "phx_error", "phx_close":
            guard frame.topic == Self.control else { return [] }
            return [.reconnect(PhoenixError(topic: frame.topic, response: frame.payload))]
        default: return []
        }
    }

    /// Sends a heartbeat.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: The actions.
    public mutating func elapsed(_ timer: SubscriptionTimer) -> [SubscriptionAction] {
        requests.sendHeartbeat()
    }

    /// Sends a heartbeat, without expecting that the previous one was answered.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: The actions.
    public mutating func timerFiredWhilePaused(_ timer: SubscriptionTimer) -> [SubscriptionAction] {
        requests.heartbeatWhilePaused()
    }

    private mutating func reply(_ frame: PhoenixMessage, message: WebSocketMessage) -> [SubscriptionAction] {
        guard let request = requests.answered(frame.reference) else { return [] }
        let isGood = frame.payload.status.string == "ok"
        let response = SubscriptionPayload(message, at: ["4", "response"])
        switch request {
        case .join:
            return isGood ? [.ready] : [.giveUp(PhoenixError(topic: frame.topic, response: frame.payload.response))]
        case .unsubscribe(let id): return [.released(id)]
        case .document(let id):
            guard let document = pending.removeValue(forKey: id) else { return [] }
            let name = isGood ? frame.payload.response.subscriptionId.string : nil
            var actions: [SubscriptionAction]
            if let name {
                names[id] = Named(id: id, name: name, operation: document.operation)
                ids[name, default: []].append(id)
                actions = document.isWanted ? [.accepted(id)] : unsubscribe(id)
            } else if isGood {
                // The document is a query or mutation, and this is its answer.
                actions = [.event(id, response), .completed(id)]
            } else {
                actions = [.failed(id, GraphQLErrors(response))]
            }
            // Ends the waiting subscriptions that turn out to have another name on the server.
            for named in deferredEnds.removeValue(forKey: id) ?? [] where named.name != name { actions += end(named) }
            return actions
        }
    }

    /// Returns the actions that end a subscription on the server.
    ///
    /// Absinthe may use one name for equal documents, and unsubscribing ends all of them. So nothing is sent if
    /// another subscription has the same name, or if an equal document is pending.
    private mutating func end(_ named: Named) -> [SubscriptionAction] {
        guard ids[named.name] == nil else { return [.released(named.id)] }
        let equalDocuments = pending.filter { $0.value.isWanted && $0.value.operation == named.operation }.keys
        if let successor = equalDocuments.min(by: { $0.number < $1.number }) {
            deferredEnds[successor, default: []].append(named)
            return [.released(named.id)]
        }
        let message = PhoenixMessage(
            joinReference: joinReference, reference: requests.next(.unsubscribe(named.id)), topic: Self.control,
            event: "unsubscribe", payload: ["subscriptionId": .string(named.name)])
        return (try? message.action()).map { [$0] } ?? [.released(named.id)]
    }
}

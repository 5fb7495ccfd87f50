// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// GraphQL by Absinthe, over Phoenix channels.
public struct AbsintheProtocol: SubscriptionProtocol {
    /// Where to connect.
    public var url: String
    /// Asked before each connection for what stands in the URL's query, such as a token; nothing by default.
    public var parameters: @Sendable () async throws -> [String: String] = { [:] }
    /// How often the server is told that this side lives; every 30 seconds by default.
    public var heartbeat: Duration = .seconds(30)

    /// Creates the protocol for a server.
    ///
    /// - Parameter url: Where to connect: a `ws` or `wss` URL that mostly ends in `/websocket`.
    public init(url: String) { self.url = url }

    /// Describes a connection.
    ///
    /// - Parameter attempt: How many there were in a row.
    /// - Returns: The request and the session.
    /// - Throws: What ``parameters`` throws.
    public func opening(attempt: Int) async throws -> SubscriptionOpening<AbsintheSession> {
        var query = try await parameters()
        query["vsn"] = "2.0.0"
        return SubscriptionOpening(url: url, query: query, session: AbsintheSession(heartbeat: heartbeat))
    }
}

/// The messages of Absinthe.
public struct AbsintheSession: SubscriptionSession {
    private enum Request: Sendable {
        case join
        case document(SubscriptionID)
        case unsubscribe(SubscriptionID)
    }

    /// A document that has no answer yet, and whether that is wanted still.
    private struct Document: Sendable {
        let operation: GraphQLOperation
        var isWanted = true
    }

    /// A subscription, and what Absinthe calls it.
    private struct Named: Sendable {
        let id: SubscriptionID
        let name: String
        let operation: GraphQLOperation
    }

    private static let control = "__absinthe__:control"

    private var requests: PhoenixRequests<Request>
    private var joinReference: String?
    /// What Absinthe calls the subscriptions, which is the topic of their events.
    private var names: [SubscriptionID: Named] = [:]
    private var ids: [String: [SubscriptionID]] = [:]
    private var pending: [SubscriptionID: Document] = [:]
    /// Those that were left while an equal document was on its way, by the subscription that may be given their name.
    private var left: [SubscriptionID: [Named]] = [:]

    package init(heartbeat: Duration) { requests = PhoenixRequests(heartbeat: heartbeat) }

    /// Joins the topic by which Absinthe is spoken to.
    ///
    /// - Parameter subprotocol: What the server chose.
    /// - Returns: `phx_join`.
    /// - Throws: ``/SimorghCore/InvalidRequest``, which it does not.
    public mutating func opened(subprotocol: String?) throws -> [SubscriptionAction] {
        let reference = requests.next(.join)
        joinReference = reference
        return [
            try PhoenixMessage(reference, reference, Self.control, "phx_join").action(),
            requests.begin,
        ]
    }

    /// Sends a document.
    ///
    /// - Parameters:
    ///   - operation: The document.
    ///   - id: Its name.
    /// - Returns: `doc`.
    /// - Throws: ``/SimorghCore/InvalidRequest`` when it cannot be written.
    public mutating func subscribe(
        _ operation: GraphQLOperation, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        let reference = requests.next(.document(id))
        let message = try PhoenixMessage(joinReference, reference, Self.control, "doc", operation.json).action()
        pending[id] = Document(operation: operation)
        return [message]
    }

    /// Ends a subscription, which Absinthe confirms; one that has no answer yet is ended when that comes.
    ///
    /// - Parameter id: Its name.
    /// - Returns: `unsubscribe`.
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

    /// Reads a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: What to do.
    /// - Throws: `DecodingError` for what is no list of five.
    public mutating func received(_ message: WebSocketMessage) throws -> [SubscriptionAction] {
        let frame = try message.decoded(as: PhoenixMessage.self)
        switch frame.event {
        case "phx_reply": return reply(frame, message)
        case "subscription:data":
            return (ids[frame.topic] ?? []).map { .event($0, SubscriptionPayload(message, at: ["4", "result"])) }
        case "phx_error", "phx_close":
            guard frame.topic == Self.control else { return [] }
            return [.reconnect(PhoenixError(topic: frame.topic, response: frame.payload))]
        default: return []
        }
    }

    /// Tells that this side lives.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: What to do.
    public mutating func elapsed(_ timer: SubscriptionTimer) -> [SubscriptionAction] {
        requests.beat()
    }

    /// Tells that this side lives, without a word on the server.
    ///
    /// - Parameter timer: The timer.
    /// - Returns: What to do.
    public mutating func elapsedUnread(_ timer: SubscriptionTimer) -> [SubscriptionAction] { requests.beatUnread() }

    private mutating func reply(_ frame: PhoenixMessage, _ message: WebSocketMessage) -> [SubscriptionAction] {
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
                // A query or mutation, answered.
                actions = [.event(id, response), .completed(id)]
            } else {
                actions = [.failed(id, GraphQLErrors(response))]
            }
            // What was left, and is not called as this is, ends now.
            for named in left.removeValue(forKey: id) ?? [] where named.name != name { actions += end(named) }
            return actions
        }
    }

    /// Ends a subscription that was left.
    ///
    /// Absinthe may give equal documents one name, and ends it for all of them: neither one that has it already nor one that
    /// is on its way would hear anything more.
    private mutating func end(_ named: Named) -> [SubscriptionAction] {
        guard ids[named.name] == nil else { return [.released(named.id)] }
        let equals = pending.filter { $0.value.isWanted && $0.value.operation == named.operation }.keys
        if let heir = equals.min(by: { $0.number < $1.number }) {
            left[heir, default: []].append(named)
            return [.released(named.id)]
        }
        let message = PhoenixMessage(
            joinReference, requests.next(.unsubscribe(named.id)), Self.control, "unsubscribe",
            ["subscriptionId": .string(named.name)])
        return (try? message.action()).map { [$0] } ?? [.released(named.id)]
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

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

    private static let control = "__absinthe__:control"

    private var requests: PhoenixRequests<Request>
    private var joinReference: String?
    /// What Absinthe calls the subscriptions, which is the topic of their events.
    private var names: [SubscriptionID: String] = [:]
    private var ids: [String: [SubscriptionID]] = [:]
    /// The subscriptions whose documents are not answered yet, and whether they are wanted still.
    private var pending: [SubscriptionID: Bool] = [:]

    package init(heartbeat: Duration) { requests = PhoenixRequests(heartbeat: heartbeat) }

    /// Joins the topic by which Absinthe is spoken to.
    ///
    /// - Parameter subprotocol: What the server chose.
    /// - Returns: `phx_join`.
    /// - Throws: ``InvalidRequest``, which it does not.
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
    /// - Throws: ``InvalidRequest`` when it cannot be written.
    public mutating func subscribe(
        _ operation: GraphQLOperation, id: SubscriptionID
    ) throws -> [SubscriptionAction] {
        let reference = requests.next(.document(id))
        pending[id] = true
        return [try PhoenixMessage(joinReference, reference, Self.control, "doc", operation.json).action()]
    }

    /// Ends a subscription, which Absinthe confirms; one that has no answer yet is ended when that comes.
    ///
    /// - Parameter id: Its name.
    /// - Returns: `unsubscribe`.
    public mutating func unsubscribe(_ id: SubscriptionID) -> [SubscriptionAction] {
        guard let name = names.removeValue(forKey: id) else {
            guard pending[id] != nil else { return [.released(id)] }
            pending[id] = false
            return []
        }
        ids[name]?.removeAll { $0 == id }
        // Absinthe gives equal documents one name: others may still listen to it.
        guard ids[name]?.isEmpty == true else { return [.released(id)] }
        ids[name] = nil
        let message = PhoenixMessage(
            joinReference, requests.next(.unsubscribe(id)), Self.control, "unsubscribe",
            ["subscriptionId": .string(name)])
        return (try? message.action()).map { [$0] } ?? [.released(id)]
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
            let isWanted = pending.removeValue(forKey: id) ?? false
            guard isGood else { return [.failed(id, GraphQLErrors(response))] }
            guard let name = frame.payload.response.subscriptionId.string else {
                // A query or mutation, answered.
                return [.event(id, response), .completed(id)]
            }
            names[id] = name
            ids[name, default: []].append(id)
            return isWanted ? [.accepted(id)] : unsubscribe(id)
        }
    }
}

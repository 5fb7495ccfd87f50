// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// Phoenix channels, version 2.
///
/// ```swift
/// let chat = client.subscriptions(over: PhoenixProtocol(url: "wss://chat.example/socket/websocket"))
/// for try await line in chat.events(.topic("room:lobby", event: "new_msg"), as: Line.self) { print(line) }
/// ```
/// Several subscriptions to a topic share one join. A topic that crashes on the server is joined again after a wait,
/// and its subscribers receive an interruption.
public struct PhoenixProtocol: SubscriptionProtocol {
    /// An operation on a channel.
    public enum Operation: Sendable, Hashable {
        /// The events of a topic.
        ///
        /// If `event` is `nil`, all events are delivered, to be decoded as ``PhoenixMessage``s.
        case topic(String, event: String? = nil, payload: JSON = [:])
        /// A message to the server on a topic that is joined; its reply is the answer.
        case push(String, event: String, payload: JSON = [:])
    }

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
    public func opening(attempt: Int) async throws -> SubscriptionConnectionRequest<PhoenixSession> {
        var query = try await parameters()
        query["vsn"] = "2.0.0"
        return SubscriptionConnectionRequest(url: url, query: query, session: PhoenixSession(heartbeat: heartbeat))
    }
}

/// An error reply of a Phoenix server, or a failure of a topic.
public struct PhoenixError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The topic.
    public let topic: String
    /// The response of the server.
    public let response: JSON

    /// The topic and the response of the server.
    public var description: String { "“\(topic)”: \(response.reason.string ?? response.description)" }
}

/// A message of a Phoenix channel, an array of five elements.
public struct PhoenixMessage: Sendable, Hashable, Codable {
    /// The reference of the join to which the message belongs.
    public var joinReference: String?
    /// The reference of the message; in a reply, of the message that it answers.
    public var reference: String?
    /// The topic.
    public var topic: String
    /// The event.
    public var event: String
    /// The content.
    public var payload: JSON

    init(joinReference: String?, reference: String?, topic: String, event: String, payload: JSON = [:]) {
        self.joinReference = joinReference
        self.reference = reference
        self.topic = topic
        self.event = event
        self.payload = payload
    }

    /// Decodes a message.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if it is not an array of five elements.
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        joinReference = try list.decodeIfPresent(String.self)
        reference = try list.decodeIfPresent(String.self)
        topic = try list.decode(String.self)
        event = try list.decode(String.self)
        payload = try list.decode(JSON.self)
    }

    /// Encodes the message.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(joinReference)
        try list.encode(reference)
        try list.encode(topic)
        try list.encode(event)
        try list.encode(payload)
    }

    /// Returns an action that sends the message.
    func action() throws -> SubscriptionAction {
        let (own, other) = (joinReference.map(JSON.string) ?? .null, reference.map(JSON.string) ?? .null)
        return try .send([own, other, .string(topic), .string(event), payload])
    }
}

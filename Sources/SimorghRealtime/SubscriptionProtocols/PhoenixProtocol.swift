// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// Phoenix channels, version 2.
///
/// ```swift
/// let chat = client.subscriptions(over: PhoenixProtocol(url: "wss://chat.example/socket/websocket"))
/// for try await line in chat.events(.topic("room:lobby", event: "new_msg"), as: Line.self) { print(line) }
/// ```
/// A topic that several listeners want is joined once. A topic that crashes on the server is joined again after a
/// wait, and whoever listens hears of the interruption.
public struct PhoenixProtocol: SubscriptionProtocol {
    /// What a channel is asked for.
    public enum Operation: Sendable, Hashable {
        /// The events of a topic: those of one name, or, where none is given, all of them, to be read as
        /// ``PhoenixMessage``s.
        case topic(String, event: String? = nil, payload: JSON = [:])
        /// An event for the server, on a topic that somebody listens to; its reply is the answer.
        case push(String, event: String, payload: JSON = [:])
    }

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
    public func opening(attempt: Int) async throws -> SubscriptionOpening<PhoenixSession> {
        var query = try await parameters()
        query["vsn"] = "2.0.0"
        return SubscriptionOpening(url: url, query: query, session: PhoenixSession(heartbeat: heartbeat))
    }
}

/// What a Phoenix server refuses, or fails at.
public struct PhoenixError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The topic.
    public let topic: String
    /// What the server says about it.
    public let response: JSON

    /// The topic, and what the server says.
    public var description: String { "“\(topic)”: \(response.reason.string ?? response.description)" }
}

/// A message of a Phoenix channel: a list of five.
public struct PhoenixMessage: Sendable, Hashable, Codable {
    /// Which joining of the topic it belongs to.
    public var joinReference: String?
    /// Which message it answers.
    public var reference: String?
    /// The topic.
    public var topic: String
    /// The event.
    public var event: String
    /// What it says.
    public var payload: JSON

    init(_ joinReference: String?, _ reference: String?, _ topic: String, _ event: String, _ payload: JSON = [:]) {
        self.joinReference = joinReference
        self.reference = reference
        self.topic = topic
        self.event = event
        self.payload = payload
    }

    /// Reads a message.
    ///
    /// - Parameter decoder: Where it is read from.
    /// - Throws: `DecodingError` for what is no list of five.
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        joinReference = try list.decodeIfPresent(String.self)
        reference = try list.decodeIfPresent(String.self)
        topic = try list.decode(String.self)
        event = try list.decode(String.self)
        payload = try list.decode(JSON.self)
    }

    /// Writes the message.
    ///
    /// - Parameter encoder: Where it is written to.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(joinReference)
        try list.encode(reference)
        try list.encode(topic)
        try list.encode(event)
        try list.encode(payload)
    }

    /// The message, to be sent.
    func action() throws -> SubscriptionAction {
        let (own, other) = (joinReference.map(JSON.string) ?? .null, reference.map(JSON.string) ?? .null)
        return try .send([own, other, .string(topic), .string(event), payload])
    }
}

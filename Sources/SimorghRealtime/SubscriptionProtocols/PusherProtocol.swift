// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// Pusher channels, version 7 of the protocol, and servers that speak it.
///
/// ```swift
/// let pusher = client.subscriptions(over: PusherProtocol(key: "a1b2", cluster: "eu"))
/// for try await quote in pusher.events(.channel("quotes", event: "tick"), as: Quote.self) { print(quote) }
/// ```
/// A channel that several listeners want is subscribed to once.
public struct PusherProtocol: SubscriptionProtocol {
    /// What Pusher is asked for.
    public enum Operation: Sendable, Hashable {
        /// The events of a channel: those of one name, or, where none is given, all of them, to be read as
        /// ``PusherMessage``s.
        case channel(String, event: String? = nil, authorization: JSON = .null)
        /// An event for the others on a channel; its name begins with `client-`.
        case trigger(String, event: String, data: JSON)
    }

    /// Where to connect.
    public var url: String
    /// Gives what proves that a private or presence channel may be listened to; such channels are refused by default.
    ///
    /// It is an object with `auth`, and for presence channels with `channel_data`.
    public var authorize: (@Sendable (_ channel: String, _ socketID: String) async throws -> JSON)?
    /// How long the server may take to answer a ping; 30 seconds by default.
    public var pongTimeout: Duration = .seconds(30)

    /// Private channels get their proof.
    public var preparesOperations: Bool { true }

    /// Creates the protocol for an application at Pusher.
    ///
    /// - Parameters:
    ///   - key: The application's key.
    ///   - cluster: The cluster, such as `eu`.
    public init(key: String, cluster: String) { self.init(key: key, host: "wss://ws-\(cluster).pusher.com") }

    /// Creates the protocol for a server of your own.
    ///
    /// - Parameters:
    ///   - key: The application's key.
    ///   - host: Where the server is: a `ws` or `wss` URL without a path.
    public init(key: String, host: String) { url = "\(host)/app/\(PercentEncoding.encoded(key, keeping: .unreserved))" }

    /// Describes a connection.
    ///
    /// - Parameter attempt: How many there were in a row.
    /// - Returns: The request and the session.
    public func opening(attempt: Int) async -> SubscriptionOpening<PusherSession> {
        SubscriptionOpening(
            url: url, query: ["protocol": "7", "client": "simorgh", "version": SimorghVersion.current],
            session: PusherSession(pongTimeout: pongTimeout))
    }

    /// Gives a private channel its proof.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - session: The session, which knows the socket's id.
    /// - Returns: The operation with it.
    /// - Throws: What ``authorize`` throws.
    public func prepared(_ operation: Operation, for session: PusherSession) async throws -> Operation {
        guard case .channel(let channel, let event, .null) = operation, let authorize,
            channel.hasPrefix("private-") || channel.hasPrefix("presence-")
        else { return operation }
        return .channel(channel, event: event, authorization: try await authorize(channel, session.socketID))
    }

    /// Judges the end of a connection by the range of its code.
    ///
    /// - Parameter closure: How the connection ended.
    /// - Returns: What to do.
    public func verdict(on closure: WebSocketClosure) -> SubscriptionVerdict? {
        switch closure.code.rawValue {
        case 4000...4099: .giveUp
        case 4100...4199: .reconnect
        case 4200...4299: .reconnectAtOnce
        default: nil
        }
    }
}

/// What Pusher finds wrong.
public struct PusherError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Pusher's number of the fault, or the status of a refusal; 0 where it gives none.
    public let code: Int
    /// What is wrong, for a person.
    public let message: String

    /// The message and the number.
    public var description: String { "\(message) (\(code))" }
}

/// An event on a Pusher channel.
public struct PusherMessage: Sendable, Hashable, Decodable {
    /// The event's name.
    public let event: String
    /// The channel; `nil` for what concerns the connection.
    public let channel: String?
    /// What it says: mostly a text that is JSON itself.
    public let data: JSON

    private enum CodingKeys: CodingKey { case event, channel, data }

    /// Reads an event.
    ///
    /// - Parameter decoder: Where it is read from.
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        event = try container.decode(String.self, forKey: .event)
        channel = try container.decodeIfPresent(String.self, forKey: .channel)
        data = try container.decodeIfPresent(JSON.self, forKey: .data) ?? .null
    }

    /// What it says, be it JSON in a text or not.
    public var value: JSON {
        guard case .string(let text) = data else { return data }
        return (try? WebSocketMessage.text(text).decoded(as: JSON.self)) ?? data
    }
}

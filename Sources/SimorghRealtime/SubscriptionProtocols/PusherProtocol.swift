// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// Pusher Channels, protocol version 7, and compatible servers.
///
/// ```swift
/// let pusher = client.subscriptions(over: PusherProtocol(key: "a1b2", cluster: "eu"))
/// for try await quote in pusher.events(.channel("quotes", event: "tick"), as: Quote.self) { print(quote) }
/// ```
/// Several subscriptions to a channel share one subscription on the server.
public struct PusherProtocol: SubscriptionProtocol {
    /// An operation on a channel.
    public enum Operation: Sendable, Hashable {
        /// The events of a channel.
        ///
        /// If `event` is `nil`, all events are delivered, to be decoded as ``PusherMessage``s.
        case channel(String, event: String? = nil, authorization: JSON = .null)
        /// A client event for the other members of a channel; its name begins with `client-`.
        case trigger(String, event: String, data: JSON)
    }

    /// The URL to connect to.
    public var url: String
    /// Returns the authorization for a private or presence channel.
    ///
    /// Default: none, so the server rejects such channels.
    ///
    /// It is an object with `auth`, and for presence channels also with `channel_data`.
    public var authorize: (@Sendable (_ channel: String, _ socketID: String) async throws -> JSON)?
    /// The timeout for the answer to a ping.
    ///
    /// Default: 30 seconds.
    public var pongTimeout: Duration = .seconds(30)

    /// `true`: private channels need an authorization.
    public var preparesOperations: Bool { true }

    /// Creates the protocol for an application at Pusher.
    ///
    /// - Parameters:
    ///   - key: The application's key.
    ///   - cluster: The cluster, such as `eu`.
    public init(key: String, cluster: String) { self.init(key: key, host: "wss://ws-\(cluster).pusher.com") }

    /// Creates the protocol for a compatible server.
    ///
    /// - Parameters:
    ///   - key: The application's key.
    ///   - host: The server, a `ws` or `wss` URL without a path.
    public init(key: String, host: String) { url = "\(host)/app/\(PercentEncoding.encoded(key, keeping: .unreserved))" }

    /// Describes a connection.
    ///
    /// - Parameter attempt: The number of the attempt in a row, counted from 1.
    /// - Returns: The request and the session.
    public func opening(attempt: Int) async -> SubscriptionConnectionRequest<PusherSession> {
        SubscriptionConnectionRequest(
            url: url, query: ["protocol": "7", "client": "simorgh", "version": SimorghVersion.current],
            session: PusherSession(pongTimeout: pongTimeout))
    }

    /// Adds the authorization to the subscription of a private or presence channel.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - session: The session, which has the socket ID.
    /// - Returns: The operation with its authorization.
    /// - Throws: The error of ``authorize``.
    public func prepared(_ operation: Operation, for session: PusherSession) async throws -> Operation {
        guard case .channel(let channel, let event, .null) = operation, let authorize,
            channel.hasPrefix("private-") || channel.hasPrefix("presence-")
        else { return operation }
        return .channel(channel, event: event, authorization: try await authorize(channel, session.socketID))
    }

    /// Decides by the range of the close code.
    ///
    /// - Parameter closure: The description of the end of the connection.
    /// - Returns: The decision.
    public func decision(on closure: WebSocketCloseInfo) -> ReconnectDecision? {
        switch closure.code.rawValue {
        case 4000...4099: .giveUp
        case 4100...4199: .reconnect
        case 4200...4299: .reconnectImmediately
        default: nil
        }
    }
}

/// An error that Pusher reports.
public struct PusherError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error code of Pusher, or the HTTP status of a rejected subscription; 0 if Pusher sent no number.
    public let code: Int
    /// A human-readable description.
    public let message: String

    /// The message and the code.
    public var description: String { "\(message) (\(code))" }
}

/// An event on a Pusher channel.
public struct PusherMessage: Sendable, Hashable, Decodable {
    /// The name of the event.
    public let event: String
    /// The channel; `nil` for an event of the connection.
    public let channel: String?
    /// The content; usually a string that contains JSON.
    public let data: JSON

    private enum CodingKeys: CodingKey { case event, channel, data }

    /// Decodes an event.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        event = try container.decode(String.self, forKey: .event)
        channel = try container.decodeIfPresent(String.self, forKey: .channel)
        data = try container.decodeIfPresent(JSON.self, forKey: .data) ?? .null
    }

    /// The content, parsed if it is a string of JSON.
    public var value: JSON {
        guard case .string(let text) = data else { return data }
        return (try? WebSocketMessage.text(text).decoded(as: JSON.self)) ?? data
    }
}

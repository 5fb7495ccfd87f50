// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghRealtime

/// The transport of the subscriptions of a ``GraphQLClient``.
public struct GraphQLSubscriptionTransport: Sendable {
    package enum Kind: Sendable {
        case webSocket(GraphQLTransportProtocol?, SubscriptionOptions)
        case serverSentEvents
        case multipart
    }

    package let kind: Kind

    /// Returns the transport over one WebSocket for all subscriptions (`graphql-transport-ws`), which reconnects.
    ///
    /// - Parameters:
    ///   - subprotocol: The protocol, with the URL and the payload of `connection_init`. Default: the URL of the client with
    ///     the scheme `ws` or `wss`.
    ///   - options: The options for connections, timeouts and buffers.
    /// - Returns: The transport.
    public static func webSocket(
        _ subprotocol: GraphQLTransportProtocol? = nil, options: SubscriptionOptions = SubscriptionOptions()
    ) -> GraphQLSubscriptionTransport {
        GraphQLSubscriptionTransport(kind: .webSocket(subprotocol, options))
    }

    /// The transport over a POST for each subscription, whose response is a stream of events (graphql-sse, distinct
    /// connections).
    ///
    /// It does not reconnect, because the protocol cannot resume a subscription.
    public static let serverSentEvents = GraphQLSubscriptionTransport(kind: .serverSentEvents)

    /// The transport over a POST for each subscription, whose response has a part for each event (multipart
    /// subscriptions).
    ///
    /// It does not reconnect, because the protocol cannot resume a subscription.
    public static let multipart = GraphQLSubscriptionTransport(kind: .multipart)
}

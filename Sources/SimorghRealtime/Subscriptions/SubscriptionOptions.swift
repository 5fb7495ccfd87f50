// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How subscriptions connect, wait, and keep what is not taken yet.
public struct SubscriptionOptions: Sendable {
    /// What becomes of events that a subscriber is too slow for.
    ///
    /// ``SubscriptionUpdate/missed(_:)`` tells how many the default, ``WebSocketBuffer/Overflow/dropOldest``, has dropped. With
    /// ``WebSocketBuffer/Overflow/suspend`` nothing more is read from the connection, for all of its subscribers, until there
    /// is room again; but as long as a task waits for the answer to a query or a publication, up to 2 MiB of events more are
    /// kept for each subscriber, since it may be the one that asks. An answer behind still more than that, and the events of
    /// another subscription, do not come to that task. With ``WebSocketBuffer/Overflow/fail`` the subscription ends in an error.
    public typealias Overflow = WebSocketBuffer.Overflow

    /// How the WebSocket itself behaves: bounds, pings, reconnection.
    public var webSocket: WebSocketOptions
    /// How long the handshake of the protocol may take, once the connection is open, and before that the description of the
    /// connection, with the token in it; 10 seconds by default.
    public var readyTimeout: Duration = .seconds(10)
    /// How long the server may take to confirm a subscription, where it confirms them, from when it was sent; 10 seconds by
    /// default.
    ///
    /// The completion of what is asked for, by ``SubscriptionProtocol/prepared(_:for:)``, may take as long.
    public var subscribeTimeout: Duration = .seconds(10)
    /// How long the answer may take to what is asked once, a query or a publication, from when it was sent; 60 seconds by
    /// default.
    public var answerTimeout: Duration = .seconds(60)
    /// How long the server may take to confirm the end of one, where it does; 2 seconds by default.
    public var unsubscribeTimeout: Duration = .seconds(2)
    /// How long a connection stays open when its last subscription has gone, for the next; not at all by default.
    public var linger: Duration = .zero
    /// How many events are kept for a subscriber who is busy; 1,024 by default.
    public var bufferSize = 1024
    /// What becomes of events beyond that; the oldest are dropped by default.
    public var overflow = Overflow.dropOldest
    /// Is told of each change of the connection, in order, on a thread where nothing may wait.
    public var onState: (@Sendable (SubscriptionState) -> Void)?
    /// Called once for each connection when a message names a subscription that the connection never had.
    package var onStray: (@Sendable () -> Void)?
    /// How many subscriptions a connection may have, without those whose end the server has yet to confirm; 10,000 by
    /// default.
    ///
    /// A ``SubscriptionConnection`` has one in any case.
    public var maximumSubscriptions = 10_000

    /// Creates the default options: a connection that is lost is made again for as long as somebody subscribes.
    public init() {
        webSocket = WebSocketOptions(reconnectPolicy: .default)
    }

    /// Creates options with those of a WebSocket.
    ///
    /// - Parameter webSocket: How the WebSocket behaves, and whether it comes back: ``WebSocketReconnectPolicy/none`` does
    ///   not.
    public init(webSocket: WebSocketOptions) { self.webSocket = webSocket }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The options for subscriptions: connections, timeouts and buffers.
public struct SubscriptionOptions: Sendable {
    /// The overflow policy for a subscriber that is too slow.
    ///
    /// With the default, ``WebSocketBuffer/Overflow/dropOldest``, ``SubscriptionUpdate/missed(_:)`` reports the
    /// number of dropped events.
    ///
    /// With ``WebSocketBuffer/Overflow/suspend``, reading from the connection stops for all its subscribers until the
    /// buffer has room. While a task waits for the answer to a query or publication, up to 2 MiB of additional events
    /// are buffered for each subscriber, because the waiting task may be the subscriber itself. If more than that
    /// arrives before the answer, reading stops, and neither the answer nor the events of other subscriptions are
    /// delivered until the buffer has room.
    ///
    /// With ``WebSocketBuffer/Overflow/fail``, the subscription ends with an error.
    public typealias Overflow = WebSocketBuffer.Overflow

    /// The options of the WebSocket: limits, pings and reconnecting.
    public var webSocket: WebSocketOptions
    /// The timeout for the protocol's handshake once the connection is open.
    ///
    /// Default: 10 seconds.
    ///
    /// The same timeout also applies, separately, to ``SubscriptionProtocol/opening(attempt:)`` before the connection
    /// is opened, which includes fetching a token.
    public var readyTimeout: Duration = .seconds(10)
    /// The timeout for the server's confirmation of a subscription, from when it was sent.
    ///
    /// Default: 10 seconds.
    ///
    /// It applies only if the protocol has confirmations. The same timeout applies to
    /// ``SubscriptionProtocol/prepared(_:for:)``.
    public var subscribeTimeout: Duration = .seconds(10)
    /// The timeout for the answer to a one-shot request (a query or a publication), from when it was sent.
    ///
    /// Default: 60 seconds.
    public var answerTimeout: Duration = .seconds(60)
    /// The timeout for the server's confirmation that a subscription has ended, if it sends one.
    ///
    /// Default: 2 seconds.
    public var unsubscribeTimeout: Duration = .seconds(2)
    /// The time that a connection without subscriptions stays open.
    ///
    /// Default: zero.
    public var linger: Duration = .zero
    /// The maximum number of buffered events of each subscriber.
    ///
    /// Default: 1,024.
    public var bufferSize = 1024
    /// The overflow policy of the buffers.
    ///
    /// Default: drop the oldest event.
    public var overflow = Overflow.dropOldest
    /// A callback for each change of the connection, in order.
    ///
    /// It must not block.
    public var onState: (@Sendable (SubscriptionState) -> Void)?
    /// A callback for a message with an ID that the connection never used; called once for each connection.
    package var onUnknownID: (@Sendable () -> Void)?
    /// The maximum number of subscriptions of a connection.
    ///
    /// Default: 10,000.
    ///
    /// Ended subscriptions whose confirmation is pending do not count. A ``SubscriptionConnection`` ignores this
    /// limit.
    public var maximumSubscriptions = 10_000

    /// Creates the default options, which reconnect as ``WebSocketReconnectPolicy/default`` says.
    public init() {
        webSocket = WebSocketOptions(reconnectPolicy: .default)
    }

    /// Creates options from the options of a WebSocket.
    ///
    /// - Parameter webSocket: The options of the WebSocket, including its reconnect policy;
    ///   ``WebSocketReconnectPolicy/none`` turns reconnecting off.
    public init(webSocket: WebSocketOptions) { self.webSocket = webSocket }
}

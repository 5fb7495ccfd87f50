// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghNetwork
public import SimorghSupport

/// The options of a ``WebSocketConnection``.
public struct WebSocketOptions: Sendable {
    /// The handling of a message that is sent while the connection is reconnecting.
    public enum SendingWhileReconnecting: Sendable, Hashable {
        /// Fails immediately with ``WebSocketError/Code/notConnected``.
        case fail
        /// Waits for the connection, up to this duration.
        case wait(upTo: Duration)
    }

    /// The largest message to receive, in bytes after decompression.
    ///
    /// Default: 16 MiB.
    ///
    /// A larger message ends the connection with 1009.
    public var maximumMessageSize: Int
    /// The time without data from the server before a ping is sent, in seconds.
    ///
    /// Default: 30; `nil` sends no pings.
    public var pingInterval: TimeInterval?
    /// The policy for reconnecting.
    ///
    /// Default: up to 10 attempts with full jitter.
    public var reconnectPolicy: WebSocketReconnectPolicy

    /// The time without data after a ping before the connection counts as lost, in seconds.
    ///
    /// Default: 10.
    ///
    /// ``WebSocketConnection/ping()`` uses the same timeout.
    public var pongTimeout: TimeInterval = 10
    /// The maximum wait for the server's close frame after this side has sent its own, in seconds.
    ///
    /// Default: 10.
    public var closeTimeout: TimeInterval = 10
    /// The compression to offer (`permessage-deflate`).
    ///
    /// Default: none.
    public var compression: WebSocketCompression?
    /// True to receive messages in parts with ``WebSocketConnection/streamedMessages()`` instead of as events.
    ///
    /// Default: `false`.
    public var streamsMessages = false
    /// The buffer of each observer, and its overflow policy.
    public var buffer = WebSocketBuffer()
    /// The handling of messages that are sent while the connection is reconnecting.
    ///
    /// Default: fail immediately.
    ///
    /// Messages that are sent while the first connection is being opened always wait for it.
    public var sendWhileReconnecting = SendingWhileReconnecting.fail
    /// True if the upgrade request carries the client's credentials.
    ///
    /// Default: `true`.
    public var allowsAuthentication = true
    /// The number of bytes that may wait to be written before `send` suspends its caller.
    ///
    /// Default: 1 MiB.
    public var sendBufferSize = 1024 * 1024
    /// The maximum payload of a frame to send, in bytes.
    ///
    /// Default: `nil`, which sends each message in one frame.
    public var maximumFrameSize: Int?
    /// An asynchronous function that returns when the network becomes available again.
    ///
    /// It is called during each wait for an attempt, and ends the wait when it returns. Its task is cancelled when the
    /// wait ends. Default: `nil`, which uses the client's
    /// ``/SimorghCore/APIClient/Configuration/networkMonitor``.
    public var onNetworkAvailable: (@Sendable () async -> Void)?
    /// The source of network changes to use if ``onNetworkAvailable`` is `nil`.
    package var clientPaths: NetworkReturnWaiter?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - maximumMessageSize: The largest message to receive, in bytes.
    ///   - pingInterval: The time without data from the server before a ping is sent, in seconds; `nil` sends no
    ///     pings.
    ///   - reconnectPolicy: The policy for reconnecting.
    public init(
        maximumMessageSize: Int = 16 * 1024 * 1024, pingInterval: TimeInterval? = 30,
        reconnectPolicy: WebSocketReconnectPolicy = .default
    ) {
        self.maximumMessageSize = maximumMessageSize
        self.pingInterval = pingInterval
        self.reconnectPolicy = reconnectPolicy
    }

    /// The source of network changes: ``onNetworkAvailable``, or else ``clientPaths``.
    package var paths: NetworkReturnWaiter? { onNetworkAvailable.map { NetworkReturnWaiter($0) } ?? clientPaths }

    /// The options for opening a single connection.
    package var link: WebSocketChannelOptions {
        var link = WebSocketChannelOptions()
        link.maximumMessageSize = max(0, maximumMessageSize)
        // An interval of 0 would send a ping after every received byte.
        link.pingInterval = pingInterval.map { max(Duration(clampingSeconds: $0), .milliseconds(1)) }
        link.pongTimeout = Duration(clampingSeconds: pongTimeout)
        link.closeTimeout = Duration(clampingSeconds: closeTimeout)
        link.compression = compression
        link.sendBufferSize = sendBufferSize
        link.maximumFrameSize = maximumFrameSize
        return link
    }
}

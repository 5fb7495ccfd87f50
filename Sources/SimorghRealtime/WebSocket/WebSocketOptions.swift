// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghNetwork
public import SimorghSupport

/// How a ``WebSocketConnection`` behaves.
public struct WebSocketOptions: Sendable {
    /// What becomes of a message that is sent while the connection is lost and comes back.
    public enum SendingWhileReconnecting: Sendable, Hashable {
        /// It fails at once, with ``WebSocketError/Code/notConnected``.
        case fail
        /// It waits for the connection, at most so long.
        case wait(upTo: Duration)
    }

    /// The largest message to receive, in bytes, after decompression; 16 MiB by default.
    ///
    /// A larger one ends the connection with 1009.
    public var maximumMessageSize: Int
    /// How long the server may be silent before it is sent a ping, in seconds; 30 by default, `nil` sends none.
    public var pingInterval: TimeInterval?
    /// Whether and when a lost connection is made again; up to 10 attempts with full jitter by default.
    public var reconnectPolicy: WebSocketReconnectPolicy

    /// How long the server may be silent after a ping before the connection counts as lost, in seconds; 10 by default.
    ///
    /// So long, too, ``WebSocketConnection/ping()`` waits for its answer.
    public var pongTimeout: TimeInterval = 10
    /// How long the server may take to say goodbye in return, in seconds; 10 by default.
    public var closeTimeout: TimeInterval = 10
    /// The compression that is offered (`permessage-deflate`); none by default.
    public var compression: WebSocketCompression?
    /// Whether messages are received in parts, of any size, by ``WebSocketConnection/messagesInParts()``, and not as events;
    /// off by default.
    public var receivesInParts = false
    /// How much is kept for an observer that is slower than the server, and what happens past that.
    public var buffer = WebSocketBuffer()
    /// What becomes of a message that is sent while the connection is lost and comes back; it fails at once by default.
    ///
    /// While the first connection is being made, what is sent waits for it.
    public var sendWhileReconnecting = SendingWhileReconnecting.fail
    /// Whether the upgrade request carries the client's credentials; on by default.
    public var allowsAuthentication = true
    /// How many bytes may wait to be written before whoever sends must wait; 1 MiB by default.
    public var sendBufferSize = 1024 * 1024
    /// The largest frame to send, in bytes; `nil`, the default, sends each message in one frame.
    public var maximumFrameSize: Int?
    /// Returns when there is a way to the network again: asked during each wait for a reconnection, which it ends early.
    ///
    /// `nil`, the default, asks the client's ``/SimorghCore/APIClient/Configuration/networkMonitor``. The task is cancelled when the wait is
    /// over.
    public var pathReturned: (@Sendable () async -> Void)?
    /// Who is asked where ``pathReturned`` is `nil`.
    package var clientPaths: PathWatch?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - maximumMessageSize: The largest message to receive, in bytes.
    ///   - pingInterval: How long the server may be silent before it is sent a ping, in seconds; `nil` sends none.
    ///   - reconnectPolicy: Whether and when a lost connection is made again.
    public init(
        maximumMessageSize: Int = 16 * 1024 * 1024, pingInterval: TimeInterval? = 30,
        reconnectPolicy: WebSocketReconnectPolicy = .default
    ) {
        self.maximumMessageSize = maximumMessageSize
        self.pingInterval = pingInterval
        self.reconnectPolicy = reconnectPolicy
    }

    /// Who knows whether a way to the network has come back.
    package var paths: PathWatch? { pathReturned.map { PathWatch($0) } ?? clientPaths }

    /// What one connection is opened with.
    package var link: WebSocketLinkOptions {
        var link = WebSocketLinkOptions()
        link.maximumMessageSize = max(0, maximumMessageSize)
        // No interval at all would be a ping after every byte.
        link.pingInterval = pingInterval.map { max(Duration(clampingSeconds: $0), .milliseconds(1)) }
        link.pongTimeout = Duration(clampingSeconds: pongTimeout)
        link.closeTimeout = Duration(clampingSeconds: closeTimeout)
        link.compression = compression
        link.sendBufferSize = sendBufferSize
        link.maximumFrameSize = maximumFrameSize
        return link
    }
}

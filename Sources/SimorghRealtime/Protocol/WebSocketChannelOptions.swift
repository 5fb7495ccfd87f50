// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The options of a single WebSocket connection.
public struct WebSocketChannelOptions: Sendable {
    /// The subprotocols to offer, in order of preference.
    ///
    /// Default: none.
    public var subprotocols: [String] = []
    /// The largest message to receive as a whole, in bytes after decompression.
    ///
    /// Default: 16 MiB.
    ///
    /// A larger message ends the connection with 1009, unless it is received in parts.
    public var maximumMessageSize = 16 * 1024 * 1024
    /// The compression to offer.
    ///
    /// Default: none.
    public var compression: WebSocketCompression?
    /// The time without data from the server before a ping is sent.
    ///
    /// Default: 30 seconds; `nil` sends no pings.
    public var pingInterval: Duration? = .seconds(30)
    /// The time without data after a ping before the connection counts as dead.
    ///
    /// Default: 10 seconds.
    ///
    /// Any received byte counts, not only the pong.
    public var pongTimeout: Duration = .seconds(10)
    /// The maximum wait for the server's close frame after this side has sent its own.
    ///
    /// Default: 10 seconds.
    public var closeTimeout: Duration = .seconds(10)
    /// The number of unread message bytes at which reading from the network pauses.
    ///
    /// Default: 1 MiB.
    ///
    /// Each message counts with 64 bytes of overhead, and a single message is always accepted. While reading is
    /// paused, pings are not answered either, so a slow consumer should take messages as they arrive, and buffer or
    /// drop them itself. A dead server is detected nevertheless: on Linux by the TCP state of the kernel.
    public var receiveBufferSize = 1024 * 1024
    /// The number of bytes that may wait to be written before `send` suspends its caller.
    ///
    /// Default: 1 MiB.
    public var sendBufferSize = 1024 * 1024
    /// The maximum payload of a frame to send, in bytes.
    ///
    /// Default: `nil`, which sends each message in one frame.
    public var maximumFrameSize: Int?
    /// A callback for each pong with its payload.
    ///
    /// It runs on a thread of the connection and must not block.
    public var onPong: (@Sendable (Data) -> Void)?
    /// The 16 bytes of `Sec-WebSocket-Key`; `nil` lets the transport generate them.
    package var key: [UInt8]?

    /// Creates the default options.
    public init() {}
}

extension WebSocketChannelOptions {
    /// The options, with invalid or too large values clamped to the nearest valid one.
    package var bounded: WebSocketChannelOptions {
        var options = self
        options.maximumMessageSize = min(max(options.maximumMessageSize, 0), 1 << 30)
        options.receiveBufferSize = max(options.receiveBufferSize, 1)
        options.sendBufferSize = max(options.sendBufferSize, 2)
        options.pingInterval = options.pingInterval.map { max($0, .milliseconds(1)) }
        return options
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// How one connection of a WebSocket behaves.
public struct WebSocketLinkOptions: Sendable {
    /// The protocols above WebSocket that are offered, the best first; none by default.
    public var subprotocols: [String] = []
    /// The largest message to receive whole, in bytes, after decompression; 16 MiB by default.
    ///
    /// A larger one ends the connection with 1009, unless it is taken in parts.
    public var maximumMessageSize = 16 * 1024 * 1024
    /// The compression that is offered; none by default.
    public var compression: WebSocketCompression?
    /// How long the server may be silent before it is sent a ping; 30 seconds by default, `nil` sends none.
    public var pingInterval: Duration? = .seconds(30)
    /// How long the server may be silent after a ping before the connection counts as dead; 10 seconds by default.
    ///
    /// Any byte that comes counts as life, not only the answer to the ping.
    public var pongTimeout: Duration = .seconds(10)
    /// How long the server may take to say goodbye in return; 10 seconds by default.
    public var closeTimeout: Duration = .seconds(10)
    /// How many bytes of messages may have come that nobody has taken yet, before no more is read from the network; 1 MiB
    /// by default.
    ///
    /// A message counts with 64 bytes more than it has, and one message is always taken in. As long as nothing is read,
    /// no ping is answered either: whoever may be slow takes messages as they come, and keeps or drops them. A server that
    /// is dead is found all the same, on Linux by what its kernel and this one say.
    public var receiveBufferSize = 1024 * 1024
    /// How many bytes may wait to be written before whoever sends must wait; 1 MiB by default.
    public var sendBufferSize = 1024 * 1024
    /// The largest frame to send, in bytes of its payload; `nil`, the default, sends each message in one frame.
    public var maximumFrameSize: Int?
    /// Told of each pong, with its payload, on a thread of the connection where nothing may wait.
    public var onPong: (@Sendable (Data) -> Void)?
    /// The sixteen bytes of `Sec-WebSocket-Key`, where they were chosen before the transport is asked; `nil` lets the
    /// transport choose them.
    package var key: [UInt8]?

    /// Creates the default options.
    public init() {}
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How the messages of a WebSocket are compressed (RFC 7692, `permessage-deflate`): what is offered to a server, and what
/// was agreed with it.
public struct WebSocketCompression: Sendable, Hashable {
    /// The size in bytes below which a message is sent as it is; 1024 by default.
    ///
    /// A short message gains nothing worth the work. What a server sends is undone whatever its size.
    public var threshold = 1024
    /// The most window bits that this side may use to compress, 9 to 15; 15 by default.
    ///
    /// Fewer save memory on both sides and compress less. A server may ask for fewer.
    public var clientMaximumWindowBits = 15
    /// The most window bits that the server is to use, 9 to 15; 15, which asks for nothing, by default.
    public var serverMaximumWindowBits = 15
    /// Whether this side forgets each message before the next, so that it needs no memory between them; off by default.
    public var clientForgetsContext = false
    /// Whether the server is to forget each message before the next; off by default.
    public var serverForgetsContext = false

    /// Creates the default compression.
    public init() {}

    /// The default compression.
    public static let deflate = WebSocketCompression()
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The parameters of message compression (RFC 7692, `permessage-deflate`), as offered or as agreed with the server.
public struct WebSocketCompression: Sendable, Hashable {
    /// The message size below which messages are sent uncompressed, in bytes.
    ///
    /// Default: 1024.
    ///
    /// Compressing a short message is not worth the work. Messages from the server are decompressed whatever their
    /// size.
    public var threshold = 1024
    /// The maximum number of LZ77 window bits that this side uses to compress, 9 to 15.
    ///
    /// Default: 15.
    ///
    /// Fewer bits need less memory on both sides and compress less. A server may ask for fewer.
    public var clientMaximumWindowBits = 15
    /// The maximum number of LZ77 window bits requested of the server, 9 to 15.
    ///
    /// Default: 15, which requests nothing.
    public var serverMaximumWindowBits = 15
    /// True if this side resets its compressor after each message, to save memory.
    ///
    /// Default: `false`.
    public var clientNoContextTakeover = false
    /// True if the server is asked to reset its compressor after each message.
    ///
    /// Default: `false`.
    public var serverNoContextTakeover = false

    /// Creates the default parameters.
    public init() {}

    /// The default parameters.
    public static let deflate = WebSocketCompression()
}

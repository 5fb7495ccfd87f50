// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How much is kept for one observer of a connection that is slower than the server, and what happens past that.
public struct WebSocketBuffer: Sendable, Hashable {
    /// What happens when an observer's buffer is full.
    public enum Overflow: Sendable, Hashable {
        /// The oldest event is dropped, and counted: ``WebSocketEvents/dropped``.
        case dropOldest
        /// Nothing more is read from the server until there is room.
        ///
        /// Nothing is lost, but past 2 MiB more what a server still sends after this side has closed; that is counted. But
        /// the server's pings wait behind its messages, and an observer that never reads stops all others: hold no stream
        /// that you do not read. Where the options say so, a connection that nobody has observed yet waits, too.
        case suspend
        /// The observer's stream ends in ``WebSocketError/Code/bufferOverflow``; the connection and others go on.
        case fail
    }

    /// The most events; 1,024 by default.
    public var events: Int
    /// The most bytes of messages together; 64 MiB by default.
    ///
    /// One message is kept whatever its size.
    public var bytes = 64 * 1024 * 1024
    /// What happens past that; the oldest event is dropped by default.
    public var overflow: Overflow

    /// Creates the bounds of a buffer.
    ///
    /// - Parameters:
    ///   - events: The most events, at least 1.
    ///   - overflow: What happens past that.
    public init(events: Int = 1024, overflow: Overflow = .dropOldest) {
        self.events = max(1, events)
        self.overflow = overflow
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The buffer of one observer that reads more slowly than the server sends, and its overflow policy.
public struct WebSocketBuffer: Sendable, Hashable {
    /// The policy for an observer's full buffer.
    public enum Overflow: Sendable, Hashable {
        /// Drops the oldest event and counts it in ``WebSocketEvents/dropped``.
        case dropOldest
        /// Stops reading from the server until the buffer has room.
        ///
        /// No event is lost, with one exception: of the messages that arrive after this side has closed the
        /// connection, up to 2 MiB beyond the bounds are kept; the rest is dropped and counted. The server's pings
        /// wait behind its messages, and an observer that never reads blocks all other observers, so do not hold a
        /// stream that you do not read. If the connection's own options use this policy, a connection that has no
        /// observer yet stops reading, too.
        case suspend
        /// Ends the observer's stream with ``WebSocketError/Code/bufferOverflow``.
        ///
        /// The connection and its other observers go on.
        case fail
    }

    /// The maximum number of events.
    ///
    /// Default: 1,024.
    public var events: Int
    /// The maximum number of message bytes in all.
    ///
    /// Default: 64 MiB.
    ///
    /// A single message is kept whatever its size.
    public var bytes = 64 * 1024 * 1024
    /// The overflow policy.
    ///
    /// Default: drop the oldest event.
    public var overflow: Overflow

    /// Creates a buffer description.
    ///
    /// - Parameters:
    ///   - events: The maximum number of events, at least 1.
    ///   - overflow: The overflow policy.
    public init(events: Int = 1024, overflow: Overflow = .dropOldest) {
        self.events = max(1, events)
        self.overflow = overflow
    }
}

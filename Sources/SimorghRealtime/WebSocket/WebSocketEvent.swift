// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An event of a ``WebSocketConnection``.
public enum WebSocketEvent: Sendable, Hashable {
    /// The connection is open, for the first time or again: the server has accepted the upgrade.
    case connected
    /// A message arrived.
    case message(WebSocketMessage)
    /// The connection was lost or could not be opened, and the next attempt follows after a delay in seconds.
    ///
    /// ``WebSocketEvents/reason`` of the stream has the error. Attempts are counted from 1; attempt 0 is
    /// ``WebSocketConnection/reconnect()``.
    case reconnecting(attempt: Int, delay: TimeInterval)
    /// The connection has ended, with the code and the reason of the close. This is the last event.
    case disconnected(code: WebSocketCloseCode, reason: String)
    /// The server answered a ping.
    case pong
}

/// The state of a ``WebSocketConnection``.
public enum WebSocketConnectionState: Sendable, Hashable {
    /// The connection was not started yet.
    case idle
    /// The connection is being opened.
    case connecting
    /// The connection is open.
    case connected
    /// The connection waits before the next attempt; the delay is in seconds.
    case reconnecting(attempt: Int, delay: TimeInterval)
    /// The connection has ended. Connecting starts it again.
    case disconnected
}

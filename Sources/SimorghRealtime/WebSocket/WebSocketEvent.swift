// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// Something that happened on a ``WebSocketConnection``.
public enum WebSocketEvent: Sendable, Hashable {
    /// The server has agreed to the upgrade: the connection stands, for the first time or again.
    case connected
    /// A message came.
    case message(WebSocketMessage)
    /// The connection was lost, or could not be made, and is tried again after a wait in seconds; why tells
    /// ``WebSocketEvents/reason`` of the stream that gave it.
    ///
    /// Attempts are counted from 1; attempt 0 is ``WebSocketConnection/reconnect()``.
    case reconnecting(attempt: Int, delay: TimeInterval)
    /// It is over, with the code and the reason of its close: the last event.
    case disconnected(code: WebSocketCloseCode, reason: String)
    /// The server answered a ping.
    case pong
}

/// What a ``WebSocketConnection`` is doing.
public enum WebSocketConnectionState: Sendable, Hashable {
    /// Nothing yet.
    case idle
    /// A connection is being made.
    case connecting
    /// The connection stands.
    case connected
    /// It waits before it connects again, in seconds.
    case reconnecting(attempt: Int, delay: TimeInterval)
    /// It is over, until somebody connects again.
    case disconnected
}

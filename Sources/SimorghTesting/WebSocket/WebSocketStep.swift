// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
public import SimorghRealtime

/// A step of a scripted WebSocket server, for the list of `StubResponse.webSocket`.
public enum WebSocketStep: Sendable {
    /// Waits for a message with this text.
    case expect(String)
    /// Waits for any message.
    case receive
    /// Sends a message.
    case send(WebSocketMessage)
    /// Waits until a gate is open.
    case wait(Gate)
    /// Sends a close frame.
    case close(WebSocketCloseCode, reason: String)
    /// Ends the connection without a close frame.
    case drop

    /// Sends a text.
    ///
    /// - Parameter text: The text.
    /// - Returns: The step.
    public static func send(_ text: String) -> WebSocketStep { .send(.text(text)) }
}

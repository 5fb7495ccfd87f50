// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
public import SimorghRealtime

/// One thing that a scripted WebSocket server does, as an item of a list given to `StubResponse.webSocket`.
public enum WebSocketStep: Sendable {
    /// Waits for a message that is this text.
    case expect(String)
    /// Waits for a message, whatever it says.
    case receive
    /// Sends a message.
    case send(WebSocketMessage)
    /// Waits until a gate is open.
    case wait(Gate)
    /// Says goodbye.
    case close(WebSocketCloseCode, reason: String)
    /// Ends the connection without a goodbye.
    case drop

    /// Sends a text.
    ///
    /// - Parameter text: The text.
    /// - Returns: The step.
    public static func send(_ text: String) -> WebSocketStep { .send(.text(text)) }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// A server's behavior for a WebSocket handshake.
package struct WebSocketScript: Sendable {
    package let subprotocol: @Sendable ([String]) -> String?
    package let run: @Sendable (MockSocket) async throws -> Void
}

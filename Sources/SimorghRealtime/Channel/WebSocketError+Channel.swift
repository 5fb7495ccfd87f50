// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension WebSocketError {
    package static let cancelled = WebSocketError(.cancelled, message: "the call was cancelled")
    package static let closing = WebSocketError(.closed, message: "the connection is closed, or about to be")
}

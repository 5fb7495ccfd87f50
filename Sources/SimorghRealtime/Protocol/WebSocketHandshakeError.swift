// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An error in the 101 response of a server; the underlying error of a `TransportError`.
public struct WebSocketHandshakeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of fault; a struct, so that a new reason does not break existing `switch` statements.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The name of the reason, stable across releases.
        public let description: String

        /// The header field `Upgrade` is not `websocket`.
        public static let upgrade = Reason(description: "upgrade")
        /// The header field `Connection` does not contain `Upgrade`.
        public static let connection = Reason(description: "connection")
        /// The header field `Sec-WebSocket-Accept` is missing, or does not match the key that was sent.
        public static let accept = Reason(description: "accept")
        /// The server selected a subprotocol that was not offered, or more than one.
        public static let subprotocol = Reason(description: "subprotocol")
        /// The server selected an extension that was not offered, or with invalid parameters.
        public static let extensions = Reason(description: "extensions")
    }

    /// The part of the response that is invalid.
    public let reason: Reason
    /// A human-readable description of the failure.
    public let description: String

    package init(_ reason: Reason, description: String) {
        self.reason = reason
        self.description = description
    }
}

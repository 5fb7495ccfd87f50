// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What is wrong with the answer of a server that agreed to speak WebSocket; the cause of a `TransportError`.
public struct WebSocketHandshakeFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of fault; a struct, so that a release that adds one breaks nobody's `switch`.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The reason's name, the same in every release.
        public let description: String

        /// The field `Upgrade` does not say `websocket`.
        public static let upgrade = Reason(description: "upgrade")
        /// The field `Connection` does not say `Upgrade`.
        public static let connection = Reason(description: "connection")
        /// The field `Sec-WebSocket-Accept` is missing, or not the answer to the key that was sent.
        public static let accept = Reason(description: "accept")
        /// The server chose a subprotocol that was not offered, or more than one.
        public static let subprotocol = Reason(description: "subprotocol")
        /// The server wants an extension that was not offered, or with parameters that it may not give.
        public static let extensions = Reason(description: "extensions")
    }

    /// Which part of the answer is at fault.
    public let reason: Reason
    /// What happened, in a sentence for a person.
    public let description: String

    package init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}

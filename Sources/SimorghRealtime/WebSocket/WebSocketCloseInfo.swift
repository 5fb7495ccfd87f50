// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A description of the end of a WebSocket connection.
public struct WebSocketCloseInfo: Sendable, Hashable {
    /// One of the two ends of a connection.
    public enum Side: Sendable, Hashable {
        /// This program.
        case local
        /// The server.
        case remote
    }

    /// The close code: the server's if it sent a close frame, otherwise the one that this side sent.
    ///
    /// It is 1005 if the close frame had no code, and 1006 if the connection ended without a close frame.
    public var code: WebSocketCloseCode
    /// The reason text, from the same side as the code; often empty.
    public var reason: String
    /// True if both sides exchanged close frames before the connection ended.
    public var isClean: Bool
    /// The side that sent the first close frame or gave up on the connection.
    public var initiator: Side
    /// The error that ended the connection; `nil` for a regular close.
    public var failure: WebSocketError?

    /// Creates a description of the end of a connection.
    ///
    /// - Parameters:
    ///   - code: The close code.
    ///   - reason: The reason text.
    ///   - isClean: True if both sides exchanged close frames.
    ///   - initiator: The side that ended the connection.
    ///   - failure: The error that ended the connection.
    public init(
        code: WebSocketCloseCode, reason: String = "", isClean: Bool, initiator: Side,
        failure: WebSocketError? = nil
    ) {
        self.code = code
        self.reason = reason
        self.isClean = isClean
        self.initiator = initiator
        self.failure = failure
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How a WebSocket ended.
public struct WebSocketClosure: Sendable, Hashable {
    /// One of the two ends of a connection.
    public enum Side: Sendable, Hashable {
        /// This program.
        case local
        /// The server.
        case remote
    }

    /// The code that came from the server, else the one that was sent; 1005 where there was none, 1006 where the
    /// connection ended without a goodbye.
    public var code: WebSocketCloseCode
    /// The reason in words, of the same side as the code; often empty.
    public var reason: String
    /// Whether both sides said goodbye, and the connection ended after that.
    public var isClean: Bool
    /// Who wanted it to end: who said goodbye first, or was the one to give up.
    public var initiator: Side
    /// What went wrong, where something did.
    public var failure: WebSocketError?

    /// Creates a closure.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - reason: The reason in words.
    ///   - isClean: Whether both sides said goodbye.
    ///   - initiator: Who wanted the end.
    ///   - failure: What went wrong.
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

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// Opens connections for WebSockets.
///
/// A client asks its own transport whether it is one; the engine is.
public protocol WebSocketTransport: Sendable {
    /// Opens a connection: name, address, proxy, TLS, and the request for the other protocol. One attempt.
    ///
    /// - Parameters:
    ///   - request: The request, a GET without a body, with scheme (`ws`, `wss`, or what they stand for), authority and
    ///     path. The fields of the handshake are the transport's.
    ///   - options: How the connection behaves.
    /// - Returns: The open connection, or the answer of a server that refused, with as much of its body as is wanted.
    /// - Throws: `TransportError`; one whose cause is a ``WebSocketHandshakeFailure`` for an answer that agrees in a way
    ///   that it may not. A cancelled task throws one with the code `cancelled`.
    func open(_ request: TransportRequest, _ options: WebSocketLinkOptions) async throws(TransportError)
        -> WebSocketOpening
}

/// What a server said to the opening of a WebSocket.
public enum WebSocketOpening: Sendable {
    /// The connection is open.
    case opened(any WebSocketLink)
    /// The server stays with HTTP: its answer.
    case refused(TransportResponse)
}

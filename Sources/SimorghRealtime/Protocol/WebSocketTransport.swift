// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A transport that can open WebSocket connections.
///
/// A client checks if its own transport conforms to this protocol; the built-in engine does, and on Apple platforms
/// the `URLSessionTransport` of `SimorghURLSession`.
public protocol WebSocketTransport: Sendable {
    /// Opens a connection in one attempt: name resolution, TCP, proxy, TLS and the upgrade request.
    ///
    /// - Parameters:
    ///   - request: The request, a GET without a body, with scheme (`ws`, `wss`, or their HTTP equivalents),
    ///     authority and path. The transport adds the handshake fields.
    ///   - options: The options of the connection.
    /// - Returns: The open connection, or the response of a server that refused, with its body up to the requested
    ///   limit.
    /// - Throws: `TransportError`; its underlying error is a ``WebSocketHandshakeError`` if the server accepted the
    ///   upgrade with an invalid response. A cancelled task throws one with the code `cancelled`.
    func open(_ request: TransportRequest, options: WebSocketChannelOptions) async throws(TransportError)
        -> WebSocketOpenResult
}

/// The outcome of opening a WebSocket.
public enum WebSocketOpenResult: Sendable {
    /// The connection is open.
    case opened(any WebSocketChannel)
    /// The server refused the upgrade with this HTTP response.
    case refused(TransportResponse)
}

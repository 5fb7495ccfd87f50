// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import SimorghSupport

/// Translates the errors of a session's WebSocket task.
enum SessionWebSocketErrors {
    /// Returns the error for a connection that broke off.
    ///
    /// - Parameter error: The error of the task, if any.
    /// - Returns: The error.
    static func loss(_ error: (any Error)?) -> WebSocketError {
        let message = error.map { "the connection ended: \($0.localizedDescription)" }
        return WebSocketError(
            .connectionLost, message: message ?? "connection ended without a close frame",
            closeCode: .abnormalClosure, underlying: error)
    }

    /// Returns the error for a `receive` that failed.
    ///
    /// - Parameters:
    ///   - error: The error of the task.
    ///   - limit: The largest message that the task accepts, in bytes.
    /// - Returns: The error.
    static func receiving(_ error: any Error, limit: Int) -> WebSocketError {
        switch (error as? POSIXError)?.code {
        case .EMSGSIZE: WebSocketProtocolError.tooLarge(limit: limit).error
        case .EPROTO: WebSocketProtocolError.violation("URLSession says: \(error.localizedDescription)").error
        default: loss(error)
        }
    }
}

extension WebSocketError {
    static let closing = WebSocketError(.closed, message: "the connection is closed, or about to be")
    static let cancelledCall = WebSocketError(.cancelled, message: "the call was cancelled")
    static let alreadyReading = WebSocketError(
        .alreadyReading, message: "another task is already receiving from this connection")
}

extension WebSocketHandshakeError {
    /// Returns the error for a server that selected a subprotocol that the request does not offer.
    static func unofferedSubprotocol(_ name: String) -> WebSocketHandshakeError {
        let shown = LogText.oneLine(String(Redaction.shown(protocols: name).prefix(200)))
        return WebSocketHandshakeError(
            .subprotocol,
            description: name.isEmpty
                ? "the header field Sec-WebSocket-Protocol of the response is empty"
                : "the server selected the subprotocol \(shown), which was not offered")
    }
}

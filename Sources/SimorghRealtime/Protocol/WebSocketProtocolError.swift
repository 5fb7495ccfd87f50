// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A violation by the server that ends the connection.
package enum WebSocketProtocolError: Error, Sendable, Hashable {
    /// A violation of the WebSocket protocol.
    case violation(String)
    /// A text message that is not valid UTF-8.
    case invalidText
    /// Compressed data that cannot be decompressed.
    case invalidData(String)
    /// A message larger than the limit.
    case tooLarge(limit: Int)

    /// The code for the close frame to the server.
    package var closeCode: WebSocketCloseCode {
        switch self {
        case .violation: .protocolError
        case .invalidText, .invalidData: .invalidPayload
        case .tooLarge: .messageTooBig
        }
    }

    /// The reason for the close frame to the server.
    package var reason: String {
        switch self {
        case .violation(let reason), .invalidData(let reason): reason
        case .invalidText: "the text is not valid UTF-8"
        case .tooLarge(let limit): "the message exceeds maximumMessageSize of \(limit) bytes"
        }
    }

    package var error: WebSocketError {
        let code: WebSocketError.Code =
            switch self {
            case .violation: .protocolViolation
            case .invalidText, .invalidData: .invalidPayload
            case .tooLarge: .messageTooLarge
            }
        return WebSocketError(code, message: reason, closeCode: closeCode)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What a server sent that ends the connection.
package enum WebSocketFault: Error, Sendable, Hashable {
    /// A rule of the protocol was broken.
    case violation(String)
    /// Text that is no UTF-8.
    case invalidText
    /// Compressed data that cannot be undone.
    case invalidData(String)
    /// A message larger than the bound.
    case tooLarge(limit: Int)

    /// The code that tells the server.
    package var closeCode: WebSocketCloseCode {
        switch self {
        case .violation: .protocolError
        case .invalidText, .invalidData: .invalidPayload
        case .tooLarge: .messageTooBig
        }
    }

    /// The reason that tells the server, in words.
    package var reason: String {
        switch self {
        case .violation(let reason), .invalidData(let reason): reason
        case .invalidText: "the text is not valid UTF-8"
        case .tooLarge(let limit): "the message is larger than the bound of \(limit) bytes"
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

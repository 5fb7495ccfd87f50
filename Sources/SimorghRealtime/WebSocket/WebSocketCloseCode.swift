// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The status code of a WebSocket close frame (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// The numeric code.
    public let rawValue: UInt16

    /// Creates a close code from a number.
    ///
    /// - Parameter rawValue: The number; ``isSendable`` is true if it may be sent.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Creates a close code from an integer literal.
    ///
    /// - Parameter value: The number; ``isSendable`` is true if it may be sent.
    public init(integerLiteral value: UInt16) { self.init(rawValue: value) }

    /// Normal closure (1000): the purpose of the connection has been fulfilled.
    public static let normal: WebSocketCloseCode = 1000
    /// Going away (1001): the server shuts down, or the user left the page or app.
    public static let goingAway: WebSocketCloseCode = 1001
    /// Protocol error (1002).
    public static let protocolError: WebSocketCloseCode = 1002
    /// Unsupported data (1003): the endpoint received a kind of message that it does not accept.
    public static let unsupportedData: WebSocketCloseCode = 1003
    /// No status received (1005): the close frame had no code.
    ///
    /// Never sent.
    public static let noStatusReceived: WebSocketCloseCode = 1005
    /// Abnormal closure (1006): the connection ended without a close frame.
    ///
    /// Never sent.
    public static let abnormalClosure: WebSocketCloseCode = 1006
    /// Invalid payload (1007): the content does not match the message type, such as text that is not valid UTF-8.
    public static let invalidPayload: WebSocketCloseCode = 1007
    /// Policy violation (1008): the message violates a policy of the endpoint that closes.
    public static let policyViolation: WebSocketCloseCode = 1008
    /// Message too big (1009).
    public static let messageTooBig: WebSocketCloseCode = 1009
    /// Mandatory extension missing (1010): the server did not agree to an extension that the client requires.
    public static let mandatoryExtensionMissing: WebSocketCloseCode = 1010
    /// Internal error (1011): the server met an unexpected condition.
    public static let internalError: WebSocketCloseCode = 1011
    /// Service restart (1012).
    public static let serviceRestart: WebSocketCloseCode = 1012
    /// Try again later (1013): the server is overloaded.
    public static let tryAgainLater: WebSocketCloseCode = 1013
    /// Bad gateway (1014): a gateway received an invalid response from its upstream server.
    public static let badGateway: WebSocketCloseCode = 1014
    /// TLS handshake failure (1015).
    ///
    /// Never sent.
    public static let tlsHandshakeFailure: WebSocketCloseCode = 1015

    /// True if the code may appear in a close frame: 1000 to 1003, 1007 to 1014, and 3000 to 4999.
    public var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// The number as text.
    public var description: String { "\(rawValue)" }
}

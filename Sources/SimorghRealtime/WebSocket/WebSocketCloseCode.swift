// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Why a WebSocket was closed, as a number (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// The number.
    public let rawValue: UInt16

    /// Creates a code.
    ///
    /// - Parameter rawValue: The number; whether it may be sent tells ``isSendable``.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Creates a code.
    ///
    /// - Parameter value: The number; whether it may be sent tells ``isSendable``.
    public init(integerLiteral value: UInt16) { self.init(rawValue: value) }

    /// What the connection was for is done.
    public static let normal: WebSocketCloseCode = 1000
    /// A server shuts down, or a user has left.
    public static let goingAway: WebSocketCloseCode = 1001
    /// A rule of the protocol was broken.
    public static let protocolError: WebSocketCloseCode = 1002
    /// A kind of message came that is not taken.
    public static let unsupportedData: WebSocketCloseCode = 1003
    /// The other side gave no code; never sent.
    public static let noStatusReceived: WebSocketCloseCode = 1005
    /// The connection ended without a goodbye; never sent.
    public static let abnormalClosure: WebSocketCloseCode = 1006
    /// What a message says is not what its kind is: text that is no UTF-8.
    public static let invalidPayload: WebSocketCloseCode = 1007
    /// A rule of the one who closes was broken.
    public static let policyViolation: WebSocketCloseCode = 1008
    /// A message is larger than is taken.
    public static let messageTooBig: WebSocketCloseCode = 1009
    /// The server lacks an extension that the client wants.
    public static let mandatoryExtensionMissing: WebSocketCloseCode = 1010
    /// The server failed.
    public static let internalError: WebSocketCloseCode = 1011
    /// The server starts anew.
    public static let serviceRestart: WebSocketCloseCode = 1012
    /// The server has too much to do.
    public static let tryAgainLater: WebSocketCloseCode = 1013
    /// A server in between got no good answer.
    public static let badGateway: WebSocketCloseCode = 1014
    /// TLS could not be set up; never sent.
    public static let tlsHandshakeFailure: WebSocketCloseCode = 1015

    /// Whether the code may stand in a close frame: 1000 to 1003, 1007 to 1014, and 3000 to 4999.
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

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The reason for the end of a stream or a connection (RFC 9113, section 7).
package struct HTTP2ErrorCode: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt32

    package init(_ rawValue: UInt32) { self.rawValue = rawValue }

    package static let noError = HTTP2ErrorCode(0)
    package static let protocolError = HTTP2ErrorCode(1)
    package static let internalError = HTTP2ErrorCode(2)
    package static let flowControlError = HTTP2ErrorCode(3)
    package static let settingsTimeout = HTTP2ErrorCode(4)
    package static let streamClosed = HTTP2ErrorCode(5)
    package static let frameSizeError = HTTP2ErrorCode(6)
    package static let refusedStream = HTTP2ErrorCode(7)
    package static let cancel = HTTP2ErrorCode(8)
    package static let compressionError = HTTP2ErrorCode(9)
    package static let connectError = HTTP2ErrorCode(10)
    package static let enhanceYourCalm = HTTP2ErrorCode(11)
    package static let inadequateSecurity = HTTP2ErrorCode(12)
    package static let http11Required = HTTP2ErrorCode(13)

    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    /// The code's name in the RFC, or its number.
    package var description: String {
        Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : "error \(rawValue)"
    }
}

/// A protocol violation of the peer that ends the connection: the code to send in GOAWAY and the reason for our own
/// error.
package struct HTTP2ProtocolError: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: HTTP2ErrorCode
    package let reason: String

    package init(_ code: HTTP2ErrorCode, reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "\(code): \(reason)" }
}

/// The peer's end of a stream or of the connection, with its error code.
package struct HTTP2ClosedByPeerError: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: HTTP2ErrorCode
    /// True for the connection (GOAWAY), false for a stream (RST_STREAM).
    package let isConnection: Bool

    package init(_ code: HTTP2ErrorCode, isConnection: Bool) {
        self.code = code
        self.isConnection = isConnection
    }

    package var description: String { "\(isConnection ? "GOAWAY" : "RST_STREAM") with \(code)" }
}

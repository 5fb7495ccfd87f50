// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// A frame received from the peer, as far as a client needs it (RFC 9113, section 6).
package enum HTTP2Frame: Equatable, Sendable {
    /// A part of a body.
    ///
    /// - flow: The bytes that count against the windows: body and padding.
    /// - isEmptyFrame: True if the whole frame has no body bytes.
    case data(stream: UInt32, ByteBuffer, flow: Int, endsStream: Bool, isEmptyFrame: Bool)
    /// A complete field block, assembled from its frames.
    case headers(stream: UInt32, block: ByteBuffer, endsStream: Bool)
    case reset(stream: UInt32, HTTP2ErrorCode)
    case settings([HTTP2Setting])
    case settingsAcknowledged
    case ping(UInt64, isAnswer: Bool)
    case goAway(last: UInt32, HTTP2ErrorCode)
    case windowUpdate(stream: UInt32, UInt32)
    /// A frame without effect on a client: PRIORITY or an unknown type.
    case other
}

/// A setting of a SETTINGS frame.
package struct HTTP2Setting: Equatable, Sendable {
    package enum Name: UInt16, Sendable {
        case headerTableSize = 1
        case enablePush = 2
        case maxConcurrentStreams = 3
        case initialWindowSize = 4
        case maxFrameSize = 5
        case maxHeaderListSize = 6
    }

    package let id: UInt16
    package let value: UInt32

    package init(id: UInt16, value: UInt32) {
        self.id = id
        self.value = value
    }

    package init(_ name: Name, value: UInt32) {
        id = name.rawValue
        self.value = value
    }
}

/// The types of frames (RFC 9113, section 6).
enum HTTP2FrameType {
    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let priority: UInt8 = 2
    static let reset: UInt8 = 3
    static let settings: UInt8 = 4
    static let pushPromise: UInt8 = 5
    static let ping: UInt8 = 6
    static let goAway: UInt8 = 7
    static let windowUpdate: UInt8 = 8
    static let continuation: UInt8 = 9
}

/// The flags of frames; the meaning of a bit depends on the frame's type (RFC 9113, section 6).
enum HTTP2Flag {
    static let endStream: UInt8 = 0x1
    static let acknowledged: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4
    static let padded: UInt8 = 0x8
    static let hasPriority: UInt8 = 0x20
}

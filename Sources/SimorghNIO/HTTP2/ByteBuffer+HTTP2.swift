// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Writes frames as a client sends them.
extension ByteBuffer {
    mutating func writeFrameHeader(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, length: Int) {
        writeMultipleIntegers(UInt32(truncatingIfNeeded: length) << 8 | UInt32(type), flags, stream)
    }

    /// Writes the client connection preface (RFC 9113, section 3.4).
    mutating func writePreface() { writeStaticString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") }

    mutating func writeSettings(_ settings: [HTTP2Setting]) {
        writeFrameHeader(HTTP2FrameType.settings, length: settings.count * 6)
        for setting in settings { writeMultipleIntegers(setting.id, setting.value) }
    }

    mutating func writeSettingsAcknowledgement() {
        writeFrameHeader(HTTP2FrameType.settings, flags: HTTP2Flag.acknowledged, length: 0)
    }

    mutating func writePing(_ data: UInt64, isAnswer: Bool) {
        writeFrameHeader(HTTP2FrameType.ping, flags: isAnswer ? HTTP2Flag.acknowledged : 0, length: 8)
        writeInteger(data)
    }

    mutating func writeWindowUpdate(_ increment: Int, stream: UInt32) {
        writeFrameHeader(HTTP2FrameType.windowUpdate, stream: stream, length: 4)
        writeInteger(UInt32(truncatingIfNeeded: increment))
    }

    mutating func writeReset(_ code: HTTP2ErrorCode, stream: UInt32) {
        writeFrameHeader(HTTP2FrameType.reset, stream: stream, length: 4)
        writeInteger(code.rawValue)
    }

    mutating func writeGoAway(_ code: HTTP2ErrorCode) {
        // The last stream ID is 0: the server cannot open streams, since push is disabled.
        writeFrameHeader(HTTP2FrameType.goAway, length: 8)
        writeMultipleIntegers(UInt32(0), code.rawValue)
    }

    /// Writes a field block as HEADERS and CONTINUATION frames of at most the peer's maximum frame size.
    mutating func writeFields(_ block: ByteBuffer, stream: UInt32, endsStream: Bool, maximumFrameSize: Int) {
        var rest = block
        var type = HTTP2FrameType.headers
        repeat {
            let count = min(rest.readableBytes, maximumFrameSize)
            var flags: UInt8 = count == rest.readableBytes ? HTTP2Flag.endHeaders : 0
            if type == HTTP2FrameType.headers, endsStream { flags |= HTTP2Flag.endStream }
            writeFrameHeader(type, flags: flags, stream: stream, length: count)
            if var part = rest.readSlice(length: count) { writeBuffer(&part) }
            type = HTTP2FrameType.continuation
        } while rest.readableBytes > 0
    }
}

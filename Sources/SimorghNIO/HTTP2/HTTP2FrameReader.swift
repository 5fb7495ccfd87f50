// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Parses the server's bytes into frames: a value that takes bytes and returns one frame at a time.
///
/// The bytes of a body are returned as they arrive, even if their frame is incomplete. Other frames are returned when
/// they are complete, a field block with its last frame. The buffer therefore holds at most one frame of 16 KiB or one
/// field block of the permitted size.
package struct HTTP2FrameReader: Sendable {
    /// The largest frame that we accept, in bytes: the minimum that RFC 9113 requires.
    package static let maximumFrameSize = 16 * 1024
    /// The largest compressed field block, in bytes.
    package static let maximumBlockSize = 256 * 1024
    /// The maximum number of CONTINUATION frames of a field block.
    package static let maximumContinuations = 128

    private enum State: Sendable {
        case header
        /// Inside a DATA frame; its padding follows.
        case data(stream: UInt32, left: Int, padding: Int, endsStream: Bool)
        case skip(Int)
    }

    private struct Block: Sendable {
        let stream: UInt32
        let endsStream: Bool
        var bytes: ByteBuffer
        var size: Int
        var continuations = 0
    }

    private struct Header {
        let length: Int
        let type: UInt8
        let flags: UInt8
        let stream: UInt32

        func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
    }

    private var state = State.header
    private var block: Block?
    /// The wire size of the last returned frame, in bytes, with its header and padding.
    ///
    /// For a body that is returned in parts, the size of the last part.
    package private(set) var size = 0

    package init() {}

    /// Reads the next frame.
    ///
    /// - Parameter buffer: The unread bytes; the bytes of the frame are removed.
    /// - Returns: The frame; `nil` if there are not enough bytes for one.
    /// - Throws: ``HTTP2ProtocolError``. The reader must not be used afterwards.
    package mutating func next(_ buffer: inout ByteBuffer) throws(HTTP2ProtocolError) -> HTTP2Frame? {
        while true {
            switch state {
            case .skip(let rest):
                let count = min(rest, buffer.readableBytes)
                buffer.moveReaderIndex(forwardBy: count)
                guard count == rest else {
                    state = .skip(rest - count)
                    return nil
                }
                state = .header
            case .data(let stream, let left, let padding, let endsStream):
                guard buffer.readableBytes > 0, let part = buffer.readSlice(length: min(left, buffer.readableBytes))
                else { return nil }
                size = part.readableBytes
                let rest = left - part.readableBytes
                if rest > 0 {
                    state = .data(stream: stream, left: rest, padding: padding, endsStream: endsStream)
                } else {
                    state = padding > 0 ? .skip(padding) : .header
                }
                return .data(
                    stream: stream, part, flow: part.readableBytes, endsStream: endsStream && rest == 0,
                    isEmptyFrame: false)
            case .header:
                guard let header = try Self.header(buffer) else { return nil }
                try check(header)
                if header.type == HTTP2FrameType.data {
                    guard let frame = try readData(header, from: &buffer) else { return nil }
                    return frame
                }
                guard buffer.readableBytes >= 9 + header.length else { return nil }
                buffer.moveReaderIndex(forwardBy: 9)
                guard var payload = buffer.readSlice(length: header.length) else { return nil }
                if let frame = try read(header, payload: &payload) { return frame }
            }
        }
    }

    private static func header(_ buffer: ByteBuffer) throws(HTTP2ProtocolError) -> Header? {
        let start = buffer.readerIndex
        guard let first = buffer.getInteger(at: start, as: UInt32.self),
            let flags = buffer.getInteger(at: start + 4, as: UInt8.self),
            let stream = buffer.getInteger(at: start + 5, as: UInt32.self)
        else { return nil }
        let length = Int(first >> 8)
        guard length <= maximumFrameSize else {
            throw HTTP2ProtocolError(.frameSizeError, reason: "frame of \(length) bytes is too large")
        }
        return Header(length: length, type: UInt8(first & 0xFF), flags: flags, stream: stream & 0x7FFF_FFFF)
    }

    /// Rejects a frame that is not allowed at this point, before its payload has arrived.
    private func check(_ header: Header) throws(HTTP2ProtocolError) {
        if let block {
            guard header.type == HTTP2FrameType.continuation, header.stream == block.stream else {
                throw HTTP2ProtocolError(
                    .protocolError, reason: "another frame interrupted a field block: CONTINUATION expected")
            }
            return
        }
        switch header.type {
        case HTTP2FrameType.data, HTTP2FrameType.headers, HTTP2FrameType.priority, HTTP2FrameType.reset:
            guard header.stream != 0 else {
                throw HTTP2ProtocolError(.protocolError, reason: "a stream's frame has stream ID 0")
            }
        case HTTP2FrameType.settings, HTTP2FrameType.ping, HTTP2FrameType.goAway:
            guard header.stream == 0 else {
                throw HTTP2ProtocolError(.protocolError, reason: "SETTINGS, PING or GOAWAY with a stream ID")
            }
        case HTTP2FrameType.pushPromise:
            throw HTTP2ProtocolError(.protocolError, reason: "PUSH_PROMISE although push is disabled")
        case HTTP2FrameType.continuation:
            throw HTTP2ProtocolError(.protocolError, reason: "CONTINUATION without HEADERS")
        default: break
        }
    }

    private mutating func readData(
        _ header: Header, from buffer: inout ByteBuffer
    ) throws(HTTP2ProtocolError) -> HTTP2Frame? {
        var (left, padding, overhead) = (header.length, 0, 0)
        if header.has(HTTP2Flag.padded) {
            guard left > 0 else {
                throw HTTP2ProtocolError(.frameSizeError, reason: "a padded frame without a padding length")
            }
            guard let count = buffer.getInteger(at: buffer.readerIndex + 9, as: UInt8.self) else { return nil }
            guard Int(count) < left else {
                throw HTTP2ProtocolError(.protocolError, reason: "the padding is longer than the frame")
            }
            padding = Int(count)
            overhead = padding + 1
            left -= overhead
        }
        buffer.moveReaderIndex(forwardBy: 9 + (overhead > 0 ? 1 : 0))
        let endsStream = header.has(HTTP2Flag.endStream)
        let part = buffer.readSlice(length: min(left, buffer.readableBytes)) ?? ByteBuffer()
        size = 9 + overhead + part.readableBytes
        let rest = left - part.readableBytes
        if rest > 0 {
            state = .data(stream: header.stream, left: rest, padding: padding, endsStream: endsStream)
        } else if padding > 0 {
            state = .skip(padding)
        }
        return .data(
            stream: header.stream, part, flow: part.readableBytes + overhead, endsStream: endsStream && rest == 0,
            isEmptyFrame: left == 0)
    }

    /// Reads a complete frame.
    ///
    /// Returns `nil` if more frames belong to its field block.
    private mutating func read(_ header: Header, payload: inout ByteBuffer) throws(HTTP2ProtocolError) -> HTTP2Frame? {
        switch header.type {
        case HTTP2FrameType.headers: return try readHeaders(header, payload: &payload)
        case HTTP2FrameType.continuation: return try readContinuation(header, payload: &payload)
        case HTTP2FrameType.reset:
            guard payload.readableBytes == 4, let code = payload.readInteger(as: UInt32.self) else {
                throw Self.wrongSize("RST_STREAM")
            }
            return .reset(stream: header.stream, HTTP2ErrorCode(code))
        case HTTP2FrameType.settings: return try Self.readSettings(header, payload: &payload)
        case HTTP2FrameType.ping:
            guard payload.readableBytes == 8, let data = payload.readInteger(as: UInt64.self) else {
                throw Self.wrongSize("PING")
            }
            return .ping(data, isAnswer: header.has(HTTP2Flag.acknowledged))
        case HTTP2FrameType.goAway:
            guard let last = payload.readInteger(as: UInt32.self), let code = payload.readInteger(as: UInt32.self)
            else { throw Self.wrongSize("GOAWAY") }
            return .goAway(last: last & 0x7FFF_FFFF, HTTP2ErrorCode(code))
        case HTTP2FrameType.windowUpdate:
            guard payload.readableBytes == 4, let increment = payload.readInteger(as: UInt32.self) else {
                throw Self.wrongSize("WINDOW_UPDATE")
            }
            return .windowUpdate(stream: header.stream, increment & 0x7FFF_FFFF)
        default: return .other
        }
    }

    private mutating func readHeaders(
        _ header: Header, payload: inout ByteBuffer
    ) throws(HTTP2ProtocolError) -> HTTP2Frame? {
        var padding = 0
        if header.has(HTTP2Flag.padded) {
            guard let count = payload.readInteger(as: UInt8.self) else { throw Self.wrongSize("HEADERS") }
            padding = Int(count)
        }
        if header.has(HTTP2Flag.hasPriority) {
            guard payload.readableBytes >= 5 else { throw Self.wrongSize("HEADERS") }
            payload.moveReaderIndex(forwardBy: 5)
        }
        guard let bytes = payload.readSlice(length: payload.readableBytes - min(padding, payload.readableBytes)),
            payload.readableBytes == padding
        else { throw HTTP2ProtocolError(.protocolError, reason: "the padding is longer than the frame") }
        let endsStream = header.has(HTTP2Flag.endStream)
        size = 9 + header.length
        if header.has(HTTP2Flag.endHeaders) {
            return .headers(stream: header.stream, block: bytes, endsStream: endsStream)
        }
        block = Block(stream: header.stream, endsStream: endsStream, bytes: bytes, size: size)
        return nil
    }

    private mutating func readContinuation(
        _ header: Header, payload: inout ByteBuffer
    ) throws(HTTP2ProtocolError) -> HTTP2Frame? {
        guard var block = block.take() else { return nil }
        block.continuations += 1
        block.size += 9 + header.length
        guard block.continuations <= Self.maximumContinuations,
            block.bytes.readableBytes + payload.readableBytes <= Self.maximumBlockSize
        else {
            throw HTTP2ProtocolError(
                .enhanceYourCalm, reason: "a field block has too many CONTINUATION frames or bytes")
        }
        block.bytes.writeBuffer(&payload)
        if header.has(HTTP2Flag.endHeaders) {
            size = block.size
            return .headers(stream: block.stream, block: block.bytes, endsStream: block.endsStream)
        }
        self.block = block
        return nil
    }

    private static func readSettings(
        _ header: Header, payload: inout ByteBuffer
    ) throws(HTTP2ProtocolError) -> HTTP2Frame {
        if header.has(HTTP2Flag.acknowledged) {
            guard payload.readableBytes == 0 else { throw wrongSize("SETTINGS") }
            return .settingsAcknowledged
        }
        guard payload.readableBytes.isMultiple(of: 6) else { throw wrongSize("SETTINGS") }
        var settings: [HTTP2Setting] = []
        while let id = payload.readInteger(as: UInt16.self), let value = payload.readInteger(as: UInt32.self) {
            settings.append(HTTP2Setting(id: id, value: value))
        }
        return .settings(settings)
    }

    private static func wrongSize(_ type: String) -> HTTP2ProtocolError {
        HTTP2ProtocolError(.frameSizeError, reason: "\(type) frame with an invalid length")
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHPACK
import SimorghCore
import SimorghNIO
import SimorghRealtime

extension FuzzTarget {
    /// HTTP/2 frames: read alike however the bytes are split.
    static let http2Frames = FuzzTarget(name: "http2-frames") { bytes in
        let piece = 1 + bytes.below(32)
        let input = bytes.rest
        let whole = FrameReading(input, piece: max(1, input.count))
        precondition(FrameReading(input, piece: piece) == whole, "read differently in pieces")
    }

    /// An HTTP/2 session that receives any frames in any order: its limits hold, and its output is readable.
    static let http2Session = FuzzTarget(name: "http2-session") { bytes in
        var limits = HTTP2ConnectionStateMachine<Int>.Limits()
        limits.streams = 1 + bytes.below(8)
        limits.uselessFrames = 64
        let streams = bytes.below(8)
        let upload = bytes.below(256) * 64
        var session = HTTP2ConnectionStateMachine<Int>(limits: limits)
        var output = session.takeOutput() ?? ByteBuffer()
        output.moveReaderIndex(forwardBy: 24)
        var check = FrameReading()
        check.take(&output)
        var input = ByteBuffer(bytes: bytes.rest)
        var reader = HTTP2FrameReader()
        var now = NIODeadline.uptimeNanoseconds(1)
        for payload in 0..<streams {
            _ = session.open(payload, block: ByteBuffer(bytes: [0x82]), endsStream: payload % 2 == 0)
        }
        do throws(HTTP2ProtocolError) {
            while let frame = try reader.next(&input) {
                now = now + .milliseconds(1)
                try session.receivedFrame(frame)
                try session.take(frame, now)
                for id in stride(from: UInt32(1), to: UInt32(2 * streams), by: 2) {
                    let sendable = session.sendable(id)
                    precondition((0...HTTP2ConnectionStateMachine<Int>.maximumWindow).contains(sendable))
                    let sent = session.send(
                        id, bytes: [UInt8](repeating: 1, count: min(upload, 4096)), endsStream: sendable > 8192)
                    precondition(sent <= sendable, "more was sent than the windows allow")
                }
                precondition(session.count <= 8)
                precondition((0...limits.streams).contains(session.capacity))
                if var output = session.takeOutput() {
                    check.take(&output)
                    precondition(output.readableBytes == 0, "an incomplete frame was written")
                }
            }
        } catch {
            session.goAway(error.code)
        }
        precondition(!check.isRefused, "the output cannot be read")
        _ = session.removeAll()
        precondition(session.count == 0)
    }

    /// Field blocks: a cached block decodes like a new one, and a head contains only valid fields.
    static let http2Fields = FuzzTarget(name: "http2-fields") { bytes in
        let isHead = bytes.below(2) == 0
        let isEnd = bytes.below(2) == 0
        let repeats = 1 + bytes.below(3)
        var cache = HeaderBlockCache<HPACKHeaders>()
        var plain = HPACKDecoder(allocator: ByteBufferAllocator())
        for part in bytes.rest.split(separator: 0xFF, omittingEmptySubsequences: true) {
            let block = ByteBuffer(bytes: part)
            for _ in 0..<repeats {
                var rest = block
                let expected = try? plain.decodeHeaders(from: &rest)
                let fields: HPACKHeaders?
                if let known = cache.repetition(block) {
                    cache.usedRepetition()
                    fields = known
                } else {
                    fields = try? cache.decode(block)
                    if let fields { cache.store(fields, of: block) }
                }
                precondition(fields == expected, "a cached block decodes differently")
                // A connection ends with the first unreadable block.
                guard let fields else { return }
                let limits = ResponseLimits()
                if let head = try? HTTP2HeadReader.head(of: fields, isHead: isHead, isEnd: isEnd, limits: limits) {
                    precondition((100...999).contains(head.shape.status) && head.shape.status != 101)
                    for field in head.response.headerFields {
                        precondition(field.withUnsafeBytesOfValue { $0.allSatisfy(HeaderRules.isReceivableByte) })
                        precondition(field.name.rawName.utf8.allSatisfy(HeaderRules.isTokenByte))
                    }
                }
                _ = try? HTTP2HeadReader.trailers(of: fields, limits: limits)
            }
        }
    }
}

/// The frames that a reader produced, with the parts of one body joined.
private struct FrameReading: Equatable {
    var frames: [HTTP2Frame] = []
    var isRefused = false
    private var reader = HTTP2FrameReader()

    init() {}

    init(_ bytes: [UInt8], piece: Int) {
        var buffer = ByteBuffer()
        var rest = bytes[...]
        while !rest.isEmpty, !isRefused {
            buffer.writeBytes(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            take(&buffer)
        }
    }

    mutating func take(_ buffer: inout ByteBuffer) {
        do {
            while let frame = try reader.next(&buffer) { append(frame) }
        } catch {
            isRefused = true
        }
    }

    private mutating func append(_ frame: HTTP2Frame) {
        guard case .data(let id, let part, let flow, let ends, false) = frame,
            case .data(let last, var whole, let taken, false, false)? = frames.last, id == last
        else { return frames.append(frame) }
        whole.writeImmutableBuffer(part)
        frames[frames.count - 1] = .data(
            stream: id, whole, flow: taken + flow, endsStream: ends, isEmptyFrame: false)
    }

    static func == (left: FrameReading, right: FrameReading) -> Bool {
        left.isRefused == right.isRefused && left.frames == right.frames
    }
}

extension HTTP2ConnectionStateMachine<Int> {
    /// Handles a frame as the owner of a session does.
    fileprivate mutating func take(_ frame: HTTP2Frame, _ now: NIODeadline) throws(HTTP2ProtocolError) {
        switch frame {
        case .data(let id, let part, let flow, let ends, let isEmpty):
            let event = try receivedData(
                id, count: part.readableBytes, flow: flow, endsStream: ends, isEmpty: isEmpty, now: now)
            if case .data = event { consumed(id, count: part.readableBytes, now: now) }
        case .headers(let id, let block, let ends):
            if case .head = try receivedFields(id, endsStream: ends, now: now) {
                if block.readableBytes % 5 == 0 {
                    if !wasInterim(id) { cancel(id, code: .enhanceYourCalm) }
                } else {
                    wasHead(id, length: block.readableBytes % 3 == 0 ? block.readableBytes : nil)
                }
            }
        case .reset(let id, let code): _ = try receivedReset(id, code: code, now: now)
        case .settings(let settings): _ = try received(settings: settings, now: now)
        case .settingsAcknowledged: try receivedSettingsAcknowledgement(now: now)
        case .ping(let data, let isAnswer): try received(ping: data, isAnswer: isAnswer, now: now)
        case .goAway(let last, let code): _ = try receivedGoAway(last: last, code: code, now: now)
        case .windowUpdate(let id, let increment): _ = try receivedWindowUpdate(id, increment: Int(increment), now: now)
        case .other: try receivedOther(now: now)
        }
    }
}

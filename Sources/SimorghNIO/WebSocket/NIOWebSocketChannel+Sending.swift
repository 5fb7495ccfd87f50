// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOFoundationEssentialsCompat
import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization

/// Sends whole messages, and messages in fragments.
extension NIOWebSocketChannel {
    func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        guard !Task.isCancelled else { throw .cancelled }
        if sendImmediately(message) { return }
        try await outbox.enter()
        defer { outbox.leave() }
        let opcode = message.kind.opcode
        // The connection may end at any time. Once it has, the outbox throws before anything of this message is added.
        guard compresses(message.byteCount) else {
            return scheduleFlush(after: try outbox.add(frames(message, maximumSize: frameSize)))
        }
        var payload = ByteBuffer()
        try deflate(message, to: &payload)
        var pieces: [ByteBuffer] = []
        repeat {
            guard let piece = payload.readSlice(length: min(frameSize, payload.readableBytes)) else { break }
            let isFirst = pieces.isEmpty
            pieces.append(
                frame(
                    isFirst ? opcode : .continuation, payload: piece, isFinal: payload.readableBytes == 0,
                    isCompressed: isFirst))
        } while payload.readableBytes > 0
        scheduleFlush(after: try outbox.add(pieces))
    }

    func sendImmediately(_ message: WebSocketMessage) -> Bool {
        let count = message.byteCount
        guard count <= OutboundFrameQueue.maximumInlineSize, count <= frameSize, !compresses(count) else {
            return false
        }
        let opcode = message.kind.opcode
        // While a job of the executor runs on the event loop, no handler is in the middle of its work: one that has
        // resumed the job has only to return.
        let isHere = loop.inEventLoop && executor?.isRunning == true
        if isHere, Self.withBytes(of: message, { handler.value.answer(opcode, payload: $0) }) { return true }
        switch Self.withBytes(of: message, { outbox.sendImmediately(opcode, payload: $0) }) {
        case .refused: return false
        case .addedFirst where isHere && handler.value.mayAnswerAtOnce(): handler.value.flushAnswer()
        case let sending: scheduleFlush(after: sending)
        }
        return true
    }

    /// The largest buffer that is allocated, in bytes.
    private static let maximumBufferSize = 1 << 30

    private var frameSize: Int { min(max(options.maximumFrameSize ?? .max, 1), Self.maximumBufferSize) }

    private func compresses(_ count: Int) -> Bool {
        guard let compression, count <= Self.maximumBufferSize else { return false }
        // zlib does not support a window of 8 bits. Compression is optional for the sender.
        return count >= compression.threshold && compression.clientMaximumWindowBits >= 9
    }

    private func deflate(_ message: WebSocketMessage, to output: inout ByteBuffer) throws(WebSocketError) {
        let result = deflater.withLock { deflater -> (ByteBuffer, WebSocketError?) in
            var buffer = ByteBuffer()
            guard let deflater = readied(&deflater) else { return (buffer, .noMemory) }
            Self.withBytes(of: message) { deflater.compress($0, to: &buffer, endsMessage: true) }
            return (buffer, nil)
        }
        if let error = result.1 { throw error }
        output = result.0
    }

    private func readied(_ deflater: inout MessageDeflater?) -> MessageDeflater? {
        if deflater == nil, let compression {
            deflater = MessageDeflater(
                windowBits: compression.clientMaximumWindowBits, forgetsContext: compression.clientNoContextTakeover)
        }
        return deflater
    }

    private func frame(
        _ opcode: WebSocketOpcode, payload: ByteBuffer, isFinal: Bool, isCompressed: Bool
    ) -> ByteBuffer {
        var frame = outbox.room(for: payload.readableBytes)
        let mask = outbox.mask()
        payload.withUnsafeReadableBytes {
            FrameWriter.write(
                opcode, payload: $0, isFinal: isFinal, isCompressed: isCompressed, mask: mask, to: &frame)
        }
        return frame
    }

    private func add(
        _ opcode: WebSocketOpcode, payload: ByteBuffer, isFinal: Bool, isCompressed: Bool
    ) throws(WebSocketError) {
        scheduleFlush(
            after: try outbox.add([frame(opcode, payload: payload, isFinal: isFinal, isCompressed: isCompressed)]))
    }

    /// Schedules a flush on the event loop, unless one is already scheduled.
    func scheduleFlush(after sending: OutboundFrameQueue.Sending) {
        guard sending == .addedFirst else { return }
        let handler = handler
        loop.execute { handler.value.flush() }
    }

    private func frames(_ message: WebSocketMessage, maximumSize size: Int) -> [ByteBuffer] {
        Self.withBytes(of: message) { bytes in
            var frames: [ByteBuffer] = []
            var offset = 0
            repeat {
                let piece = UnsafeRawBufferPointer(rebasing: bytes[offset...].prefix(size))
                var frame = outbox.room(for: piece.count)
                FrameWriter.write(
                    offset == 0 ? message.kind.opcode : .continuation, payload: piece,
                    isFinal: offset + piece.count == bytes.count, mask: outbox.mask(), to: &frame)
                frames.append(frame)
                offset += piece.count
            } while offset < bytes.count
            return frames
        }
    }

    private static func withBytes<Result>(
        of message: WebSocketMessage, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        switch message {
        case .data(let data): return data.withUnsafeBytes { body($0) }
        case .text(let text): return text.withBytes(body)
        }
    }

    func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, as kind: WebSocketMessage.Kind
    ) async throws where Parts.Element == Data {
        try await outbox.enter()
        defer { outbox.leave() }
        let isCompressed = compresses(Self.maximumBufferSize)
        var isFirst = true
        var check = UTF8Validator()
        do {
            for try await part in parts where !part.isEmpty {
                guard kind == .binary || part.withUnsafeBytes({ check.take($0) }) else { throw WebSocketError.noText }
                var rest = part[...]
                while !rest.isEmpty {
                    let piece = rest.prefix(frameSize)
                    rest = rest.dropFirst(piece.count)
                    // Wait before compressing: a compressed part must be sent, because the server's context depends on
                    // it.
                    try await outbox.room()
                    try add(
                        isFirst ? kind.opcode : .continuation,
                        payload: isCompressed ? try deflatePart(piece) : ByteBuffer(data: piece), isFinal: false,
                        isCompressed: isCompressed && isFirst)
                    isFirst = false
                }
            }
            guard check.isComplete else { throw WebSocketError.noText }
            var end = ByteBuffer()
            // An empty message is not compressed.
            if isCompressed, !isFirst {
                end = deflater.withLock { deflater in
                    var buffer = ByteBuffer()
                    deflater?.endParts(to: &buffer)
                    return buffer
                }
            }
            try add(isFirst ? kind.opcode : .continuation, payload: end, isFinal: true, isCompressed: false)
        } catch {
            // A message that was sent in part cannot be withdrawn.
            if !isFirst { drop() }
            throw error
        }
    }

    private func deflatePart(_ part: Data) throws(WebSocketError) -> ByteBuffer {
        let payload = deflater.withLock { deflater -> ByteBuffer? in
            guard let deflater = readied(&deflater) else { return nil }
            var buffer = ByteBuffer()
            part.withUnsafeBytes { deflater.compress($0, to: &buffer, endsMessage: false) }
            return buffer
        }
        guard let payload else { throw .noMemory }
        return payload
    }
}

extension WebSocketMessage.Kind {
    var opcode: WebSocketOpcode { self == .text ? .text : .binary }
}

extension WebSocketError {
    fileprivate static let noText = WebSocketError(
        .invalidArgument, message: "the parts of a text message are not valid UTF-8")
    fileprivate static let noMemory = WebSocketError(
        .invalidArgument, message: "there is no memory to compress the message")
}

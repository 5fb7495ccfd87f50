// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOFoundationEssentialsCompat
import SimorghCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is left of a request's body.
enum RestOfUpload {
    /// All of it: the server has not said yet that it wants it.
    case held
    /// Bytes in memory, and how many of them were written.
    case bytes(Data, sent: Int)
    /// Chunks that a task reads; where a length was promised, how much of it is left.
    case chunks(isChunked: Bool, left: Int64)
    /// One of them that is large, and how many of its bytes were written; what is left counts without it.
    case chunk(Data, sent: Int, isChunked: Bool, left: Int64)

    /// The bytes at hand, and how many of them were written.
    fileprivate var bytes: (Data, sent: Int)? {
        switch self {
        case .bytes(let bytes, let sent), .chunk(let bytes, let sent, _, _): (bytes, sent)
        case .held, .chunks: nil
        }
    }

    /// The same with more bytes written.
    fileprivate func sent(_ count: Int) -> RestOfUpload {
        switch self {
        case .bytes(let bytes, _): .bytes(bytes, sent: count)
        case .chunk(let bytes, _, let isChunked, let left):
            .chunk(bytes, sent: count, isChunked: isChunked, left: left)
        case .held, .chunks: self
        }
    }
}

extension RequestPlan.Upload {
    var isNone: Bool {
        guard case .none = self else { return false }
        return true
    }
}

/// Bodies that do not go out with the head: written only as fast as the socket takes them.
extension ConnectionHandler {
    /// So much is copied and written at a time.
    private static let slice = 64 * 1024
    /// So much is written before the loop may look at other things, such as an answer that came meanwhile.
    private static let turn = 512 * 1024

    /// Sends the body, whose head is out.
    func beginUpload(_ context: ChannelHandlerContext) {
        guard let exchange = current?.exchange, let connection else { return }
        switch exchange.plan.upload {
        case .none: break
        case .bytes(let bytes):
            rest = .bytes(bytes, sent: 0)
            pumpBytes(context)
        case .chunks(_, let length):
            let isChunked = exchange.plan.isChunked
            rest = .chunks(isChunked: isChunked, left: isChunked ? .max : length ?? .max)
            isSocketFull = false
            stopPhase()
            arm()
            exchange.upload?.begin(on: connection)
        }
    }

    /// The body need not wait any longer: the server asked for it, or said nothing in time.
    func endHolding() {
        guard case .held = rest, let context else { return }
        beginUpload(context)
    }

    /// Writes of bytes in memory what the socket takes.
    func pumpBytes(_ context: ChannelHandlerContext) {
        guard let (bytes, before) = rest?.bytes, let exchange = current?.exchange else { return }
        var sent = before
        let end = min(bytes.count, sent + Self.turn)
        while sent < end {
            let count = min(Self.slice, bytes.count - sent)
            let start = bytes.startIndex + sent
            var buffer = context.channel.allocator.buffer(capacity: count)
            buffer.writeBytes(bytes[start..<(start + count)])
            sent += count
            rest = rest?.sent(sent)
            write(buffer, context)
            // The write may have failed, and ended all this; or TLS has made the channel full and empty again in it, and what
            // is left was written from there.
            guard current?.exchange === exchange, rest?.bytes?.sent == sent else { return }
            guard context.channel.isWritable else { break }
        }
        if sent < bytes.count {
            if context.channel.isWritable {
                context.eventLoop.assumeIsolated().execute {
                    if self.current?.exchange === exchange { self.pumpBytes(context) }
                }
            }
            startMoving(exchange, from: .now())
        } else if case .chunk(_, _, let isChunked, let left) = rest {
            endChunk(of: exchange, context, isChunked: isChunked, left: left)
        } else {
            uploadEnded()
        }
    }

    /// All of a large chunk was written.
    private func endChunk(of exchange: Exchange, _ context: ChannelHandlerContext, isChunked: Bool, left: Int64) {
        rest = .chunks(isChunked: isChunked, left: left)
        if left <= 0 { machine.uploaded() }
        if isChunked { write("\r\n", context) }
        wroteChunk(of: exchange, context)
    }

    private func write(_ text: String, _ context: ChannelHandlerContext) {
        write(context.channel.allocator.buffer(string: text), context)
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        current?.timings.sentBytes += Int64(bytes.readableBytes)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    /// A chunk is with the socket: the next is wanted when that takes more.
    private func wroteChunk(of exchange: Exchange, _ context: ChannelHandlerContext) {
        guard current?.exchange === exchange, rest != nil else { return }
        isSocketFull = !context.channel.isWritable
        startMoving(exchange, from: .now())
        if !isSocketFull { exchange.upload?.wantMore() }
    }

    /// A body moves, in either direction: from here the server has its time for the next part.
    func startMoving(_ exchange: Exchange, from now: NIODeadline) {
        // While nobody takes the response's body, or makes the request's, the server is not late.
        if isPaused || isWaitingForSource {
            stopPhase()
        } else {
            startPhase(machine.isWaitingForHead ? .request : .body, exchange.timeouts.idle, from: now)
        }
    }

    /// Whether the next chunk of the request's body is being made, which is nobody's time but its maker's.
    private var isWaitingForSource: Bool {
        guard case .chunks = rest else { return false }
        return !isSocketFull
    }

    func send(_ chunk: Data, of exchange: Exchange) {
        guard let context, current?.exchange === exchange, case .chunks(let isChunked, let left) = rest else { return }
        guard chunk.count <= Self.slice else {
            // In parts: a copy of it whole is memory that nobody has thought of, and a buffer holds less than 4 GiB.
            rest = .chunk(chunk, sent: 0, isChunked: isChunked, left: left - Int64(chunk.count))
            if isChunked { write("\(String(chunk.count, radix: 16))\r\n", context) }
            guard current?.exchange === exchange else { return }
            return pumpBytes(context)
        }
        rest = .chunks(isChunked: isChunked, left: left - Int64(chunk.count))
        // The server knows that this was all, and may answer before the task that reads the chunks has seen their end.
        if left <= chunk.count { machine.uploaded() }
        var buffer = context.channel.allocator.buffer(capacity: chunk.count + 32)
        if isChunked { buffer.writeString("\(String(chunk.count, radix: 16))\r\n") }
        buffer.writeBytes(chunk)
        if isChunked { buffer.writeStaticString("\r\n") }
        write(buffer, context)
        wroteChunk(of: exchange, context)
    }

    func endUpload(of exchange: Exchange, _ trailers: HTTPFields) {
        guard let context, current?.exchange === exchange, case .chunks(let isChunked, _) = rest else { return }
        if isChunked {
            var buffer = context.channel.allocator.buffer(capacity: 8)
            buffer.writeStaticString("0\r\n")
            for field in trailers {
                buffer.writeString(field.name.rawName)
                buffer.writeStaticString(": ")
                field.withUnsafeBytesOfValue { _ = buffer.writeBytes(UnsafeRawBufferPointer($0)) }
                buffer.writeStaticString("\r\n")
            }
            buffer.writeStaticString("\r\n")
            write(buffer, context)
        }
        guard current?.exchange === exchange else { return }
        uploadEnded()
    }

    func failUpload(of exchange: Exchange, with error: TransportError) {
        guard current?.exchange === exchange, rest != nil else { return }
        var error = error
        // Whoever makes the body cannot know that the head went out before it.
        error.requestMayHaveBeenSent = true
        fail(error)
    }

    /// The socket takes more.
    func wantMoreUpload(_ context: ChannelHandlerContext) {
        switch rest {
        case .bytes, .chunk: pumpBytes(context)
        case .chunks where isSocketFull:
            if let exchange = current?.exchange { wroteChunk(of: exchange, context) }
        case .chunks, .held, .none: break
        }
    }

    private func uploadEnded() {
        rest = nil
        machine.uploaded()
        let now = NIODeadline.now()
        current?.requestEnded = now
        guard let exchange = current?.exchange else { return }
        if machine.isWaitingForHead {
            startPhase(.head, exchange.timeouts.head, from: now)
        } else {
            startMoving(exchange, from: now)
        }
    }

    /// The response came first; the rest of the body is not sent.
    func stopUpload() {
        if let current { stopUpload(of: current) }
    }

    func stopUpload(of current: Current) {
        rest = nil
        current.exchange.upload?.stop()
    }
}

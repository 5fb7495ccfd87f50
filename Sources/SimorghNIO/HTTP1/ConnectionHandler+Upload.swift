// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

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
            rest = .chunks(isChunked: length == nil, left: length ?? .max)
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

    /// Writes of a body in memory what the socket takes.
    func pumpBytes(_ context: ChannelHandlerContext) {
        guard case .bytes(let bytes, var sent) = rest, let exchange = current?.exchange else { return }
        let end = min(bytes.count, sent + Self.turn)
        while sent < end {
            let count = min(Self.slice, bytes.count - sent)
            let start = bytes.startIndex + sent
            var buffer = context.channel.allocator.buffer(capacity: count)
            buffer.writeBytes(bytes[start..<(start + count)])
            sent += count
            rest = .bytes(bytes, sent: sent)
            context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
            // The write may have failed, and ended all this.
            guard current?.exchange === exchange, rest != nil else { return }
            guard context.channel.isWritable else { break }
        }
        if sent < bytes.count {
            if context.channel.isWritable {
                context.eventLoop.assumeIsolated().execute {
                    if self.current?.exchange === exchange { self.pumpBytes(context) }
                }
            }
            startPhase(.request, exchange.timeouts.idle, from: .now())
        } else {
            uploadEnded()
        }
    }

    func send(_ chunk: Data, of exchange: Exchange) {
        guard let context, current?.exchange === exchange, case .chunks(let isChunked, let left) = rest else { return }
        rest = .chunks(isChunked: isChunked, left: left - Int64(chunk.count))
        // The server knows that this was all, and may answer before the task that reads the chunks has seen their end.
        if left <= chunk.count { machine.uploaded() }
        var buffer = context.channel.allocator.buffer(capacity: chunk.count + 32)
        if isChunked { buffer.writeString("\(String(chunk.count, radix: 16))\r\n") }
        buffer.writeBytes(chunk)
        if isChunked { buffer.writeStaticString("\r\n") }
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
        guard current?.exchange === exchange else { return }
        if context.channel.isWritable {
            exchange.upload?.wantMore()
        } else {
            startPhase(.request, exchange.timeouts.idle, from: .now())
        }
    }

    func endUpload(of exchange: Exchange) {
        guard let context, current?.exchange === exchange, case .chunks(let isChunked, _) = rest else { return }
        if isChunked {
            var buffer = context.channel.allocator.buffer(capacity: 8)
            buffer.writeStaticString("0\r\n\r\n")
            context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
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
        case .bytes: pumpBytes(context)
        case .chunks where clock.phase == .request:
            // From here the time is that of whoever makes the chunks.
            stopPhase()
            current?.exchange.upload?.wantMore()
        case .chunks, .held, .none: break
        }
    }

    private func uploadEnded() {
        rest = nil
        machine.uploaded()
        let now = NIODeadline.now()
        current?.requestEnded = now
        guard let exchange = current?.exchange else { return }
        startPhase(.head, exchange.timeouts.head, from: now)
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

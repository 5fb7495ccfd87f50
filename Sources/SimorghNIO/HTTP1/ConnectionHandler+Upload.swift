// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOFoundationEssentialsCompat
import SimorghCore
import SimorghSupport

/// What is left of a request's body: how far it is, and the bytes at hand.
struct RestOfUpload {
    var cursor: UploadCursor
    var bytes = Data()
}

extension RequestPlan.Upload {
    var isNone: Bool {
        guard case .none = self else { return false }
        return true
    }
}

/// Bodies that do not go out with the head: written only as fast as the socket takes them.
extension ConnectionHandler {
    /// Whether the body waits for the server to ask for it.
    var isHolding: Bool { rest?.cursor.isHeld == true }

    /// Sends the body, whose head is out.
    func beginUpload(_ context: ChannelHandlerContext) {
        guard let exchange = current?.exchange, let connection else { return }
        switch exchange.plan.upload {
        case .none: break
        case .bytes(let bytes):
            rest = RestOfUpload(cursor: UploadCursor(bytes: bytes.count), bytes: bytes)
            pumpUpload(context)
        case .chunks(_, let length):
            rest = RestOfUpload(cursor: UploadCursor(isChunked: exchange.plan.isChunked, length: length))
            stopPhase()
            arm()
            exchange.upload?.begin(on: connection)
        }
    }

    /// The body need not wait any longer: the server asked for it, or said nothing in time.
    func endHolding() {
        guard isHolding, let context else { return }
        beginUpload(context)
    }

    /// Writes of the bytes at hand what the socket takes.
    func pumpUpload(_ context: ChannelHandlerContext) {
        guard let exchange = current?.exchange else { return }
        // A write may have failed, and ended all this.
        while current?.exchange === exchange,
            let action = rest?.cursor.next(isWritable: context.channel.isWritable)
        {
            switch action {
            case .write(let part):
                if part.isLast { machine.uploaded() }
                write(part, context)
                continue
            case .wantMore:
                rest?.bytes = Data()
                startMoving(exchange, from: .now())
                exchange.upload?.wantMore()
            case .wait: startMoving(exchange, from: .now())
            case .yield:
                context.eventLoop.assumeIsolated().execute {
                    guard self.current?.exchange === exchange else { return }
                    self.rest?.cursor.resumed()
                    self.pumpUpload(context)
                }
                startMoving(exchange, from: .now())
            case .end: uploadEnded()
            case .none: break
            }
            return
        }
    }

    private func write(_ part: UploadCursor.Part, _ context: ChannelHandlerContext) {
        guard let bytes = rest?.bytes else { return }
        // In parts: a copy of it whole is memory that nobody has thought of, and a buffer holds less than 4 GiB.
        var buffer = context.channel.allocator.buffer(capacity: part.range.count + 32)
        if let chunk = part.chunk { buffer.writeString("\(String(chunk, radix: 16))\r\n") }
        let start = bytes.startIndex
        buffer.writeBytes(bytes[(start + part.range.lowerBound)..<(start + part.range.upperBound)])
        if part.endsChunk { buffer.writeStaticString("\r\n") }
        write(buffer, context)
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        current?.timings.sentBytes += Int64(bytes.readableBytes)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    /// A body moves, in either direction: from here the server has its time for the next part.
    func startMoving(_ exchange: Exchange, from now: NIODeadline) {
        // While nobody takes the response's body, or makes the request's, the server is not late.
        if isPaused || rest?.cursor.isWaitingForSource == true {
            stopPhase()
        } else {
            startPhase(machine.isWaitingForHead ? .request : .body, exchange.timeouts.idle, from: now)
        }
    }

    func send(_ chunk: Data, of exchange: Exchange) {
        guard let context, current?.exchange === exchange, rest?.cursor.took(chunk.count) == true else { return }
        rest?.bytes = chunk
        pumpUpload(context)
    }

    func endUpload(of exchange: Exchange, _ trailers: HTTPFields) {
        guard let context, current?.exchange === exchange, rest?.cursor.ended() == true else { return }
        if exchange.plan.isChunked {
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

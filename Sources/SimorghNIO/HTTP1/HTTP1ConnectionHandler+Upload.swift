// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOFoundationEssentialsCompat
import SimorghCore
import SimorghSupport

/// The unsent rest of a request's body: its progress, and the bytes that are available.
struct PendingUpload {
    var cursor: UploadStateMachine
    var bytes = Data()
}

extension RequestPlan.Upload {
    var isNone: Bool {
        guard case .none = self else { return false }
        return true
    }
}

/// Bodies that are not sent together with the head; written only as fast as the socket accepts them.
extension HTTP1ConnectionHandler {
    /// True if the body waits for `100 Continue`.
    var isWaitingForContinue: Bool { pendingUpload?.cursor.isHeld == true }

    /// Starts sending the body; the head was sent.
    func beginUpload(_ context: ChannelHandlerContext) {
        guard let exchange = current?.exchange, let connection else { return }
        switch exchange.plan.upload {
        case .none: break
        case .bytes(let bytes):
            pendingUpload = PendingUpload(cursor: UploadStateMachine(bytes: bytes.count), bytes: bytes)
            pumpUpload(context)
        case .chunks(_, let length):
            pendingUpload = PendingUpload(
                cursor: UploadStateMachine(isChunked: exchange.plan.isChunked, length: length))
            stopPhase()
            arm()
            exchange.upload?.begin(on: connection)
        }
    }

    /// Stops waiting for `100 Continue`: the server has sent it, or the timeout has passed.
    func stopWaitingForContinue() {
        guard isWaitingForContinue, let context else { return }
        beginUpload(context)
    }

    /// Writes as many of the available bytes as the socket accepts.
    func pumpUpload(_ context: ChannelHandlerContext) {
        guard let exchange = current?.exchange else { return }
        // A write may fail and end the exchange within this loop.
        while current?.exchange === exchange,
            let action = pendingUpload?.cursor.next(isWritable: context.channel.isWritable)
        {
            switch action {
            case .write(let part):
                if part.isLast { machine.uploaded() }
                write(part, context: context)
                continue
            case .wantMore:
                pendingUpload?.bytes = Data()
                restartIdleTimeout(exchange, from: .now())
                exchange.upload?.wantMore()
            case .wait: restartIdleTimeout(exchange, from: .now())
            case .yield:
                context.eventLoop.assumeIsolated().execute {
                    guard self.current?.exchange === exchange else { return }
                    self.pendingUpload?.cursor.resumed()
                    self.pumpUpload(context)
                }
                restartIdleTimeout(exchange, from: .now())
            case .end: uploadEnded()
            case .none: break
            }
            return
        }
    }

    private func write(_ part: UploadStateMachine.Part, context: ChannelHandlerContext) {
        guard let bytes = pendingUpload?.bytes else { return }
        // In slices: a copy of the whole body would double its memory, and a buffer holds less than 4 GiB.
        var buffer = context.channel.allocator.buffer(capacity: part.range.count + 32)
        if let chunk = part.chunk { buffer.writeString("\(String(chunk, radix: 16))\r\n") }
        let start = bytes.startIndex
        buffer.writeBytes(bytes[(start + part.range.lowerBound)..<(start + part.range.upperBound)])
        if part.endsChunk { buffer.writeStaticString("\r\n") }
        write(buffer, context: context)
    }

    private func write(_ bytes: ByteBuffer, context: ChannelHandlerContext) {
        current?.timings.sentBytes += Int64(bytes.readableBytes)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    /// Restarts the time limit of the server because a body has moved, in either direction.
    func restartIdleTimeout(_ exchange: Exchange, from now: NIODeadline) {
        // While the reader does not take the response's body, or the caller does not provide the request's, the
        // server's time does not run.
        if isPaused || pendingUpload?.cursor.isWaitingForSource == true {
            stopPhase()
        } else {
            startPhase(machine.isWaitingForHead ? .request : .body, limit: exchange.timeouts.idle, from: now)
        }
    }

    func send(_ chunk: Data, of exchange: Exchange) {
        guard let context, current?.exchange === exchange,
            pendingUpload?.cursor.receivedChunk(ofSize: chunk.count) == true
        else { return }
        pendingUpload?.bytes = chunk
        pumpUpload(context)
    }

    func endUpload(of exchange: Exchange, trailers: HTTPFields) {
        guard let context, current?.exchange === exchange, pendingUpload?.cursor.ended() == true else { return }
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
            write(buffer, context: context)
        }
        guard current?.exchange === exchange else { return }
        uploadEnded()
    }

    func failUpload(of exchange: Exchange, with error: TransportError) {
        guard current?.exchange === exchange, pendingUpload != nil else { return }
        var error = error
        // The source of the body cannot know that the head was sent before it.
        error.requestMayHaveBeenSent = true
        fail(error)
    }

    private func uploadEnded() {
        pendingUpload = nil
        machine.uploaded()
        let now = NIODeadline.now()
        current?.requestSentAt = now
        guard let exchange = current?.exchange else { return }
        if machine.isWaitingForHead {
            startPhase(.head, limit: exchange.timeouts.head, from: now)
        } else {
            restartIdleTimeout(exchange, from: now)
        }
    }

    /// Stops the upload, because the response arrived first.
    func stopUpload() {
        if let current { stopUpload(of: current) }
    }

    func stopUpload(of current: Current) {
        pendingUpload = nil
        current.exchange.upload?.stop()
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghRealtime

/// Writes the outbox to the channel, and small frames directly to the socket.
extension WebSocketHandler {
    /// Writes the contents of the outbox.
    func flush() {
        guard let context else { return }
        // If the channel has nothing pending, it is writable.
        let isDirect = direct.isFree
        var batch = outbox.take(isWritable: isDirect || context.channel.isWritable)
        if isDirect, sendDirectly(&batch) { return outbox.wrote(isWritable: true, spare: batch.spare()) }
        guard !batch.isEmpty else { return outbox.wrote(isWritable: context.channel.isWritable) }
        write(&batch, context: context)
        outbox.wrote(isWritable: context.channel.isWritable, spare: batch.spare())
    }

    /// Writes a batch through the channel.
    private func write(_ batch: inout OutboundFrameQueue.Batch, context: ChannelHandlerContext) {
        let last = batch.frames.popLast()
        for frame in batch.frames { writeToChannel(frame, context: context) }
        if let last { writeToChannel(last, context: context, isLast: batch.small.readableBytes == 0) }
        if batch.small.readableBytes > 0 { writeToChannel(batch.small, context: context, isLast: true) }
        // The channel may call back within this flush when it becomes writable, and continues to write afterwards.
        let wasFlushing = isFlushing
        isFlushing = true
        context.flush()
        isFlushing = wasFlushing
    }

    /// Sends a small reply directly to the socket, if neither the outbox nor the channel has anything pending.
    ///
    /// Called by a task that runs on this event loop.
    ///
    /// - Returns: True if the message was sent.
    func answer(_ opcode: WebSocketOpcode, payload: UnsafeRawBufferPointer) -> Bool {
        guard let context, direct.isFree, isTimeToAnswer, let mask = outbox.maskForAnswer() else {
            return false
        }
        direct.answered()
        var rest = OutboundFrameQueue.Batch()
        FrameWriter.withFrame(opcode, payload: payload, mask: mask) { frame in
            let count = direct.send(frame)
            sentBytes += count
            if count < frame.count { rest.small.writeBytes(frame[count...]) }
        }
        // If another thread adds a message meanwhile, it schedules a flush on this event loop.
        guard !rest.isEmpty else { return true }
        write(&rest, context: context)
        outbox.wrote(isWritable: context.channel.isWritable)
        return true
    }

    /// Writes a reply that a task of this event loop has put into the outbox.
    func flushAnswer() {
        direct.answered()
        flush()
    }

    /// Writes small frames to the socket, as far as it accepts them.
    ///
    /// - Returns: True if nothing is left.
    private func sendDirectly(_ batch: inout OutboundFrameQueue.Batch) -> Bool {
        guard batch.frames.isEmpty else { return false }
        guard batch.small.readableBytes > 0 else { return true }
        let count = batch.small.withUnsafeReadableBytes { direct.send($0) }
        sentBytes += count
        batch.small.moveReaderIndex(forwardBy: count)
        return batch.small.readableBytes == 0
    }

    /// Writes a buffer to the channel.
    private func writeToChannel(_ frame: ByteBuffer, context: ChannelHandlerContext, isLast: Bool = false) {
        sentBytes += frame.readableBytes
        let isRecycled = frame.readableBytes >= OutboundFrameQueue.minimumRecycledSize
        // Without direct writes there is no need to track the channel's pending bytes.
        let isWatched = isLast && direct.isWatching
        guard isRecycled || isWatched else { return context.write(wrapOutboundOut(frame), promise: nil) }
        let written = context.eventLoop.makePromise(of: Void.self)
        let number = isWatched ? direct.didWriteToChannel() : nil
        written.futureResult.assumeIsolated().whenComplete { [self] result in
            // The buffer's memory is reused.
            if isRecycled, case .success = result { outbox.recycle(frame) }
            if let number { direct.channelWrote(number) }
        }
        context.write(wrapOutboundOut(frame), promise: written)
    }

    /// Flushes the outbox if it is not empty.
    func flushIfNeeded() {
        if !outbox.isEmpty { flush() }
    }

    /// Returns true if a task of this event loop that has put a message into the outbox may write it now.
    func mayAnswerAtOnce() -> Bool {
        direct.queued()
        return isTimeToAnswer
    }

    /// True if a task of this event loop may write directly, because all received messages were taken.
    private var isTimeToAnswer: Bool { direct.isTimeToAnswer && inbox.isEmpty }
}

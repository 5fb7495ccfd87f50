// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghRealtime

/// What goes out: from the outbox to the channel, and what is small past either.
extension WebSocketHandler {
    /// Writes what is in the outbox.
    func flush() {
        guard let context else { return }
        // Where nothing lies with the channel, it takes something.
        let isDirect = direct.isFree
        var batch = outbox.take(isWritable: isDirect || context.channel.isWritable)
        if isDirect, sendDirectly(&batch) { return outbox.wrote(isWritable: true, spare: batch.spare()) }
        guard !batch.isEmpty else { return outbox.wrote(isWritable: context.channel.isWritable) }
        write(&batch, context)
        outbox.wrote(isWritable: context.channel.isWritable, spare: batch.spare())
    }

    /// Has the channel write.
    private func write(_ batch: inout WebSocketOutbox.Batch, _ context: ChannelHandlerContext) {
        let last = batch.frames.popLast()
        for frame in batch.frames { hand(frame, context) }
        if let last { hand(last, context, isLast: batch.small.readableBytes == 0) }
        if batch.small.readableBytes > 0 { hand(batch.small, context, isLast: true) }
        // The channel may ask for more within this one, when it takes something again, and goes on writing behind it.
        let wasFlushing = isFlushing
        isFlushing = true
        context.flush()
        isFlushing = wasFlushing
    }

    /// Sends a small message in answer to what came, past the outbox and the channel, where nothing lies with either.
    ///
    /// For a task that runs on this loop.
    ///
    /// - Returns: Whether it did.
    func answer(_ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer) -> Bool {
        guard let context, direct.isFree, isTimeToAnswer, let mask = outbox.maskForAnswer() else {
            return false
        }
        direct.answered()
        var rest = WebSocketOutbox.Batch()
        FrameWriter.withFrame(opcode, payload, mask: mask) { frame in
            let count = direct.send(frame)
            handed += count
            if count < frame.count { rest.small.writeBytes(frame[count...]) }
        }
        // Whoever sends meanwhile from elsewhere has this loop write later.
        guard !rest.isEmpty else { return true }
        write(&rest, context)
        outbox.wrote(isWritable: context.channel.isWritable)
        return true
    }

    /// Writes what a task of this loop has put into the outbox in answer to what came.
    func flushAnswer() {
        direct.answered()
        flush()
    }

    /// Gives small frames to the system, as far as it takes them.
    ///
    /// - Returns: Whether nothing is left.
    private func sendDirectly(_ batch: inout WebSocketOutbox.Batch) -> Bool {
        guard batch.frames.isEmpty else { return false }
        guard batch.small.readableBytes > 0 else { return true }
        let count = batch.small.withUnsafeReadableBytes { direct.send($0) }
        handed += count
        batch.small.moveReaderIndex(forwardBy: count)
        return batch.small.readableBytes == 0
    }

    /// Gives something to the channel.
    private func hand(_ frame: ByteBuffer, _ context: ChannelHandlerContext, isLast: Bool = false) {
        handed += frame.readableBytes
        let isRecycled = frame.readableBytes >= WebSocketOutbox.leastSpare
        // Who writes nothing past the channel need not know what lies there.
        let isWatched = isLast && direct.isWatching
        guard isRecycled || isWatched else { return context.write(wrapOutboundOut(frame), promise: nil) }
        let written = context.eventLoop.makePromise(of: Void.self)
        let number = isWatched ? direct.gaveChannel() : nil
        written.futureResult.assumeIsolated().whenComplete { [self] result in
            // Its memory is used again.
            if isRecycled, case .success = result { outbox.recycle(frame) }
            if let number { direct.channelWrote(number) }
        }
        context.write(wrapOutboundOut(frame), promise: written)
    }

    /// Writes what came of something that was asked for.
    func flushIfNeeded() {
        if !outbox.isEmpty { flush() }
    }

    /// Returns true if a task of this loop that has put a message into the outbox may write it now.
    func mayAnswerAtOnce() -> Bool {
        direct.queued()
        return isTimeToAnswer
    }

    /// True if a task of this loop may write by itself, because all that came is taken.
    private var isTimeToAnswer: Bool { direct.isTimeToAnswer && inbox.isEmpty }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// From the outbox to the channel.
extension WebSocketHandler {
    /// So often something comes before ``mayAnswerAtOnce()`` is tried again.
    private static let longestPatience = 64

    /// Writes what is in the outbox.
    func flush() {
        guard let context else { return }
        let channel = context.channel
        var batch = outbox.take(isWritable: channel.isWritable)
        guard !batch.isEmpty else { return outbox.wrote(isWritable: channel.isWritable) }
        for frame in batch.frames { hand(frame, context) }
        if batch.small.readableBytes > 0 { hand(batch.small, context) }
        context.flush()
        outbox.wrote(isWritable: channel.isWritable, spare: batch.spare())
    }

    /// Gives something to the channel.
    private func hand(_ frame: ByteBuffer, _ context: ChannelHandlerContext) {
        handed += frame.readableBytes
        context.write(wrapOutboundOut(frame), promise: recycling(frame, context))
    }

    /// Tells when a large frame was written, so that its memory is used again.
    private func recycling(_ frame: ByteBuffer, _ context: ChannelHandlerContext) -> EventLoopPromise<Void>? {
        guard frame.readableBytes >= WebSocketOutbox.leastSpare else { return nil }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess { [outbox] in outbox.recycle(frame) }
        return promise
    }

    /// Writes what came of something that was asked for.
    func flushIfNeeded() {
        if !outbox.isEmpty { flush() }
    }

    /// Whether a task that sends from this loop may write now, and not together with what is sent next.
    ///
    /// Once for each time that something comes, where all of it is taken: whoever sends then is likely to wait.
    /// If it sends on instead, a call of the system for each message costs more than waiting for the others does, and
    /// they all go out together for a while.
    func mayAnswerAtOnce() -> Bool {
        guard !hasAnswered else {
            patience = Self.longestPatience
            return false
        }
        guard patience == 0, inbox.isEmpty else { return false }
        hasAnswered = true
        return true
    }
}

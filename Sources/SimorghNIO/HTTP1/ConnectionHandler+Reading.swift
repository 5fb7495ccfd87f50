// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

/// What is gathered of a long body before its reader is woken.
package struct Gathering {
    /// How much the reader is woken for at once, where it comes fast.
    package static let bytes = BodyStream.most / 2
    /// As much as has to be to come for the reads of the socket to be larger.
    static let much = 4 * bytes
    /// How long any byte waits for more.
    package static let microseconds = 500
    static let time = TimeAmount.microseconds(Int64(microseconds))

    /// When bytes last left no reader waiting; those that it was woken for by time do not count.
    var wokenAt = NIODeadline.distantPast
    /// Whether it is woken by time, for what came since.
    var wakes = false
    /// Whether more is read of the socket at once.
    var isWide = false
}

/// Back-pressure: no byte is read from the socket while the reader of a body has enough.
extension ConnectionHandler {
    func read(context: ChannelHandlerContext) {
        if isPaused { hasHeldRead = true } else { context.read() }
    }

    /// Wakes the reader of a body for what came in this turn of the loop.
    ///
    /// To wake it costs as much as to read a hundred kilobytes. So of a body with much still to come, that comes faster
    /// than the reader should be woken, some is gathered first; it lies no longer than ``Gathering/time``.
    func wakeReader(of stream: BodyStream, _ loop: any EventLoop) {
        guard parser.remainingLength > Gathering.bytes else {
            stream.wake()
            return
        }
        if !gathering.isWide, parser.remainingLength > Gathering.much { readMuch() }
        let now = NIODeadline.now()
        let isSoon = now - gathering.wokenAt < Gathering.time
        guard stream.wake(atLeast: isSoon ? Gathering.bytes : 1) else {
            gathering.wokenAt = now
            return
        }
        guard !gathering.wakes else { return }
        gathering.wakes = true
        loop.assumeIsolated().scheduleTask(in: Gathering.time) { [self] in
            gathering.wakes = false
            current?.stream?.wake()
        }
    }

    /// Reads more of the socket at once, for a long body: each read that is saved is a call, and a turn of the pipeline.
    private func readMuch() {
        guard let options = context?.channel.syncOptions else { return }
        gathering.isWide = true
        FreedMemory.keep()
        // So many are also the buffers that the channel keeps: the one it has, and none of the large ones.
        try? options.setOption(.maxMessagesPerRead, value: 1)
        try? options.setOption(.recvAllocator, value: LargeReads(initial: 64 * 1024))
    }

    /// Reads as NIO does by itself again.
    func readLittle() {
        guard gathering.isWide, let options = context?.channel.syncOptions else { return }
        gathering.isWide = false
        try? options.setOption(.maxMessagesPerRead, value: 4)
        try? options.setOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator())
    }

    func pauseReading() {
        isPaused = true
        // While nobody takes the body, the server is not late.
        stopPhase()
    }

    func resumeReading(for exchange: Exchange) {
        guard let current, current.exchange === exchange else { return }
        resumeReading()
        startMoving(exchange, from: .now())
    }

    /// Nobody reads the body any more, which is about to end.
    ///
    /// A little of it is read for a moment, so that the connection can carry the next exchange.
    func linger(_ exchange: Exchange) {
        guard let current, current.exchange === exchange, let connection else { return }
        // An upload that goes on has its own idea of the time, and of when it ends.
        guard rest == nil else { return exchange.cancel() }
        current.unwanted = 64 * 1024
        resumeReading()
        startPhase(.body, connection.pool.lingeringTime, from: .now())
    }

    func resumeReading() {
        guard isPaused else { return }
        isPaused = false
        if hasHeldRead {
            hasHeldRead = false
            context?.read()
        }
    }
}

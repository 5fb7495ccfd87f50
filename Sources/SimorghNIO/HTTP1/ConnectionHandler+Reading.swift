// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

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
        let now = NIODeadline.now()
        let isSoon = now - readerWokenAt < Gathering.time
        guard stream.wake(atLeast: isSoon ? Gathering.bytes : 1) else {
            readerWokenAt = now
            return
        }
        guard !willWakeReader else { return }
        willWakeReader = true
        loop.assumeIsolated().scheduleTask(in: Gathering.time) { [self] in
            willWakeReader = false
            current?.stream?.wake()
        }
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

/// How much of a long body the reader is woken for at once, where it comes fast.
private enum Gathering {
    static let bytes = BodyStream.most / 2
    static let time = TimeAmount.microseconds(500)
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

/// Back-pressure: no byte is read from the socket while the reader of a body has enough.
extension ConnectionHandler {
    func read(context: ChannelHandlerContext) {
        if isPaused { hasHeldRead = true } else { context.read() }
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

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
        startPhase(.body, exchange.timeouts.idle, from: .now())
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

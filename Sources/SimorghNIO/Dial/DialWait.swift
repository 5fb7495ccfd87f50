// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import Synchronization

/// A part of a dial that cannot be stopped and need not be waited for: it ends by its answer or by its limit of time,
/// whichever comes first, once.
final class DialWait: Sendable {
    private struct State: Sendable {
        var isOver = false
        var timer: Scheduled<Void>?
    }

    private let state = Mutex(State())

    /// Starts the clock, unless the answer is there already.
    ///
    /// - Parameters:
    ///   - loop: Where the clock is.
    ///   - limit: How long the wait may take.
    ///   - late: Called on the loop when that is over.
    func begin(on loop: any EventLoop, upTo limit: Duration, otherwise late: @escaping @Sendable () -> Void) {
        guard !state.withLock({ $0.isOver }) else { return }
        let timer = loop.scheduleTask(in: TimeAmount(clamping: limit)) { if self.end() { late() } }
        let isLate = state.withLock { state in
            if !state.isOver { state.timer = timer }
            return state.isOver
        }
        if isLate { timer.cancel() }
    }

    /// Ends the wait.
    ///
    /// - Returns: Whether this was its end.
    func end() -> Bool {
        let (isEnd, timer) = state.withLock { state in
            defer { state.isOver = true }
            return (!state.isOver, state.timer.take())
        }
        timer?.cancel()
        return isEnd
    }
}

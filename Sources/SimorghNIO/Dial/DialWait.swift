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
        /// What tells those who have the answer that nobody waits for it any more.
        var leaving: [@Sendable () -> Void] = []
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

    /// Has somebody told when the wait is over, who need not know it where he has answered; at once where it is.
    ///
    /// - Parameter leave: What tells him; `nil` where he has answered already.
    func leaves(by leave: (@Sendable () -> Void)?) {
        guard let leave else { return }
        let isLate = state.withLock { state in
            if !state.isOver { state.leaving.append(leave) }
            return state.isOver
        }
        if isLate { leave() }
    }

    /// Ends the wait.
    ///
    /// - Returns: Whether this was its end.
    func end() -> Bool {
        let (isEnd, timer, leaving) = state.withLock { state in
            defer {
                state.isOver = true
                state.leaving = []
            }
            return (!state.isOver, state.timer.take(), state.leaving)
        }
        timer?.cancel()
        for leave in leaving { leave() }
        return isEnd
    }
}

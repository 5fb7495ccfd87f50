// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import Synchronization

/// A part of a dial that cannot be stopped and need not be waited for: it ends by its answer or by its limit of time,
/// whichever comes first, once.
final class DialWait: TimedWaiter, Sendable {
    private struct State: Sendable {
        var isOver = false
        /// What is called when the time is up.
        var late: (@Sendable () -> Void)?
        /// Where it is watched over.
        var timing: (clock: WaitClock, place: WaitClock.Place)?
        /// What tells those who have the answer that nobody waits for it any more.
        var leaving: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Starts the clock, unless the answer is there already.
    ///
    /// - Parameters:
    ///   - clock: Watches over the time.
    ///   - limit: How long the wait may take.
    ///   - late: Called on the clock's loop when that is over.
    func begin(by clock: WaitClock, upTo limit: Duration, otherwise late: @escaping @Sendable () -> Void) {
        let isWaiting = state.withLock { state in
            if !state.isOver { state.late = late }
            return !state.isOver
        }
        guard isWaiting else { return }
        let place = clock.add(self, until: NIODeadline.now().after(limit))
        let isLate = state.withLock { state in
            if !state.isOver { state.timing = (clock, place) }
            return state.isOver
        }
        if isLate { clock.remove(place) }
    }

    func waitTimePassed() {
        let late = state.withLock { $0.late }
        if end() { late?() }
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
        let (isEnd, timing, leaving) = state.withLock { state in
            defer {
                state.isOver = true
                state.late = nil
                state.leaving = []
            }
            return (!state.isOver, state.timing.take(), state.leaving)
        }
        if let timing { timing.clock.remove(timing.place) }
        for leave in leaving { leave() }
        return isEnd
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import Synchronization

/// A race between the answer of an operation that cannot be stopped and a timeout; the first one wins, exactly once.
final class DeadlineRace: DeadlineTarget, Sendable {
    private struct State: Sendable {
        var isOver = false
        /// The closure to call when the time is up.
        var late: (@Sendable () -> Void)?
        /// The clock that tracks the timeout, and the entry in it.
        var timing: (clock: SharedTimerWheel, place: SharedTimerWheel.Place)?
        /// The closures that cancel the requests for the answer when the wait ends.
        var leaving: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Starts the timeout, unless the wait has already ended.
    ///
    /// - Parameters:
    ///   - clock: The clock that tracks the timeout.
    ///   - limit: The duration of the timeout.
    ///   - late: Called on the clock's loop when the time is up.
    func begin(by clock: SharedTimerWheel, upTo limit: Duration, otherwise late: @escaping @Sendable () -> Void) {
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

    func deadlinePassed() {
        let late = state.withLock { $0.late }
        if end() { late?() }
    }

    /// Registers a callback for the end of the wait; calls it immediately if the wait has already ended.
    ///
    /// - Parameter leave: The callback; `nil` if the answer has already arrived.
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
    /// - Returns: True if this call ended it.
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

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
        var onTimeout: (@Sendable () -> Void)?
        /// The clock that tracks the timeout, and the entry in it.
        var timing: (clock: SharedTimerWheel, handle: SharedTimerWheel.Handle)?
        /// The closures that cancel the requests for the answer when the wait ends.
        var callbacks: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Starts the timeout, unless the wait has already ended.
    ///
    /// - Parameters:
    ///   - clock: The clock that tracks the timeout.
    ///   - limit: The duration of the timeout.
    ///   - onTimeout: Called on the clock's loop when the time is up.
    func begin(by clock: SharedTimerWheel, upTo limit: Duration, otherwise onTimeout: @escaping @Sendable () -> Void) {
        let isWaiting = state.withLock { state in
            if !state.isOver { state.onTimeout = onTimeout }
            return !state.isOver
        }
        guard isWaiting else { return }
        let handle = clock.add(self, until: NIODeadline.now().after(limit))
        let isLate = state.withLock { state in
            if !state.isOver { state.timing = (clock, handle) }
            return state.isOver
        }
        if isLate { clock.remove(handle) }
    }

    func deadlinePassed() {
        let onTimeout = state.withLock { $0.onTimeout }
        if end() { onTimeout?() }
    }

    /// Registers a callback for the end of the wait; calls it immediately if the wait has already ended.
    ///
    /// - Parameter callback: The callback; `nil` if the answer has already arrived.
    func onEnd(_ callback: (@Sendable () -> Void)?) {
        guard let callback else { return }
        let isLate = state.withLock { state in
            if !state.isOver { state.callbacks.append(callback) }
            return state.isOver
        }
        if isLate { callback() }
    }

    /// Ends the wait.
    ///
    /// - Returns: True if this call ended it.
    func end() -> Bool {
        let (isEnd, timing, callbacks) = state.withLock { state in
            defer {
                state.isOver = true
                state.onTimeout = nil
                state.callbacks = []
            }
            return (!state.isOver, state.timing.take(), state.callbacks)
        }
        if let timing { timing.clock.remove(timing.handle) }
        for callback in callbacks { callback() }
        return isEnd
    }
}

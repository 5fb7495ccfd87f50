// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import Synchronization

/// An object with a timeout that a ``SharedTimerWheel`` reports, on any thread.
protocol DeadlineTarget: AnyObject, Sendable {
    /// Handles the timeout.
    func deadlinePassed()
}

/// The timer wheel for waits that belong to no event loop, such as that of an exchange for a connection; it uses a
/// single timer.
final class SharedTimerWheel: Sendable {
    typealias Handle = TimerWheel<any DeadlineTarget>.Handle

    private struct State: Sendable {
        var wheel = TimerWheel<any DeadlineTarget>()
        var timer: Scheduled<Void>?
        var timerAt: NIODeadline?
    }

    private let loop: any EventLoop
    private let state = Mutex(State())

    init(loop: any EventLoop) { self.loop = loop }

    deinit { state.withLock { $0.timer }?.cancel() }

    /// The number of pending timeouts; for tests.
    var count: Int { state.withLock { $0.wheel.count } }

    /// Adds a timeout; the result removes it.
    func add(_ waiter: any DeadlineTarget, until deadline: NIODeadline) -> Handle {
        let now = NIODeadline.now()
        let (handle, next) = state.withLock { state in
            let handle = state.wheel.add(waiter, until: deadline, now: now)
            return (handle, Self.toArm(&state))
        }
        if let next { arm(at: next) }
        return handle
    }

    func remove(_ handle: Handle) { state.withLock { $0.wheel.remove(handle) } }

    /// Returns the time for a new timer, unless the running one fires early enough.
    private static func toArm(_ state: inout State) -> NIODeadline? {
        guard let next = state.wheel.next else { return nil }
        if let at = state.timerAt, at <= next { return nil }
        state.timerAt = next
        return next
    }

    private func arm(at deadline: NIODeadline) {
        let timer = loop.scheduleTask(deadline: deadline) { [weak self] () -> Void in self?.timerFired(deadline) }
        let old = state.withLock { state -> Scheduled<Void>? in
            // Another thread may have set an earlier timer meanwhile.
            guard state.timerAt == deadline else { return timer }
            defer { state.timer = timer }
            return state.timer
        }
        old?.cancel()
    }

    private func timerFired(_ deadline: NIODeadline) {
        let now = NIODeadline.now()
        let (due, next) = state.withLock { state -> ([any DeadlineTarget], NIODeadline?) in
            if state.timerAt == deadline {
                state.timer = nil
                state.timerAt = nil
            }
            let due = state.wheel.due(now: now)
            return (due, Self.toArm(&state))
        }
        if let next { arm(at: next) }
        for waiter in due { waiter.deadlinePassed() }
    }
}

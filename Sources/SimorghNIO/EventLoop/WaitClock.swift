// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import Synchronization

/// Somebody who waits so long and no longer, on whatever thread.
protocol TimedWaiter: AnyObject, Sendable {
    /// The time is up.
    func waitTimePassed()
}

/// Tells exchanges that they have waited for a connection as long as they wanted to, and others whose wait is no event
/// loop's, by one timer for all of them.
final class WaitClock: Sendable {
    typealias Place = DeadlineWheel<any TimedWaiter>.Place

    private struct State: Sendable {
        var wheel = DeadlineWheel<any TimedWaiter>()
        var timer: Scheduled<Void>?
        var timerAt: NIODeadline?
    }

    private let loop: any EventLoop
    private let state = Mutex(State())

    init(loop: any EventLoop) { self.loop = loop }

    deinit { state.withLock { $0.timer }?.cancel() }

    /// How many wait; for tests.
    var count: Int { state.withLock { $0.wheel.count } }

    /// Somebody waits, and leaves by the place that he is given.
    func add(_ waiter: any TimedWaiter, until deadline: NIODeadline) -> Place {
        let now = NIODeadline.now()
        let (place, next) = state.withLock { state in
            let place = state.wheel.add(waiter, until: deadline, now: now)
            return (place, Self.toArm(&state))
        }
        if let next { arm(at: next) }
        return place
    }

    func remove(_ place: Place) { state.withLock { $0.wheel.remove(place) } }

    /// The time for a timer, if there is none that rings early enough.
    private static func toArm(_ state: inout State) -> NIODeadline? {
        guard let next = state.wheel.next else { return nil }
        if let at = state.timerAt, at <= next { return nil }
        state.timerAt = next
        return next
    }

    private func arm(at deadline: NIODeadline) {
        let timer = loop.scheduleTask(deadline: deadline) { [weak self] () -> Void in self?.rang(deadline) }
        let old = state.withLock { state -> Scheduled<Void>? in
            // Somebody else may have set an earlier one meanwhile.
            guard state.timerAt == deadline else { return timer }
            defer { state.timer = timer }
            return state.timer
        }
        old?.cancel()
    }

    private func rang(_ deadline: NIODeadline) {
        let now = NIODeadline.now()
        let (due, next) = state.withLock { state -> ([any TimedWaiter], NIODeadline?) in
            if state.timerAt == deadline {
                state.timer = nil
                state.timerAt = nil
            }
            let due = state.wheel.due(now: now)
            return (due, Self.toArm(&state))
        }
        if let next { arm(at: next) }
        for waiter in due { waiter.waitTimePassed() }
    }
}

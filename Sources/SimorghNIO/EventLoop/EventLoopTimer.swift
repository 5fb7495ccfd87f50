// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// A one-shot timer on an event loop, based on the loop's ``EventLoopTimerWheel``; used only on the loop.
///
/// While it runs, the clock retains it and its closures; its owner has to stop it in the end.
package final class EventLoopTimer: TimerTarget {
    private let clock: EventLoopTimerWheel
    private var handle: EventLoopTimerWheel.Handle?
    private var deadline = NIODeadline.distantFuture
    private var action: (() -> Void)?
    private var end: (() -> Void)?

    /// Creates a stopped timer.
    ///
    /// - Parameter clock: The clock of the loop.
    package init(_ clock: EventLoopTimerWheel) { self.clock = clock }

    /// True if the timer has been started, and has neither fired nor been stopped.
    package var isRunning: Bool { action != nil }

    /// Starts or restarts the timer.
    ///
    /// - Parameters:
    ///   - time: The time until it fires.
    ///   - action: Called when it fires, unless it is stopped or restarted before.
    package func start(_ time: Duration, action: @escaping () -> Void) { start(time, action: action, otherwise: {}) }

    /// Starts or restarts the timer.
    ///
    /// - Parameters:
    ///   - time: The time until it fires.
    ///   - action: Called when it fires, unless it is stopped or restarted before.
    ///   - end: Called instead, on the loop, if the loop is shut down before.
    package func start(_ time: Duration, action: @escaping () -> Void, otherwise end: @escaping () -> Void) {
        self.action = action
        self.end = end
        deadline = NIODeadline.now().after(time)
        handle = clock.wake(self, at: deadline, insteadOf: handle)
    }

    /// Stops the timer; no closure is called any more.
    package func stop() {
        clock.cancel(handle.take())
        action = nil
        end = nil
    }

    package func timerFired() {
        // A timer that fired at the same time may have restarted this one.
        guard deadline <= .now() else { return }
        clock.cancel(handle.take())
        end = nil
        action.take()?()
    }

    package func loopEnds() {
        clock.cancel(handle.take())
        action = nil
        // No closure is left if another object has stopped the timer during the shutdown.
        end.take()?()
    }
}

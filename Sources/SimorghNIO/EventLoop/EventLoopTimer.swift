// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// A one-shot timer on an event loop, based on the loop's ``EventLoopTimerWheel``; used only on the loop.
///
/// While it runs, the clock retains it and its closures; its owner has to stop it in the end.
package final class EventLoopTimer: TimerTarget {
    private let clock: EventLoopTimerWheel
    private var place: EventLoopTimerWheel.Place?
    private var deadline = NIODeadline.distantFuture
    private var ring: (() -> Void)?
    private var end: (() -> Void)?

    /// Creates a stopped timer.
    ///
    /// - Parameter clock: The clock of the loop.
    package init(_ clock: EventLoopTimerWheel) { self.clock = clock }

    /// True if the timer has been started, and has neither fired nor been stopped.
    package var isRunning: Bool { ring != nil }

    /// Starts or restarts the timer.
    ///
    /// - Parameters:
    ///   - time: The time until it fires.
    ///   - ring: Called when it fires, unless it is stopped or restarted before.
    package func start(_ time: Duration, _ ring: @escaping () -> Void) { start(time, ring, otherwise: {}) }

    /// Starts or restarts the timer.
    ///
    /// - Parameters:
    ///   - time: The time until it fires.
    ///   - ring: Called when it fires, unless it is stopped or restarted before.
    ///   - end: Called instead, on the loop, if the loop is shut down before.
    package func start(_ time: Duration, _ ring: @escaping () -> Void, otherwise end: @escaping () -> Void) {
        self.ring = ring
        self.end = end
        deadline = NIODeadline.now().after(time)
        place = clock.wake(self, at: deadline, insteadOf: place)
    }

    /// Stops the timer; no closure is called any more.
    package func stop() {
        clock.forget(place.take())
        ring = nil
        end = nil
    }

    package func woken() {
        // A timer that fired at the same time may have restarted this one.
        guard deadline <= .now() else { return }
        clock.forget(place.take())
        end = nil
        ring.take()?()
    }

    package func loopEnds() {
        clock.forget(place.take())
        ring = nil
        // No closure is left if another object has stopped the timer during the shutdown.
        end.take()?()
    }
}

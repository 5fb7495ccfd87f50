// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Calls a function once at a time, on an event loop, by the loop's ``LoopClock``; used on the loop alone.
///
/// The clock holds it while it runs, and it what the function holds: whoever starts it stops it at his end.
package final class LoopTimer: Sleeper {
    private let clock: LoopClock
    private var place: LoopClock.Place?
    private var deadline = NIODeadline.distantFuture
    private var ring: (() -> Void)?
    private var end: (() -> Void)?

    /// - Parameter clock: The clock of the loop.
    package init(_ clock: LoopClock) { self.clock = clock }

    /// Whether it will ring, unless it is stopped.
    package var isRunning: Bool { ring != nil }

    /// Starts it, in place of what it was started for before.
    ///
    /// - Parameters:
    ///   - time: How long it takes.
    ///   - ring: Called when that is over, unless it was stopped or started anew.
    package func start(_ time: Duration, _ ring: @escaping () -> Void) { start(time, ring, otherwise: {}) }

    /// Starts it, in place of what it was started for before.
    ///
    /// - Parameters:
    ///   - time: How long it takes.
    ///   - ring: Called when that is over, unless it was stopped or started anew.
    ///   - end: Called instead, on the loop, where that is shut down before.
    package func start(_ time: Duration, _ ring: @escaping () -> Void, otherwise end: @escaping () -> Void) {
        self.ring = ring
        self.end = end
        deadline = NIODeadline.now().after(time)
        place = clock.wake(self, at: deadline, insteadOf: place)
    }

    /// Stops it; nothing is called any more.
    package func stop() {
        clock.forget(place.take())
        ring = nil
        end = nil
    }

    package func woken() {
        // Another that was woken with it may have started it anew.
        guard deadline <= .now() else { return }
        clock.forget(place.take())
        end = nil
        ring.take()?()
    }

    package func loopEnds() {
        clock.forget(place.take())
        ring = nil
        // Nothing where another that heard of it before has stopped it.
        end.take()?()
    }
}

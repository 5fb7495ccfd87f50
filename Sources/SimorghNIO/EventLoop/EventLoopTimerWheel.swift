// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// An object on an event loop that a ``EventLoopTimerWheel`` calls at a deadline.
package protocol TimerTarget: AnyObject {
    /// Handles the deadline.
    func timerFired()

    /// Handles the shutdown of the loop, after which there are no more calls; does nothing by default.
    func loopEnds()
}

extension TimerTarget {
    package func loopEnds() {}
}

/// The timer wheel of one event loop: serves its connections and dials with a single timer of the loop.
///
/// Every connection has a timer, and an event loop's own timers search through all of them at each cancellation.
package final class EventLoopTimerWheel {
    package typealias Handle = TimerWheel<any TimerTarget>.Handle

    private let loop: any EventLoop
    private var wheel = TimerWheel<any TimerTarget>()
    private var timer: Scheduled<Void>?
    private var timerAt: NIODeadline?

    package init(_ loop: any EventLoop) { self.loop = loop }

    deinit { timer?.cancel() }

    /// Schedules one call, no earlier than at a deadline.
    ///
    /// - Parameters:
    ///   - target: The object to call.
    ///   - deadline: The deadline.
    ///   - earlier: An earlier schedule to cancel.
    /// - Returns: The handle that cancels the call.
    package func wake(_ target: any TimerTarget, at deadline: NIODeadline, insteadOf earlier: Handle?) -> Handle {
        if let earlier { wheel.remove(earlier) }
        let handle = wheel.add(target, until: deadline, now: .now())
        arm()
        return handle
    }

    /// Cancels a scheduled call.
    package func cancel(_ handle: Handle?) {
        if let handle { wheel.remove(handle) }
    }

    private func arm() {
        guard let next = wheel.next else { return }
        if let timerAt, timerAt <= next { return }
        timer?.cancel()
        timerAt = next
        timer = loop.assumeIsolated().scheduleTask(deadline: next) { [weak self] in self?.timerFired() }
        timer?.futureResult.assumeIsolated().whenFailure { [weak self] error in
            // Any other error means that the timer was replaced by an earlier one.
            if case EventLoopError.shutdown = error { self?.loopEnds() }
        }
    }

    private func timerFired() {
        timer = nil
        timerAt = nil
        for target in wheel.due(now: .now()) { target.timerFired() }
        arm()
    }

    private func loopEnds() {
        timer = nil
        timerAt = nil
        for target in wheel.due(now: .distantFuture) { target.loopEnds() }
    }
}

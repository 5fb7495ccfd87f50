// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Somebody on an event loop who wants to be woken.
package protocol Sleeper: AnyObject {
    /// The time has come that was asked for.
    func woken()

    /// The loop is being shut down, on which nobody is woken any more; nothing by default.
    func loopEnds()
}

extension Sleeper {
    package func loopEnds() {}
}

/// Wakes the connections of one event loop, and those that open some, on it, by one timer for all of them.
///
/// An event loop's own timers cost a search through all of them at each that is cancelled, and every connection has one.
package final class LoopClock {
    package typealias Place = DeadlineWheel<any Sleeper>.Place

    private let loop: any EventLoop
    private var wheel = DeadlineWheel<any Sleeper>()
    private var timer: Scheduled<Void>?
    private var timerAt: NIODeadline?

    package init(_ loop: any EventLoop) { self.loop = loop }

    deinit { timer?.cancel() }

    /// Wakes somebody once, no earlier than at a time.
    ///
    /// - Parameters:
    ///   - sleeper: Whom.
    ///   - deadline: The time.
    ///   - earlier: What was asked for before and holds no more.
    /// - Returns: By what it is called off.
    package func wake(_ sleeper: any Sleeper, at deadline: NIODeadline, insteadOf earlier: Place?) -> Place {
        if let earlier { wheel.remove(earlier) }
        let place = wheel.add(sleeper, until: deadline, now: .now())
        arm()
        return place
    }

    /// Wakes somebody no more.
    package func forget(_ place: Place?) {
        if let place { wheel.remove(place) }
    }

    private func arm() {
        guard let next = wheel.next else { return }
        if let timerAt, timerAt <= next { return }
        timer?.cancel()
        timerAt = next
        timer = loop.assumeIsolated().scheduleTask(deadline: next) { [weak self] in self?.rang() }
        timer?.futureResult.assumeIsolated().whenFailure { [weak self] error in
            // Else it was called off for an earlier one.
            if case EventLoopError.shutdown = error { self?.loopEnds() }
        }
    }

    private func rang() {
        timer = nil
        timerAt = nil
        for sleeper in wheel.due(now: .now()) { sleeper.woken() }
        arm()
    }

    private func loopEnds() {
        timer = nil
        timerAt = nil
        for sleeper in wheel.due(now: .distantFuture) { sleeper.loopEnds() }
    }
}

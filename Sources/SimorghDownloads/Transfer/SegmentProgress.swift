// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The state shared by the connections of one download: their segments, the progress and the speed.
final class SegmentProgress: Sendable {
    private struct State {
        var plan: SegmentPlanner
        /// Over HTTP/2, the trial that decides how many connections are used.
        var trial: SegmentTrial?
        /// True if additional connections did not help.
        var isReduced = false
        /// The bytes that arrived in this run.
        var gain: Int64 = 0
        var meter = SpeedMeter()
        var received: Int64
        var waits = 0
    }

    let total: Int64?
    /// True if the disk space of the whole file is preallocated.
    let isReserved: Bool
    /// True if the first connection uses HTTP/2, and others are opened only if they help.
    let isTrial: Bool
    private let clock: Stopwatch
    private let state: Mutex<State>

    init(
        _ plan: SegmentPlanner, trial: SegmentTrial?, received: Int64, total: Int64?, isReserved: Bool, time: TimeSource
    ) {
        self.total = total
        self.isReserved = isReserved
        isTrial = trial != nil
        clock = time.stopwatch()
        state = Mutex(State(plan: plan, trial: trial, received: received))
    }

    /// Returns a segment for a free connection.
    ///
    /// - Parameter isExtra: True for an additional connection next to one over HTTP/2.
    /// - Returns: The segment; `nil` if another connection would not help.
    func next(isExtra: Bool = false) -> SegmentPlanner.Segment? {
        let now = clock.elapsed
        return state.withLock { state in
            guard isExtra else {
                let limit = state.plan.limit
                defer { state.plan.limit = limit }
                // The first connection takes over segments of those that did not help, so that the slowest does not
                // finish last.
                if state.isReduced { state.plan.limit = max(limit, state.plan.segments.count + 1) }
                return state.plan.next(now: now)
            }
            let maximum = state.trial?.piece.map { max($0, state.plan.minimum) } ?? .max
            return state.plan.next(now: now, atMost: maximum)
        }
    }

    /// Counts received bytes.
    ///
    /// - Returns: Their range in the file, and true if the segment is complete.
    func received(_ count: Int, for segment: Int) -> (range: Range<Int64>, isFinished: Bool) {
        let now = clock.elapsed
        return state.withLock { state in
            let range = state.plan.received(count, for: segment)
            let length = range.upperBound - range.lowerBound
            state.received += length
            state.gain += length
            state.meter.received(length, at: now)
            return (range, state.plan.isFinished(segment))
        }
    }

    func isFinished(_ segment: Int) -> Bool { state.withLock { $0.plan.isFinished(segment) } }

    /// Returns a segment to the plan.
    func ended(_ segment: Int) { state.withLock { $0.plan.ended(segment) } }

    /// Limits the number of connections to the current number.
    func shrink() {
        state.withLock { state in
            state.trial?.end()
            state.plan.limit = max(1, min(state.plan.limit, state.plan.segments.count))
        }
    }

    /// Allows more connections over HTTP/2 if they help.
    ///
    /// It is called about once a second.
    func measure() {
        let now = clock.elapsed
        state.withLock { state in
            guard state.trial?.isEnded == false else { return }
            let segments = state.plan.segments
            let areOpen = segments.count >= state.plan.limit && segments.allSatisfy { $0.position > $0.start }
            state.trial?.measured(
                received: state.gain, missing: state.plan.missing, isHeldBack: state.waits > 0, areOpen: areOpen,
                at: now)
            guard let limit = state.trial?.limit else { return }
            state.isReduced = limit < state.plan.limit
            state.plan.limit = limit
        }
    }

    /// Extends a running segment over the gaps that follow it.
    func widen(_ segment: Int, upTo end: Int64) { state.withLock { $0.plan.widen(segment, upTo: end) } }

    var isDone: Bool { state.withLock { $0.plan.isDone } }
    var connections: Int { state.withLock { $0.plan.segments.count } }
    var hasGained: Bool { state.withLock { $0.gain > 0 } }

    /// True if reading is paused because of a bandwidth limit of the client.
    var isHeldBack: Bool { state.withLock { $0.waits > 0 } }

    func setWaiting(_ isWaiting: Bool) { state.withLock { $0.waits += isWaiting ? 1 : -1 } }

    var report: DownloadAttempt.Report {
        let now = clock.elapsed
        return state.withLock { state in
            // If the length is unknown, or is not that of the file, the plan has no end.
            let missing = total.map { total in
                state.plan.missingRanges.map { $0.clamped(to: 0..<max(0, total)) }.filter { !$0.isEmpty }
            }
            return DownloadAttempt.Report(
                received: state.received, total: total, speed: state.meter.speed(at: now),
                eta: total.flatMap { state.meter.remaining($0 - state.received, at: now) },
                connections: state.plan.segments.count, hasGained: state.gain > 0, missing: missing)
        }
    }
}

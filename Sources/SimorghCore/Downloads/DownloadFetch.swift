// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// What the connections of one download share: who fetches what, how far they are, and how fast.
final class DownloadFetch: Sendable {
    private struct State {
        var plan: SegmentPlanner
        var meter = SpeedMeter()
        var received: Int64
        var waits = 0
        var gained = false
    }

    let total: Int64?
    /// Whether the room for all of it is taken.
    let isReserved: Bool
    private let clock: Stopwatch
    private let state: Mutex<State>

    init(_ plan: SegmentPlanner, received: Int64, total: Int64?, isReserved: Bool, time: TimeSource) {
        self.total = total
        self.isReserved = isReserved
        clock = time.stopwatch()
        state = Mutex(State(plan: plan, received: received))
    }

    /// A part for a connection that is free.
    func next() -> SegmentPlanner.Segment? {
        let now = clock.elapsed
        return state.withLock { $0.plan.next(now: now) }
    }

    /// Takes bytes in.
    ///
    /// - Returns: Where they belong, and whether the part has all its bytes.
    func received(_ count: Int, for segment: Int) -> (place: Range<Int64>, isFinished: Bool) {
        let now = clock.elapsed
        return state.withLock { state in
            let place = state.plan.received(count, for: segment)
            let length = place.upperBound - place.lowerBound
            state.received += length
            state.gained = state.gained || length > 0
            state.meter.received(length, at: now)
            return (place, state.plan.isFinished(segment))
        }
    }

    func isFinished(_ segment: Int) -> Bool { state.withLock { $0.plan.isFinished(segment) } }

    /// Takes a part back.
    func ended(_ segment: Int) { state.withLock { $0.plan.ended(segment) } }

    /// Opens no more connections than there are.
    func shrink() { state.withLock { $0.plan.limit = max(1, $0.plan.segments.count) } }

    /// Lets a part that goes on take what lies behind it.
    func widen(_ segment: Int, upTo end: Int64) { state.withLock { $0.plan.widen(segment, upTo: end) } }

    var isDone: Bool { state.withLock { $0.plan.isDone } }
    var connections: Int { state.withLock { $0.plan.segments.count } }
    var hasGained: Bool { state.withLock { $0.gained } }

    /// Whether nothing is read because of a limit of ours.
    var isHeldBack: Bool { state.withLock { $0.waits > 0 } }

    func held(_ isWaiting: Bool) { state.withLock { $0.waits += isWaiting ? 1 : -1 } }

    var report: DownloadRun.Report {
        let now = clock.elapsed
        return state.withLock { state in
            // Where the length is not known, or is not that of the file, the plan has no end.
            let missing = total.map { total in
                state.plan.missingRanges.map { $0.clamped(to: 0..<max(0, total)) }.filter { !$0.isEmpty }
            }
            return DownloadRun.Report(
                received: state.received, total: total, speed: state.meter.speed(at: now),
                eta: total.flatMap { state.meter.remaining($0 - state.received, at: now) },
                connections: state.plan.segments.count, hasGained: state.gained, missing: missing)
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = TestClock()
/// let client = APIClient.scripted(transport) { $0.time = clock.timeSource }
/// async let answer = client.call(.get, "x").data()
/// try await clock.sleeping()            // The call waits before its second attempt.
/// clock.advance(by: .seconds(1))
/// ```
public final class TestClock: Clock {
    /// A moment: how long after the clock's beginning it is.
    public struct Instant: InstantProtocol {
        /// How long after the clock's beginning it is.
        public let offset: Duration

        /// A moment some time later.
        ///
        /// - Parameter duration: How much later.
        /// - Returns: The moment.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The time from here to another moment.
        ///
        /// - Parameter other: The other moment.
        /// - Returns: The time; negative for an earlier moment.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether a moment is before another.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let id: Int
        let until: Instant
        let gate: Gate
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextID = 0
        var sleepers: [Sleeper] = []
        var waits: [Duration] = []
        var watchers: [Watcher] = []
    }

    private struct Watcher {
        let count: Int
        let limit: Duration?
        let gate: Gate

        func isSatisfied(by sleepers: [Sleeper], at now: Instant) -> Bool {
            guard let limit else { return sleepers.count >= count }
            return sleepers.count { now.duration(to: $0.until) <= limit } >= count
        }
    }

    private let state = Mutex(State())
    private let movesItself: Bool
    private let beginning: Date

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - movesItself: Whether nobody ever waits: each sleep moves the clock to its end at once. Off by default.
    ///   - beginning: The date at which it begins; 1 January 2026 by default.
    public init(movesItself: Bool = false, beginning: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        self.movesItself = movesItself
        self.beginning = beginning
    }

    /// The moment the clock shows.
    public var now: Instant { state.withLock { $0.now } }

    /// Every moment is its own.
    public var minimumResolution: Duration { .zero }

    /// The date the clock shows.
    public var date: Date { beginning.addingTimeInterval(now.offset / .seconds(1)) }

    /// The clock as the settings of a client take it.
    public var timeSource: TimeSource { TimeSource(clock: self) { self.date } }

    /// How long each wait was to be, in the order in which they began; the first 100,000.
    public var waits: [Duration] { state.withLock { $0.waits } }

    /// The moments at which those wake up who sleep, in the order in which they began.
    package var wakings: [Instant] { state.withLock { $0.sleepers.map(\.until) } }

    /// Moves the clock on and wakes who is due, the earliest first.
    ///
    /// - Parameter duration: How far.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.until <= state.now }
            state.sleepers.removeAll { $0.until <= state.now }
            return due.sorted { $0.until < $1.until }
        }
        for sleeper in due { sleeper.gate.open() }
    }

    /// Waits until somebody sleeps on this clock.
    ///
    /// - Parameters:
    ///   - count: How many sleep at least; one by default.
    ///   - limit: Counts only who has no longer to sleep than this, so that a short wait is told from a deadline; everybody
    ///     by default.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleeping(_ count: Int = 1, forAtMost limit: Duration? = nil) async throws {
        let watcher = Watcher(count: count, limit: limit, gate: Gate())
        state.withLock { state in
            if watcher.isSatisfied(by: state.sleepers, at: state.now) {
                watcher.gate.open()
            } else {
                state.watchers.append(watcher)
            }
        }
        defer { state.withLock { $0.watchers.removeAll { $0.gate === watcher.gate } } }
        try await watcher.gate.wait()
    }

    /// Sleeps until the clock was moved to a moment.
    ///
    /// - Parameters:
    ///   - deadline: The moment.
    ///   - tolerance: Not used.
    /// - Throws: `CancellationError` at once when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let (sleeper, woken): (Sleeper?, [Gate]) = state.withLock { state in
            if state.waits.count < 100_000 { state.waits.append(state.now.duration(to: deadline)) }
            if movesItself { state.now = max(state.now, deadline) }
            guard deadline > state.now else { return (nil, []) }
            state.nextID += 1
            let sleeper = Sleeper(id: state.nextID, until: deadline, gate: Gate())
            state.sleepers.append(sleeper)
            let (sleepers, now) = (state.sleepers, state.now)
            let woken = state.watchers.filter { $0.isSatisfied(by: sleepers, at: now) }.map(\.gate)
            state.watchers.removeAll { $0.isSatisfied(by: sleepers, at: now) }
            return (sleeper, woken)
        }
        for gate in woken { gate.open() }
        guard let sleeper else { return }
        defer { state.withLock { $0.sleepers.removeAll { $0.id == sleeper.id } } }
        try await sleeper.gate.wait()
    }
}

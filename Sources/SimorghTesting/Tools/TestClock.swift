// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghSupport
import Synchronization

/// A clock that advances only when a test moves it.
///
/// ```swift
/// let clock = TestClock()
/// let client = APIClient.scripted(transport) { $0.time = clock.timeSource }
/// async let answer = client.call(.get, "x").data()
/// try await clock.sleeping()            // The call waits before its second attempt.
/// clock.advance(by: .seconds(1))
/// ```
public final class TestClock: Clock {
    /// A moment, as the time since the clock's beginning.
    public struct Instant: InstantProtocol {
        /// The time since the clock's beginning.
        public let offset: Duration

        /// Returns the moment after a duration.
        ///
        /// - Parameter duration: The duration.
        /// - Returns: The moment.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the duration to another moment.
        ///
        /// - Parameter other: The other moment.
        /// - Returns: The duration; negative for an earlier moment.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Returns true if a moment is before another.
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

        func satisfies(_ watcher: Watcher) -> Bool {
            sleepers.count { watcher.counts(now.duration(to: $0.until)) } >= watcher.count
        }

        /// Removes the watchers whose condition holds and returns their gates.
        mutating func ready() -> [Gate] {
            guard !watchers.isEmpty else { return [] }
            let gates = watchers.filter { satisfies($0) }.map(\.gate)
            watchers.removeAll { watcher in gates.contains { $0 === watcher.gate } }
            return gates
        }

        /// Moves to a moment.
        ///
        /// Returns the gates of the sleepers that are due, earliest first, and of the satisfied watchers.
        mutating func move(to moment: Instant) -> [Gate] {
            now = moment
            let due = sleepers.filter { $0.until <= moment }.sorted { $0.until < $1.until }
            sleepers.removeAll { $0.until <= moment }
            return due.map(\.gate) + ready()
        }
    }

    private struct Watcher {
        let count: Int
        /// Returns true if a sleeper with this remaining time counts.
        let counts: @Sendable (Duration) -> Bool
        let gate = Gate()
    }

    private let state = Mutex(State())
    private let movesItself: Bool
    private let beginning: Date

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - movesItself: True if each sleep advances the clock to its end at once, so that no task waits; false by
    ///     default.
    ///   - beginning: The initial date; 1 January 2026 by default.
    public init(movesItself: Bool = false, beginning: Date = Date(timeIntervalSince1970: 1_767_225_600)) {
        self.movesItself = movesItself
        self.beginning = beginning
    }

    /// The current moment.
    public var now: Instant { state.withLock { $0.now } }

    /// The resolution; zero, because all moments are distinct.
    public var minimumResolution: Duration { .zero }

    /// The current date.
    public var date: Date { beginning.addingTimeInterval(now.offset / .seconds(1)) }

    /// The clock as a time source for a client's configuration.
    public var timeSource: TimeSource { TimeSource(clock: self) { self.date } }

    /// The requested durations of the sleeps, in the order in which they began; the first 100,000.
    public var waits: [Duration] { state.withLock { $0.waits } }

    /// The deadlines of the current sleeps, in the order in which they began.
    package var wakings: [Instant] { state.withLock { $0.sleepers.map(\.until) } }

    /// Advances the clock and wakes the sleepers that are due, earliest first.
    ///
    /// - Parameter duration: The duration.
    public func advance(by duration: Duration) {
        let gates = state.withLock { state in state.move(to: state.now.advanced(by: duration)) }
        for gate in gates { gate.open() }
    }

    /// Advances the clock from one short sleep to the next until a condition holds.
    ///
    /// Use it to go through backoff, reconnections or polls, regardless of their number.
    ///
    /// ```swift
    /// try await clock.skipWaits(upTo: .seconds(5)) { transport.requestCount >= 4 }
    /// ```
    /// The clock advances only to the deadline of a sleep, so that even on a slow machine it does not reach a deadline
    /// that is further away than the limit. While there is no short sleep, it checks again every 0.2 ms of real time.
    /// It ends only when the condition holds: give the test a time limit.
    ///
    /// - Parameters:
    ///   - limit: The longest sleep to skip. A longer one is left alone until its remaining time is within the limit.
    ///   - holds: Returns true when the condition holds. It is called between any two advances.
    /// - Throws: The error of `holds`, and `CancellationError` if the task is cancelled first.
    public func skipWaits(upTo limit: Duration, until holds: () async throws -> Bool) async throws {
        while try await !holds() {
            try Task.checkCancellation()
            let gates: [Gate]? = state.withLock { state in
                guard let next = state.sleepers.map(\.until).min() else { return nil }
                return state.now.duration(to: next) <= limit ? state.move(to: next) : nil
            }
            if let gates {
                for gate in gates { gate.open() }
                // Let the woken tasks run first.
                await Task.yield()
            } else {
                try await Task.sleep(for: .microseconds(200))
            }
        }
    }

    /// Waits until a task sleeps on this clock; returns at once if enough tasks do.
    ///
    /// - Parameters:
    ///   - count: The minimum number of sleeping tasks; 1 by default.
    ///   - limit: Counts only sleeps with at most this remaining time, to distinguish a short wait from a deadline;
    ///     `nil`, the default, counts all.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleeping(_ count: Int = 1, forAtMost limit: Duration? = nil) async throws {
        try await wait(for: count) { left in limit.map { left <= $0 } ?? true }
    }

    /// Waits until a task sleeps on this clock with exactly the given remaining time, such as a known backoff.
    ///
    /// It distinguishes one wait from shorter ones, such as one that was cancelled and has not yet woken up.
    ///
    /// - Parameters:
    ///   - count: The minimum number of such tasks; 1 by default.
    ///   - duration: The remaining time at the clock's current moment.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleeping(_ count: Int = 1, for duration: Duration) async throws {
        try await wait(for: count) { $0 == duration }
    }

    private func wait(for count: Int, where counts: @escaping @Sendable (Duration) -> Bool) async throws {
        let watcher = Watcher(count: count, counts: counts)
        state.withLock { state in
            if state.satisfies(watcher) { watcher.gate.open() } else { state.watchers.append(watcher) }
        }
        defer { state.withLock { $0.watchers.removeAll { $0.gate === watcher.gate } } }
        try await watcher.gate.wait()
    }

    /// Sleeps until the clock has advanced to a moment.
    ///
    /// - Parameters:
    ///   - deadline: The moment.
    ///   - tolerance: Not used.
    /// - Throws: `CancellationError` immediately if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let (sleeper, woken): (Sleeper?, [Gate]) = state.withLock { state in
            if state.waits.count < 100_000 { state.waits.append(state.now.duration(to: deadline)) }
            if movesItself { state.now = max(state.now, deadline) }
            guard deadline > state.now else { return (nil, []) }
            state.nextID += 1
            let sleeper = Sleeper(id: state.nextID, until: deadline, gate: Gate())
            state.sleepers.append(sleeper)
            return (sleeper, state.ready())
        }
        for gate in woken { gate.open() }
        guard let sleeper else { return }
        defer { state.withLock { $0.sleepers.removeAll { $0.id == sleeper.id } } }
        try await sleeper.gate.wait()
    }
}

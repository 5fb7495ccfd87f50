// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghSupport
import Synchronization

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

        func satisfies(_ watcher: Watcher) -> Bool {
            sleepers.count { watcher.counts(now.duration(to: $0.until)) } >= watcher.count
        }

        /// The gates of those who have seen what they wait for.
        mutating func ready() -> [Gate] {
            guard !watchers.isEmpty else { return [] }
            let gates = watchers.filter { satisfies($0) }.map(\.gate)
            watchers.removeAll { watcher in gates.contains { $0 === watcher.gate } }
            return gates
        }

        /// Moves to a moment, and takes out who is due, the earliest first, and whoever waits for what is so now.
        mutating func move(to moment: Instant) -> [Gate] {
            now = moment
            let due = sleepers.filter { $0.until <= moment }.sorted { $0.until < $1.until }
            sleepers.removeAll { $0.until <= moment }
            return due.map(\.gate) + ready()
        }
    }

    private struct Watcher {
        let count: Int
        /// Whether a sleeper counts who has so long to sleep.
        let counts: @Sendable (Duration) -> Bool
        let gate = Gate()
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
        let gates = state.withLock { state in state.move(to: state.now.advanced(by: duration)) }
        for gate in gates { gate.open() }
    }

    /// Moves the clock from one short wait to the next until something holds: so a test goes through backoff, reconnections
    /// or polls, however many they are.
    ///
    /// ```swift
    /// try await clock.skipWaits(upTo: .seconds(5)) { transport.requestCount >= 4 }
    /// ```
    /// It goes to the moment at which somebody wakes up, and never further than somebody waits: however long a slow
    /// machine takes, the clock comes to no deadline that is further away than the limit. While nobody sleeps for a short
    /// time, it looks again every fifth of a millisecond of real time. It ends only when it holds: give the test a limit.
    ///
    /// - Parameters:
    ///   - limit: The longest wait that is meant; a longer one is left alone, until no more than this is left of it.
    ///   - holds: Whether it holds. It is asked between any two moves.
    /// - Throws: What `holds` throws, and `CancellationError` where the task is cancelled before it holds.
    public func skipWaits(upTo limit: Duration, until holds: () async throws -> Bool) async throws {
        while try await !holds() {
            try Task.checkCancellation()
            let gates: [Gate]? = state.withLock { state in
                guard let next = state.sleepers.map(\.until).min() else { return nil }
                return state.now.duration(to: next) <= limit ? state.move(to: next) : nil
            }
            if let gates {
                for gate in gates { gate.open() }
                // Who was woken goes first.
                await Task.yield()
            } else {
                try await Task.sleep(for: .microseconds(200))
            }
        }
    }

    /// Waits until somebody sleeps on this clock.
    ///
    /// - Parameters:
    ///   - count: How many sleep at least; one by default.
    ///   - limit: Counts only who has no longer to sleep than this, so that a short wait is told from a deadline; everybody
    ///     by default.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleeping(_ count: Int = 1, forAtMost limit: Duration? = nil) async throws {
        try await wait(for: count) { left in limit.map { left <= $0 } ?? true }
    }

    /// Waits until somebody sleeps on this clock who has just so long to sleep: before the attempt after a backoff that a
    /// test knows, say.
    ///
    /// It tells one wait from others that are shorter, such as one that was cancelled and has not woken up yet.
    ///
    /// - Parameters:
    ///   - count: How many sleep for just so long, at least; one by default.
    ///   - duration: How long from now, as the clock stands.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleeping(_ count: Int = 1, for duration: Duration) async throws {
        try await wait(for: count) { $0 == duration }
    }

    private func wait(for count: Int, _ counts: @escaping @Sendable (Duration) -> Bool) async throws {
        let watcher = Watcher(count: count, counts: counts)
        state.withLock { state in
            if state.satisfies(watcher) { watcher.gate.open() } else { state.watchers.append(watcher) }
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
            return (sleeper, state.ready())
        }
        for gate in woken { gate.open() }
        guard let sleeper else { return }
        defer { state.withLock { $0.sleepers.removeAll { $0.id == sleeper.id } } }
        try await sleeper.gate.wait()
    }
}

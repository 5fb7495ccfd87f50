// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Where whoever waits takes the time from, so that a test never sleeps.
///
/// Two clocks in one: a monotonic one for waits and deadlines, and the calendar for what servers date (`Retry-After`,
/// cookies, tokens).
public struct TimeSource: Sendable {
    /// The system's clocks.
    public static let system = TimeSource(clock: ContinuousClock()) { Date() }

    private let sleepFor: @Sendable (Duration) async throws -> Void
    private let start: @Sendable () -> @Sendable () -> Duration
    private let calendar: @Sendable () -> Date

    /// Creates a time source.
    ///
    /// - Parameters:
    ///   - clock: Measures waits and deadlines.
    ///   - now: Gives the date.
    public init(clock: some Clock<Duration>, now: @escaping @Sendable () -> Date) {
        sleepFor = { try await clock.sleep(for: $0) }
        start = {
            let beginning = clock.now
            return { beginning.duration(to: clock.now) }
        }
        calendar = now
    }

    /// The date.
    package var now: Date { calendar() }
    /// The same in milliseconds since 1970.
    package var milliseconds: Int64 { Int64(now.timeIntervalSince1970 * 1000) }

    /// Waits.
    ///
    /// - Parameter duration: How long; zero and less do not wait, and more than a hundred years are a hundred.
    /// - Throws: `CancellationError` at once when the task is cancelled.
    package func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        // A clock may count in a number that a longer time does not fit into.
        if duration > .zero { try await sleepFor(min(duration, .seconds(3_155_760_000))) }
    }

    /// Waits for so long, or until something happens.
    ///
    /// - Parameters:
    ///   - duration: How long at most.
    ///   - event: Returns when it happens; its task is cancelled when the time is over, and is not waited for, since whoever
    ///     does not look at the cancellation may keep nobody waiting.
    ///   - floor: How long to wait even where it happens.
    /// - Returns: `false` where the task was cancelled meanwhile.
    package func sleep(
        for duration: Duration, orUntil event: (@Sendable () async -> Void)?, butAtLeast floor: Duration = .zero
    ) async -> Bool {
        guard let event, floor < duration else { return (try? await sleep(for: duration)) != nil }
        let bell = Bell()
        let watch = stopwatch()
        let timer = Task {
            try? await self.sleep(for: duration)
            bell.ring()
        }
        let listener = Task {
            await event()
            let rest = floor - watch.elapsed
            if rest > .zero { try? await self.sleep(for: rest) }
            bell.ring()
        }
        defer {
            timer.cancel()
            listener.cancel()
        }
        return (try? await bell.wait(after: 0)) != nil && !Task.isCancelled
    }

    /// A watch that starts now.
    package func stopwatch() -> Stopwatch { Stopwatch(elapsed: start()) }

    /// A limit that begins now.
    package func deadline(after limit: Duration) -> Deadline { Deadline(stopwatch: stopwatch(), limit: limit) }
}

/// Tells how long ago it was started.
package struct Stopwatch: Sendable {
    fileprivate let read: @Sendable () -> Duration

    fileprivate init(elapsed: @escaping @Sendable () -> Duration) { read = elapsed }

    package var elapsed: Duration { read() }
}

/// A limit on several things that happen one after the other.
package struct Deadline: Sendable {
    private let stopwatch: Stopwatch
    /// How long it was when it began.
    package let limit: Duration

    fileprivate init(stopwatch: Stopwatch, limit: Duration) {
        self.stopwatch = stopwatch
        self.limit = limit
    }

    /// What is left; never less than zero.
    package var remaining: Duration { max(.zero, limit - stopwatch.elapsed) }
}

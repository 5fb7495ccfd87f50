// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A source of time, which a test can replace so that it never sleeps.
///
/// It combines a monotonic clock for waits and deadlines with the calendar for dates from servers (`Retry-After`,
/// cookies, tokens).
public struct TimeSource: Sendable {
    /// The system's clocks.
    public static let system = TimeSource(clock: ContinuousClock()) { Date() }

    /// Sleeps on the clock.
    private let sleepFor: @Sendable (Duration) async throws -> Void
    /// Starts a measurement; the closure it returns returns the elapsed time.
    private let startMeasuring: @Sendable () -> @Sendable () -> Duration
    private let calendar: @Sendable () -> Date

    /// Creates a time source.
    ///
    /// - Parameters:
    ///   - clock: The clock for waits and deadlines.
    ///   - now: Returns the current date.
    public init(clock: some Clock<Duration>, now: @escaping @Sendable () -> Date) {
        sleepFor = { try await clock.sleep(for: $0) }
        startMeasuring = {
            let beginning = clock.now
            return { beginning.duration(to: clock.now) }
        }
        calendar = now
    }

    /// The current date.
    package var now: Date { calendar() }
    /// The current date in milliseconds since 1970.
    package var milliseconds: Int64 { Int64(now.timeIntervalSince1970 * 1000) }

    /// Waits for a duration.
    ///
    /// - Parameter duration: The time to wait, limited to 100 years; zero or less does not wait.
    /// - Throws: `CancellationError` at once if the task is cancelled.
    package func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        // The clock's representation may not be able to hold a longer time.
        if duration > .zero { try await sleepFor(min(duration, .century)) }
    }

    /// Waits for a duration, or until an event.
    ///
    /// - Parameters:
    ///   - duration: The longest wait.
    ///   - event: Returns when the event occurs. Its task is cancelled when the time is over, but not awaited, since it
    ///     may ignore the cancellation.
    ///   - floor: The shortest wait, even if the event occurs earlier.
    /// - Returns: `false` if the task was cancelled meanwhile.
    package func sleep(
        for duration: Duration, orUntil event: (@Sendable () async -> Void)?, minimumWait floor: Duration = .zero
    ) async -> Bool {
        guard let event, floor < duration else { return (try? await sleep(for: duration)) != nil }
        let signal = AsyncSignal()
        let stopwatch = stopwatch()
        let timer = Task {
            try? await self.sleep(for: duration)
            signal.ring()
        }
        let listener = Task {
            await event()
            let rest = floor - stopwatch.elapsed
            if rest > .zero { try? await self.sleep(for: rest) }
            signal.ring()
        }
        defer {
            timer.cancel()
            listener.cancel()
        }
        return (try? await signal.wait(after: 0)) != nil && !Task.isCancelled
    }

    /// Returns a stopwatch that starts now.
    package func stopwatch() -> Stopwatch { Stopwatch(elapsed: startMeasuring()) }

    /// Returns a deadline for a limit that starts now.
    package func deadline(after limit: Duration) -> Deadline { Deadline(stopwatch: stopwatch(), limit: limit) }
}

/// A measurement of the time since its start.
package struct Stopwatch: Sendable {
    fileprivate let read: @Sendable () -> Duration

    fileprivate init(elapsed: @escaping @Sendable () -> Duration) { read = elapsed }

    /// The time since the start.
    package var elapsed: Duration { read() }
}

/// A time limit for several consecutive operations.
package struct Deadline: Sendable {
    private let stopwatch: Stopwatch
    /// The time from the start to the deadline.
    package let limit: Duration

    fileprivate init(stopwatch: Stopwatch, limit: Duration) {
        self.stopwatch = stopwatch
        self.limit = limit
    }

    /// The remaining time; at least zero.
    package var remaining: Duration { max(.zero, limit - stopwatch.elapsed) }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghTesting

extension TestClock {
    /// Moves the clock from one short wait to the next until something holds.
    ///
    /// It goes to the moment at which somebody wakes up, and never further than somebody waits: however long a slow
    /// machine takes, the clock comes to no deadline that is further away than the limit.
    ///
    /// - Parameters:
    ///   - limit: The longest wait that is meant; a longer one is left alone.
    ///   - holds: Whether it holds.
    /// - Throws: What `holds` throws, and `CancellationError` where the task is cancelled before it holds.
    package func wake(within limit: Duration, until holds: () async throws -> Bool) async throws {
        try await eventually {
            if try await holds() { return true }
            let left = wakings.map { now.duration(to: $0) }.min()
            if let left, left <= limit { advance(by: left) }
            return false
        }
    }

    /// Waits until somebody sleeps who has just so long to sleep.
    ///
    /// It tells a wait from what was cancelled and has not woken up yet, which `sleeping(_:forAtMost:)` counts as well.
    ///
    /// - Parameter duration: How long.
    /// - Throws: `CancellationError` where the task is cancelled before.
    package func sleeping(for duration: Duration) async throws {
        try await eventually { wakings.contains(now.advanced(by: duration)) }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Waits until something holds, which it soon does; the suite's own limit ends the wait otherwise.
///
/// It looks whenever the other tasks have had their turns. What can be awaited itself is better awaited.
///
/// - Parameter holds: Whether it holds.
/// - Throws: What `holds` throws, and `CancellationError` where the task is cancelled before it holds, so that a test
///   whose time is up does not go on as if it held.
package func eventually(_ holds: () async throws -> Bool) async throws {
    while try await !holds() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

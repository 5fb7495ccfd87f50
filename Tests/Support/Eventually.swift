// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Waits until a condition becomes true; the suite's time limit ends the wait.
///
/// The condition is checked each time the other tasks have run. Prefer to await an event directly if possible.
///
/// - Parameter holds: The condition.
/// - Throws: The errors of `holds`, and `CancellationError` if the task is cancelled first, so that a test whose time
///   is up does not continue.
package func eventually(_ holds: () async throws -> Bool) async throws {
    while try await !holds() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

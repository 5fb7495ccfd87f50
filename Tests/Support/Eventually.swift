// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Waits until something holds, which it soon does; the suite's own limit ends the wait otherwise.
///
/// After the first hundred looks it leaves the processor to others for a millisecond between two: what it waits for needs
/// one, too. How long that really takes decides nothing.
///
/// - Parameter holds: Whether it holds.
/// - Throws: What `holds` throws, and `CancellationError` where the task is cancelled before it holds, so that a test
///   whose time is up does not go on as if it held.
package func eventually(_ holds: () async throws -> Bool) async throws {
    var looks = 0
    while try await !holds() {
        looks += 1
        if looks <= 100 {
            try Task.checkCancellation()
            await Task.yield()
        } else {
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Waits until something holds, which it soon does; the suite's own limit ends the wait otherwise.
///
/// - Parameter holds: Whether it holds.
package func eventually(_ holds: () -> Bool) async {
    while !holds(), !Task.isCancelled { await Task.yield() }
}

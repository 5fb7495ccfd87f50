// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Gives wrong behaviour a chance to show: the other tasks get so many turns.
///
/// It waits for nothing. What is expected to happen is awaited, or looked for with `eventually`; this is for what must
/// not happen meanwhile, and for events whose order is left to chance. On a busy machine the turns may be too few to
/// show a fault, and a test that is right passes all the same.
///
/// - Parameter turns: How many turns.
package func letOthersRun(turns: Int = 100) async {
    for _ in 0..<max(0, turns) { await Task.yield() }
}

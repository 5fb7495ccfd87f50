// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Yields to other tasks a number of times, so that incorrect behavior can show.
///
/// This function waits for no event. Await expected events, or use `eventually`; this is for events that must not
/// happen, and for orders left to chance. On a busy machine the yields may be too few to show a fault, and a correct
/// test passes anyway.
///
/// - Parameter turns: The number of yields.
package func yieldToOthers(turns: Int = 100) async {
    for _ in 0..<max(0, turns) { await Task.yield() }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Orders the calls that suspend and resume a task.
///
/// The delegate's thread decides to suspend the task, and the reader's thread to resume it. If each made its call by
/// itself, the suspension could come last, and the task would never continue.
package struct TaskSuspensionStateMachine: Sendable {
    private var isWanted = false
    private var isApplied = false
    /// True while a thread makes the calls.
    private var isApplying = false

    package init() {}

    /// Handles a decision.
    ///
    /// - Parameter isSuspended: True if the task has to be suspended.
    /// - Returns: True if the caller has to make the calls of ``next()``; otherwise none is needed, or another thread
    ///   makes it.
    package mutating func wants(_ isSuspended: Bool) -> Bool {
        isWanted = isSuspended
        guard !isApplying, isWanted != isApplied else { return false }
        isApplying = true
        return true
    }

    /// Returns the next call: true to suspend the task, false to resume it; `nil` if it is as wanted.
    package mutating func next() -> Bool? {
        guard isWanted != isApplied else {
            isApplying = false
            return nil
        }
        isApplied = isWanted
        return isApplied
    }
}

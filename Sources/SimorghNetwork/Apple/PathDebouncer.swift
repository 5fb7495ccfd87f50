// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A debouncer for the path monitors of Apple platforms.
///
/// It reports the first path of each monitor and the loss of the path at once, and any other change when it has
/// settled. It has no clock: each event passes the time since an arbitrary start.
package struct PathDebouncer: Sendable {
    /// The next action.
    package enum Step: Equatable, Sendable {
        /// Do nothing; a check is scheduled already.
        case nothing
        /// Report the current status.
        case report
        /// Check again after a delay.
        case wait(Duration)
    }

    private var settling = ChangeDebouncer()
    private var isConnected = false
    /// True if the last reported status was connected.
    private var wasConnected = false

    package init() {}

    /// Handles an update of a path monitor.
    ///
    /// - Parameters:
    ///   - isConnected: True if there is a path to the internet.
    ///   - isFirst: True if this is the monitor's first update.
    ///   - now: The current time.
    /// - Returns: The next action.
    package mutating func pathUpdated(isConnected: Bool, isFirst: Bool, at now: Duration) -> Step {
        self.isConnected = isConnected
        if isFirst || wasConnected && !isConnected { return report() }
        guard let delay = settling.changed(at: now) else { return .nothing }
        return .wait(delay)
    }

    /// Handles the end of a delay.
    ///
    /// - Parameter now: The current time.
    /// - Returns: The next action.
    package mutating func timerFired(at now: Duration) -> Step {
        if let delay = settling.timerFired(at: now) { return .wait(delay) }
        return report()
    }

    private mutating func report() -> Step {
        wasConnected = isConnected
        return .report
    }
}

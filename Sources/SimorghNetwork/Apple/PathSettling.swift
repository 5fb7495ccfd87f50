// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// When to tell what the path monitors of Apple's systems say: what each says first, and the loss of the way, at once; and
/// anything else when it has settled.
///
/// A value without a clock: moments come in as times since some beginning.
package struct PathSettling: Sendable {
    /// What to do.
    package enum Step: Equatable, Sendable {
        /// Nothing; somebody will ask already.
        case nothing
        /// Tell what is so now.
        case tell
        /// Ask again after some time.
        case wait(Duration)
    }

    private var settling = NetworkSettling()
    private var isConnected = false
    /// Whether it was connected as it was told last.
    private var wasConnected = false

    package init() {}

    /// A monitor has said something.
    ///
    /// - Parameters:
    ///   - isConnected: Whether there is a way.
    ///   - isFirst: Whether this monitor has said nothing before.
    ///   - now: The moment.
    /// - Returns: What to do.
    package mutating func said(isConnected: Bool, isFirst: Bool, at now: Duration) -> Step {
        self.isConnected = isConnected
        if isFirst || wasConnected && !isConnected { return tell() }
        guard let delay = settling.changed(at: now) else { return .nothing }
        return .wait(delay)
    }

    /// The time is over that was to be waited.
    ///
    /// - Parameter now: The moment.
    /// - Returns: What to do.
    package mutating func asked(at now: Duration) -> Step {
        if let delay = settling.asked(at: now) { return .wait(delay) }
        return tell()
    }

    private mutating func tell() -> Step {
        wasConnected = isConnected
        return .tell
    }
}

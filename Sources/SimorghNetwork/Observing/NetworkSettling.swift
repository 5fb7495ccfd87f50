// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// When to look again after something has changed: not at each of a burst's changes, but when it has settled.
///
/// A value without a clock: moments come in as times since some beginning.
package struct NetworkSettling: Sendable {
    /// How long it has to be quiet; 10 ms.
    package static let quiet = Duration.milliseconds(10)
    /// How long a burst may put it off; 50 ms.
    package static let longest = Duration.milliseconds(50)

    /// How many times as long as a look took passes before the next; 10, so that looking is little work at most.
    package static let rest = 10
    /// How long a look may put off the next; half a second.
    package static let longestRest = Duration.milliseconds(500)

    private var began: Duration?
    private var last = Duration.zero
    private var rested = Duration.zero
    /// Until when no loss is looked for, and whether somebody will then.
    private var restedFromLoss = Duration.zero
    private var isLossDue = false

    package init() {}

    /// Whether a burst goes on.
    package var isUnsettled: Bool { began != nil }

    /// Something has changed.
    ///
    /// - Parameter now: The moment.
    /// - Returns: After how long to ask whether it has settled; `nil` where somebody asks already.
    package mutating func changed(at now: Duration) -> Duration? {
        last = now
        guard began == nil else { return nil }
        began = now
        return Self.quiet
    }

    /// Whether it has settled.
    ///
    /// - Parameter now: The moment.
    /// - Returns: After how long to ask again; `nil` to look now.
    package mutating func asked(at now: Duration) -> Duration? {
        guard let began else { return nil }
        let end = max(rested, min(last + Self.quiet, began + Self.longest))
        guard now >= end else { return end - now }
        self.began = nil
        return nil
    }

    /// Something has changed, and may be the loss of every way, which is not to wait until all has settled.
    ///
    /// - Parameter now: The moment.
    /// - Returns: After how long to look for that; `nil` where somebody will already.
    package mutating func mayBeLost(at now: Duration) -> Duration? {
        guard !isLossDue else { return nil }
        isLossDue = true
        return max(.zero, restedFromLoss - now)
    }

    /// A look for a loss is over: those after each change of a long burst would be all that a processor does.
    ///
    /// - Parameters:
    ///   - now: The moment.
    ///   - time: How long it took.
    package mutating func lookedForLoss(at now: Duration, taking time: Duration) {
        isLossDue = false
        restedFromLoss = now + min(Self.longest, time * Self.rest)
    }

    /// A look is over.
    ///
    /// - Parameters:
    ///   - now: The moment.
    ///   - time: How long it took.
    package mutating func looked(at now: Duration, taking time: Duration) {
        rested = now + min(Self.longestRest, time * Self.rest)
    }
}

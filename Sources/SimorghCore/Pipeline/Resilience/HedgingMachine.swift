// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Which attempts of a hedged request are on their way, and which answer is given.
package struct HedgingMachine: Sendable {
    /// What its owner does, in order.
    package enum Action: Sendable, Equatable {
        case send
        case startTimer
        /// Give this answer to the caller, and cancel all that runs.
        case finish
    }

    private let maximum: Int
    private var sent = 0
    private var running = 0
    private var isFinished = false

    /// - Parameter maximum: How many attempts may join the first.
    package init(maximum: Int) { self.maximum = max(0, min(maximum, 16)) }

    package mutating func start() -> [Action] { send() }

    /// The time of being alone is over.
    package mutating func timerFired() -> [Action] {
        guard !isFinished, running > 0 else { return [] }
        return send()
    }

    /// An attempt has ended.
    ///
    /// - Parameter isGood: Whether a caller would want this answer. The one that ends last is given in any case.
    /// - Returns: What to do.
    package mutating func ended(isGood: Bool) -> [Action] {
        running -= 1
        guard !isFinished, isGood || running == 0 else { return [] }
        isFinished = true
        return [.finish]
    }

    private mutating func send() -> [Action] {
        sent += 1
        running += 1
        return sent <= maximum ? [.send, .startTimer] : [.send]
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// State machine of a hedged request: decides when to send attempts, and which response to return.
package struct HedgingStateMachine: Sendable {
    /// An action for the owner, to perform in order.
    package enum Action: Sendable, Equatable {
        case send
        case startTimer
        /// Return the best response so far to the caller, and cancel all attempts in flight.
        case finish
    }

    private let maximum: Int
    private var sent = 0
    private var running = 0
    private var isFinished = false

    /// Creates a state machine.
    ///
    /// - Parameter maximum: The maximum number of attempts besides the first.
    package init(maximum: Int) { self.maximum = max(0, min(maximum, 16)) }

    package mutating func start() -> [Action] { send() }

    /// Handles the timer: sends the next attempt.
    package mutating func timerFired() -> [Action] {
        guard !isFinished, running > 0 else { return [] }
        return send()
    }

    /// Handles the end of an attempt.
    ///
    /// - Parameter isGood: True if the response is good enough to return at once. The last one is returned in any case.
    /// - Returns: The actions.
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

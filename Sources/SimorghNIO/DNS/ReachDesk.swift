// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Asks about the network one question after another, on a queue of its own.
///
/// A thousand dials that fail together are one look at the system, and not as many threads. A source may block for
/// ever: who waits no longer leaves nothing behind in the line, and where as many have waited in vain for one answer as
/// may, nobody else waits until it has come.
package final class ReachDesk: Sendable {
    /// How many wait in vain for one answer before nobody else does.
    package static let mostInVain = 64

    /// For all transports of the process.
    static let system = ReachDesk()

    private struct State: Sendable {
        var line = TicketQueue<@Sendable () -> Void>()
        var nextNumber: UInt64 = 0
        /// Whether somebody is being asked.
        var isAsking = false
        /// How many have left since the last answer.
        var inVain = 0
    }

    private let mostInVain: Int
    private let queue = DispatchQueue(label: "simorgh.reach")
    private let state = Mutex(State())

    /// - Parameter mostInVain: How many wait in vain for one answer before nobody else does; 64 by default.
    package init(mostInVain: Int = ReachDesk.mostInVain) { self.mostInVain = max(1, mostInVain) }

    /// How many wait for their turn; for tests.
    package var waiting: Int { state.withLock { $0.line.count } }

    /// Puts a question into the line.
    ///
    /// - Parameter question: Asks, which may block, and tells the answer; called on the desk's queue.
    /// - Returns: By what to leave; `nil` where it is not asked, as too many have waited in vain.
    package func ask(_ question: @escaping @Sendable () -> Void) -> UInt64? {
        let (number, begins) = state.withLock { state -> (UInt64?, Bool) in
            guard !state.isAsking || state.inVain < mostInVain else { return (nil, false) }
            state.nextNumber += 1
            state.line.append(question, number: state.nextNumber)
            let begins = !state.isAsking
            if begins {
                state.isAsking = true
                state.inVain = 0
            }
            return (state.nextNumber, begins)
        }
        if begins { queue.async { self.work() } }
        return number
    }

    /// Somebody has waited in vain; of no use, and no harm, where all has been answered.
    ///
    /// - Parameter number: What ``ask(_:)`` gave.
    package func leave(_ number: UInt64) {
        // Let go of after the lock is: what belongs to others may end with it.
        let question = state.withLock { state in
            if state.isAsking { state.inVain += 1 }
            return state.line.remove(number)
        }
        withExtendedLifetime(question) {}
    }

    /// Asks until nobody waits.
    private func work() {
        while let question = next() {
            question()
            state.withLock { $0.inVain = 0 }
        }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let first = state.line.popFirst() else {
                state.isAsking = false
                return nil
            }
            return first.element
        }
    }
}

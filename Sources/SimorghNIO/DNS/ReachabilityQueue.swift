// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Runs queries of the network state one after another, on its own dispatch queue.
///
/// If a thousand dials fail together, their queries use one thread instead of a thousand. A query may block forever. A
/// caller that gives up removes its queued query. If too many callers have given up on the running query, further
/// queries are rejected until it returns.
package final class ReachabilityQueue: Sendable {
    /// The number of callers that may give up on one running query before further queries are rejected.
    package static let maximumAbandoned = 64

    /// The queue that all transports of the process share.
    static let system = ReachabilityQueue()

    private struct State: Sendable {
        var queries = TicketQueue<@Sendable () -> Void>()
        var nextNumber: UInt64 = 0
        /// True while a query is running or about to run.
        var isRunning = false
        /// The number of callers that have given up since the last query returned.
        var abandoned = 0
    }

    private let maximumAbandoned: Int
    private let queue = DispatchQueue(label: "simorgh.reach")
    private let state = Mutex(State())

    /// Creates an idle queue.
    ///
    /// - Parameter maximumAbandoned: The number of callers that may give up on one running query before further
    ///   queries are rejected. Default: 64.
    package init(maximumAbandoned: Int = ReachabilityQueue.maximumAbandoned) {
        self.maximumAbandoned = max(1, maximumAbandoned)
    }

    /// The number of queued queries; for tests.
    package var waiting: Int { state.withLock { $0.queries.count } }

    /// Adds a query to the queue.
    ///
    /// - Parameter query: The query, which may block, and which reports its own answer; called on the dispatch
    ///   queue.
    /// - Returns: The number for ``abandon(_:)``; `nil` if the query is rejected because too many callers have given
    ///   up.
    package func enqueue(_ query: @escaping @Sendable () -> Void) -> UInt64? {
        let (number, begins) = state.withLock { state -> (UInt64?, Bool) in
            guard !state.isRunning || state.abandoned < maximumAbandoned else { return (nil, false) }
            state.nextNumber += 1
            state.queries.append(query, number: state.nextNumber)
            let begins = !state.isRunning
            if begins {
                state.isRunning = true
                state.abandoned = 0
            }
            return (state.nextNumber, begins)
        }
        if begins { queue.async { self.work() } }
        return number
    }

    /// Records that a caller has given up, and removes its query; harmless if all queries have returned.
    ///
    /// - Parameter number: The number that ``enqueue(_:)`` returned.
    package func abandon(_ number: UInt64) {
        // Released outside the lock, because releasing the closure may run foreign code.
        let query = state.withLock { state in
            if state.isRunning { state.abandoned += 1 }
            return state.queries.remove(number)
        }
        withExtendedLifetime(query) {}
    }

    /// Runs queries until the queue is empty.
    private func work() {
        while let query = next() {
            query()
            state.withLock { $0.abandoned = 0 }
        }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let first = state.queries.popFirst() else {
                state.isRunning = false
                return nil
            }
            return first.element
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Exchanges that several callers share: each runs once, and is cancelled when its last waiter leaves.
package final class InFlightRequests: Sendable {
    private typealias Outcome = Result<TransportResponse, any Error>

    private struct InFlightRequest: Sendable {
        let number: Int
        var waiters: [Int: Waiter<TransportResponse, any Error>] = [:]
        var task: Task<Void, Never>?
    }

    private struct State: Sendable {
        var nextNumber = 0
        var requests: [CoalescingKey: InFlightRequest] = [:]
    }

    /// A waiter's ticket for a shared exchange.
    package struct WaiterTicket: Sendable {
        fileprivate let key: CoalescingKey
        fileprivate let requestNumber: Int
        fileprivate let waiterID: Int
        fileprivate let waiter: Waiter<TransportResponse, any Error>
        /// True if this ticket started the exchange.
        package let isFirst: Bool
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of exchanges in flight.
    package var count: Int { state.withLock { $0.requests.count } }

    /// The number of waiters.
    package var waiterCount: Int { state.withLock { $0.requests.values.reduce(0) { $0 + $1.waiters.count } } }

    /// Joins an exchange in flight, or starts one.
    ///
    /// The caller must use the ticket with ``answer(for:)`` afterwards.
    ///
    /// - Parameters:
    ///   - key: The key of the request.
    ///   - exchange: The exchange, which runs in a task of its own if none is in flight.
    /// - Returns: The ticket.
    package func join(
        _ key: CoalescingKey, orStart exchange: @escaping @Sendable () async throws -> TransportResponse
    ) -> WaiterTicket {
        let ticket = state.withLock { state in
            state.nextNumber += 1
            let waiterID = state.nextNumber
            let isFirst = state.requests[key] == nil
            let waiter = Waiter<TransportResponse, any Error>()
            // Changed in place: a copy per waiter would take quadratic time.
            state.requests[key, default: InFlightRequest(number: waiterID)].waiters[waiterID] = waiter
            let number = state.requests[key]?.number ?? waiterID
            return WaiterTicket(key: key, requestNumber: number, waiterID: waiterID, waiter: waiter, isFirst: isFirst)
        }
        guard ticket.isFirst else { return ticket }
        let task = Task {
            let outcome: Outcome
            do {
                outcome = .success(try await exchange())
            } catch {
                outcome = .failure(error)
            }
            self.finish(ticket, with: outcome)
        }
        state.withLock { state in
            // It may have ended already.
            if state.requests[key]?.number == ticket.requestNumber { state.requests[key]?.task = task }
        }
        return ticket
    }

    /// Waits for the response.
    ///
    /// - Parameter ticket: The ticket of the waiter; it is no longer valid when this returns or throws.
    /// - Returns: The response.
    /// - Throws: The error of the exchange; `CancellationError` at once if the task is cancelled.
    package func answer(for ticket: WaiterTicket) async throws -> TransportResponse {
        try await ticket.waiter.value { leave(ticket) }
    }

    private func leave(_ ticket: WaiterTicket) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard state.requests[ticket.key]?.number == ticket.requestNumber,
                state.requests[ticket.key]?.waiters.removeValue(forKey: ticket.waiterID) != nil,
                state.requests[ticket.key]?.waiters.isEmpty == true
            else { return nil }
            return state.requests.removeValue(forKey: ticket.key)?.task
        }
        task?.cancel()
    }

    private func finish(_ ticket: WaiterTicket, with outcome: Outcome) {
        let waiters = state.withLock { state -> [Int: Waiter<TransportResponse, any Error>] in
            // Otherwise all waiters have left.
            guard state.requests[ticket.key]?.number == ticket.requestNumber else { return [:] }
            return state.requests.removeValue(forKey: ticket.key)?.waiters ?? [:]
        }
        for waiter in waiters.values { waiter.settle(outcome) }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Exchanges that several callers share: each runs once, and is cancelled when its last waiter leaves.
package final class InFlightRequests: Sendable {
    private typealias Outcome = Result<TransportResponse, any Error>

    private struct InFlightRequest: Sendable {
        let number: Int
        var riders: [Int: Waiter<TransportResponse, any Error>] = [:]
        var task: Task<Void, Never>?
    }

    private struct State: Sendable {
        var nextNumber = 0
        var flights: [CoalescingKey: InFlightRequest] = [:]
    }

    /// A waiter's ticket for a shared exchange.
    package struct WaiterTicket: Sendable {
        fileprivate let key: CoalescingKey
        fileprivate let flight: Int
        fileprivate let rider: Int
        fileprivate let waiter: Waiter<TransportResponse, any Error>
        /// True if this ticket started the exchange.
        package let isFirst: Bool
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of exchanges in flight.
    package var count: Int { state.withLock { $0.flights.count } }

    /// The number of waiters.
    package var riders: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.riders.count } } }

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
        let seat = state.withLock { state in
            state.nextNumber += 1
            let rider = state.nextNumber
            let isFirst = state.flights[key] == nil
            let waiter = Waiter<TransportResponse, any Error>()
            // Changed in place: a copy per waiter would take quadratic time.
            state.flights[key, default: InFlightRequest(number: rider)].riders[rider] = waiter
            let number = state.flights[key]?.number ?? rider
            return WaiterTicket(key: key, flight: number, rider: rider, waiter: waiter, isFirst: isFirst)
        }
        guard seat.isFirst else { return seat }
        let task = Task {
            let outcome: Outcome
            do {
                outcome = .success(try await exchange())
            } catch {
                outcome = .failure(error)
            }
            self.finish(seat, with: outcome)
        }
        state.withLock { state in
            // It may have ended already.
            if state.flights[key]?.number == seat.flight { state.flights[key]?.task = task }
        }
        return seat
    }

    /// Waits for the response.
    ///
    /// - Parameter seat: The ticket of the waiter; it is no longer valid when this returns or throws.
    /// - Returns: The response.
    /// - Throws: The error of the exchange; `CancellationError` at once if the task is cancelled.
    package func answer(for seat: WaiterTicket) async throws -> TransportResponse {
        try await seat.waiter.value { leave(seat) }
    }

    private func leave(_ seat: WaiterTicket) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard state.flights[seat.key]?.number == seat.flight,
                state.flights[seat.key]?.riders.removeValue(forKey: seat.rider) != nil,
                state.flights[seat.key]?.riders.isEmpty == true
            else { return nil }
            return state.flights.removeValue(forKey: seat.key)?.task
        }
        task?.cancel()
    }

    private func finish(_ seat: WaiterTicket, with outcome: Outcome) {
        let riders = state.withLock { state -> [Int: Waiter<TransportResponse, any Error>] in
            guard state.flights[seat.key]?.number == seat.flight else { return [:] }  // Everybody left.
            return state.flights.removeValue(forKey: seat.key)?.riders ?? [:]
        }
        for rider in riders.values { rider.settle(outcome) }
    }
}

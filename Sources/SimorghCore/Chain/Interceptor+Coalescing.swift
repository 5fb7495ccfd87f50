// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Interceptor {
    /// Lets identical safe requests that are under way at once share one exchange.
    ///
    /// - Parameters:
    ///   - state: Where the exchanges are known.
    ///   - time: Measures the time of each who waits.
    ///   - redirects: Which redirects each of them follows; `nil` for none.
    ///   - cache: What keeps the answers, above: who has another shares none.
    /// - Returns: The step.
    package static func coalescing(
        _ state: ChainState, _ time: TimeSource, following redirects: RedirectPolicy? = nil,
        above cache: HTTPCache? = nil
    ) -> Interceptor {
        let flights =
            cache.map { cache in state.value(for: ObjectIdentifier(cache)) { Flights() } }
            ?? state.value(for: true) { Flights() }
        return Interceptor { request, next in
            guard let key = FlightKey(request) else { return try await next(request) }
            while true {
                do {
                    return try await ride(flights, key, request, time, redirects, next)
                } catch is FlightTimedOut {
                    // The exchange was another's, whose time began before ours: ours is not over.
                }
            }
        }
    }

    private struct FlightTimedOut: Error {}

    private static func ride(
        _ flights: Flights, _ key: FlightKey, _ request: TransportRequest, _ time: TimeSource,
        _ redirects: RedirectPolicy?, _ next: @escaping Next
    ) async throws -> TransportResponse {
        let call = request.options.call
        // It has the first one's time, as whoever has more begins again; its cancellation does not concern the others.
        var shared = request
        shared.options.call = call.map { CallContext(sharing: $0) }
        shared.options.scope = nil
        let seat = flights.board(key) { [shared] in
            var response = try await next(shared)
            // A stream could be read by one of them alone.
            if redirects?.follows(response.head) == true {
                response = try await response.skimmed(time)
            } else {
                response = try await response.gathered(for: shared)
            }
            if case .collected(let limit) = shared.options.delivery, response.body.collectedBytes == nil {
                response.body = ResponseBody(try await response.body.collect(upTo: limit))
            }
            return response
        }
        do {
            guard !seat.isFirst else { return try await flights.answer(for: seat) }
            var response =
                if let deadline = call?.deadline {
                    try await answer(flights, seat, by: deadline, time)
                } else {
                    try await flights.answer(for: seat)
                }
            response.isFollowing = true
            return response
        } catch  where !seat.isFirst && isOutOfTime(error) {
            if let remaining = call?.deadline?.remaining, remaining == .zero { throw error }
            throw FlightTimedOut()
        }
    }

    /// Whether an exchange failed for want of its first one's time.
    private static func isOutOfTime(_ error: any Error) -> Bool {
        switch error {
        case let error as TransportError: error.code == .timedOut && error.phase == .total
        case let error as RateLimitExceeded: error.reason == .deadline
        default: false
        }
    }

    /// The answer of an exchange that began with another call, unless our own time is over before.
    private static func answer(
        _ flights: Flights, _ seat: Flights.Seat, by deadline: Deadline, _ time: TimeSource
    ) async throws -> TransportResponse {
        try await withThrowingTaskGroup(of: TransportResponse.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await flights.answer(for: seat) }
            group.addTask {
                try await time.sleep(for: deadline.remaining)
                throw TransportError.timedOut(.total, after: deadline.limit, requestMayHaveBeenSent: true)
            }
            guard let response = try await group.next() else { throw CancellationError() }
            return response
        }
    }
}

extension RedirectPolicy {
    /// True if a response is followed whatever its body says.
    fileprivate func follows(_ response: HTTPResponse) -> Bool {
        guard decide == nil, RedirectMachine.asks(response.status.code) else { return false }
        return response.headerFields[.location]?.isEmpty == false
    }
}

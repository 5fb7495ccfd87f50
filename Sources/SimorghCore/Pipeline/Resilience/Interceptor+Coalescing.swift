// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Interceptor {
    /// Lets identical safe requests that are under way at once share one exchange.
    static func coalescing(_ configuration: APIClient.Configuration, _ state: ChainState) -> Interceptor? {
        // A credential that is added below, for one attempt, does not tell two users' requests apart here.
        guard configuration.resilience.coalescesRequests, !configuration.isAnonymousAbove else { return nil }
        // The user's own steps, below, may differ from view to view.
        let state = configuration.networkInterceptors.isEmpty ? state : ChainState()
        // Each cache keeps the responses of its own exchanges.
        let flights =
            configuration.caching.httpCache.map { cache in state.value(for: ObjectIdentifier(cache)) { Flights() } }
            ?? state.value(for: true) { Flights() }
        let (time, redirects) = (configuration.time, configuration.redirects)
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
        _ redirects: RedirectPolicy, _ next: @escaping Next
    ) async throws -> TransportResponse {
        let call = request.options.call
        // It has the first one's time, as whoever has more begins again; its cancellation does not concern the others.
        var shared = request
        shared.options.call = call.map { CallContext(sharing: $0) }
        shared.options.scope = nil
        let seat = flights.board(key) { [shared] in
            var response = try await next(shared)
            // A stream could be read by one of them alone.
            if redirects.follows(response.head) {
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
        guard follows, decide == nil, RedirectMachine.asks(response.status.code) else { return false }
        return response.headerFields[.location]?.isEmpty == false
    }
}

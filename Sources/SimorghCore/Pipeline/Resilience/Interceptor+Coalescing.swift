// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Interceptor {
    /// Returns a step that lets identical safe requests in flight share one exchange; `nil` if it is turned off.
    static func coalescing(_ configuration: APIClient.Configuration, state: PipelineState) -> Interceptor? {
        // Credentials that are added below, per attempt, are not part of the key: it could not separate two users.
        guard configuration.resilience.coalescesRequests, !configuration.addsCredentialsBelowCache else { return nil }
        // The user's network interceptors may differ from view to view.
        let state = configuration.networkInterceptors.isEmpty ? state : PipelineState()
        // Separate for each cache, since a cache stores the responses of its own exchanges.
        let flights =
            configuration.caching.httpCache.map { cache in
                state.value(for: ObjectIdentifier(cache)) { InFlightRequests() }
            }
            ?? state.value(for: true) { InFlightRequests() }
        let (time, redirects) = (configuration.time, configuration.redirects)
        return Interceptor { request, next in
            guard let key = CoalescingKey(request) else { return try await next(request) }
            while true {
                do {
                    return try await coalesce(
                        in: flights, key: key, request: request, time: time, redirects: redirects, next: next)
                } catch is SharedExchangeTimedOutError {
                    // The shared exchange had the deadline of an earlier call; this call has time left, and tries
                    // again.
                }
            }
        }
    }

    private struct SharedExchangeTimedOutError: Error {}

    private static func coalesce(
        in flights: InFlightRequests, key: CoalescingKey, request: TransportRequest, time: TimeSource,
        redirects: RedirectPolicy, next: @escaping Next
    ) async throws -> TransportResponse {
        let call = request.options.call
        // The exchange has the deadline of its first call, and ignores the cancellation of any single call.
        var shared = request
        shared.options.call = call.map { CallContext(sharing: $0) }
        shared.options.scope = nil
        let ticket = flights.join(key) { [shared] in
            var response = try await next(shared)
            // Several callers read the response, so it must not be a stream.
            if redirects.follows(response.head) {
                response = try await response.withBodyPrefix(time)
            } else {
                response = try await response.collectingErrorBody(for: shared)
            }
            if case .collected(let limit) = shared.options.delivery, response.body.collectedBytes == nil {
                response.body = ResponseBody(try await response.body.collect(upTo: limit))
            }
            return response
        }
        do {
            guard !ticket.isFirst else { return try await flights.answer(for: ticket) }
            var response =
                if let deadline = call?.deadline {
                    try await answer(from: flights, for: ticket, by: deadline, time: time)
                } else {
                    try await flights.answer(for: ticket)
                }
            response.isSharedResponse = true
            return response
        } catch  where !ticket.isFirst && isOutOfTime(error) {
            if let remaining = call?.deadline?.remaining, remaining == .zero { throw error }
            throw SharedExchangeTimedOutError()
        }
    }

    /// Returns true if an exchange failed because of the deadline of its first call.
    private static func isOutOfTime(_ error: any Error) -> Bool {
        switch error {
        case let error as TransportError: error.code == .timedOut && error.phase == .total
        case let error as RateLimitExceededError: error.reason == .deadline
        default: false
        }
    }

    /// Returns the response of an exchange that another call started, or throws when this call's deadline passes.
    private static func answer(
        from flights: InFlightRequests, for ticket: InFlightRequests.WaiterTicket, by deadline: Deadline,
        time: TimeSource
    ) async throws -> TransportResponse {
        try await withThrowingTaskGroup(of: TransportResponse.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await flights.answer(for: ticket) }
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
    /// Returns true if a response is followed whatever its body contains.
    fileprivate func follows(_ response: HTTPResponse) -> Bool {
        guard follows, decide == nil, RedirectStateMachine.isRedirect(response.status.code) else { return false }
        return response.headerFields[.location]?.isEmpty == false
    }
}

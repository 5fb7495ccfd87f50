// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport
import Synchronization

extension Interceptor {
    /// Returns the circuit breaker step of a configuration; `nil` if it is turned off.
    package static func circuitBreaker(
        _ configuration: APIClient.Configuration, state: PipelineState
    ) -> Interceptor? {
        guard var settings = configuration.resilience.circuitBreaker else { return nil }
        // NaN equals nothing, so its state would never be found again; infinity opens the breaker as rarely.
        if settings.failureRatio.isNaN { settings.failureRatio = .infinity }
        let circuits = state.value(for: settings) { CircuitBreakerRegistry(settings, time: configuration.time) }
        return Interceptor { request, next in try await circuits.send(request, next: next) }
    }
}

/// The circuit breakers of all origins.
package final class CircuitBreakerRegistry: Sendable {
    private let settings: CircuitBreaker
    private let time: TimeSource
    private let stopwatch: Stopwatch
    private let origins = Mutex(OriginLRU<CircuitBreakerStateMachine>())

    package init(_ settings: CircuitBreaker, time: TimeSource) {
        self.settings = settings
        self.time = time
        stopwatch = time.stopwatch()
    }

    fileprivate func send(_ request: TransportRequest, next: Interceptor.Next) async throws -> TransportResponse {
        let origin = request.head.origin
        switch change(origin, body: { $0.admit(now: $1) }) {
        case .refused(let wait):
            throw CircuitOpenError(origin: origin, nextAttempt: time.now.addingTimeInterval(wait / .seconds(1)))
        case .allowed(let ticket):
            do {
                let response = try await next(request)
                let hasFailed = settings.failureStatusCodes.contains(response.head.status.code)
                ended(ticket, outcome: hasFailed ? .failure : .success, origin: origin, request: request)
                return response
            } catch {
                ended(ticket, outcome: Self.outcome(of: error), origin: origin, request: request)
                throw error
            }
        }
    }

    private func ended(
        _ ticket: CircuitBreakerStateMachine.Ticket, outcome: CircuitBreakerStateMachine.Outcome, origin: String,
        request: TransportRequest
    ) {
        switch change(origin, body: { $0.ended(ticket, outcome: outcome, now: $1) }) {
        case .none: break
        case .opened: request.options.call?.report(.circuitChange(CircuitChange(origin: origin, isOpen: true)))
        case .closed: request.options.call?.report(.circuitChange(CircuitChange(origin: origin, isOpen: false)))
        }
    }

    private func change<Result: Sendable>(
        _ origin: String, body: @Sendable (inout CircuitBreakerStateMachine, Duration) -> Result
    ) -> Result {
        let now = stopwatch.elapsed
        return origins.withLock { origins in
            origins.update(origin, default: { CircuitBreakerStateMachine(settings) }, with: { body(&$0, now) })
        }
    }

    /// Returns the outcome of an error: only failures of the origin or the network count, not local ones.
    private static func outcome(of error: any Error) -> CircuitBreakerStateMachine.Outcome {
        guard let error = error as? TransportError else { return .neither }
        if error.phase == .queue { return .neither }
        // The call's own deadline; the timeouts of single phases measure the origin.
        if error.code == .timedOut, error.phase == .total { return .neither }
        let localCodes: Set<TransportError.Code> = [
            .cancelled, .badURL, .unsupportedURL, .requestBodyStreamExhausted, .dataLengthExceedsMaximum,
            .resourceUnavailable,
        ]
        return localCodes.contains(error.code) ? .neither : .failure
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// Retries failed requests: collects the input of a ``RetryEvaluation``, waits, and reports the decision.
package struct RetryExchange: Sendable {
    package let policy: RetryPolicy
    package let time: TimeSource
    package let random: RandomSource
    package let budgets: RetryBudgets?
    /// Changes a request before it is sent again.
    package let modify: (@Sendable (RetryAttempt) async throws -> TransportRequest)?

    package init(
        _ policy: RetryPolicy,
        time: TimeSource = .system,
        random: RandomSource = .system,
        budgets: RetryBudgets? = nil,
        modify: (@Sendable (RetryAttempt) async throws -> TransportRequest)? = nil
    ) {
        self.policy = policy
        self.time = time
        self.random = random
        self.budgets = budgets
        self.modify = modify
    }

    private enum Outcome {
        case done(TransportResponse)
        case again(TransportRequest, after: Duration)
    }

    /// Sends a request until it succeeds or the policy ends the retries.
    package func send(_ first: TransportRequest, next: Interceptor.Next) async throws -> TransportResponse {
        var request = first
        try policy.idempotencyKey?.add(to: &request)
        var sent = 0
        while true {
            sent += 1
            // `attempt` has drained or released a failed response when it returns, before the wait.
            switch try await attempt(request, sent: sent, next: next) {
            case .done(var response):
                if request.head.origin != first.head.origin { response.wasRetriedCrossOrigin = true }
                return response
            case .again(let changed, let delay):
                try await (request.options.call?.time ?? time).sleep(for: delay)
                request = changed
            }
        }
    }

    private func attempt(
        _ request: TransportRequest, sent: Int, next: Interceptor.Next
    ) async throws -> Outcome {
        let failure: RetryFailure
        let result: Result<TransportResponse, any Error>
        let call = request.options.call
        let before = call.map { (attempts: $0.attempts, answers: $0.answers) }
        do {
            var response = try await next(request)
            // The decider and `modify` may read the body.
            if policy.decider != nil || modify != nil {
                response = try await response.collectingErrorBody(for: request)
            }
            if sent > 1 { response.attempts = max(response.attempts, call?.attempts ?? sent) }
            // A retry would repeat a response that came from the cache alone; it adds nothing to the retry budget
            // either.
            if let report = response.cacheReport, report.forward == nil { return .done(response) }
            if sent == 1 { budgets?.requested(request.head.origin) }
            guard let status = RetryFailure(response) else { return .done(response) }
            (failure, result) = (status, .success(response))
        } catch {
            if sent == 1 { budgets?.requested(request.head.origin) }
            guard !Task.isCancelled, let cause = RetryFailure(error) else { throw error }
            (failure, result) = (cause, .failure(error))
        }
        let retries = call?.retries ?? sent - 1
        // Without a call context the attempts are not counted.
        let isAlone = before.map { before in (call?.attempts ?? .max) - before.attempts <= 1 } ?? false
        let isSafe = failure.isSafe(
            request, by: policy, isAlone: isAlone, isAnswered: before?.answers != call?.answers)
        let isReplayable = request.body.replayability != .once
        let attempt = RetryAttempt(
            request: request, index: retries, error: failure.error(of: request, attempts: call?.attempts ?? sent),
            isSafe: isSafe && isReplayable)
        var isTransient = failure.isTransient(by: policy)
        // An earlier attempt with the same key is still in progress.
        if sent > 1, policy.idempotencyKey != nil, failure.isConflict, request.isProtectedByKey { isTransient = true }
        var chosenDelay: Duration?
        if let decider = policy.decider {
            switch await decider.decision(on: attempt) {
            case .retry: isTransient = true
            case .retryWithDelay(let delay): (isTransient, chosenDelay) = (true, delay)
            case .doNotRetry: isTransient = false
            case .doNotRetryWithError(let error): throw error
            }
        } else if !isTransient, case .success = result {
            return .done(try result.get())  // A status that is not retried is a normal response.
        }
        let evaluation = RetryEvaluation(
            .init(
                failure: failure.description, isTransient: isTransient, retries: retries,
                method: request.head.method.rawValue, isSafe: isSafe,
                isReplayable: isReplayable,
                serverDelay: failure.serverDelay(now: (call?.time ?? time).now), chosenDelay: chosenDelay,
                remaining: call?.deadline?.remaining),
            by: policy, fraction: (call?.random ?? random).fraction())
        return try await act(on: evaluation, attempt: attempt, result: result)
    }

    private func act(
        on evaluation: RetryEvaluation, attempt: RetryAttempt, result: Result<TransportResponse, any Error>
    ) async throws -> Outcome {
        let request = attempt.request
        switch evaluation {
        case .giveUp(let reason):
            report(delay: nil, because: reason, attempt: attempt)
            return .done(try result.get())
        case .retry(let delay, let reason):
            guard budgets?.takeRetry(request.head.origin) ?? true else {
                report(
                    delay: nil, because: "\(reason), and the retry budget of the origin is used up", attempt: attempt)
                return .done(try result.get())
            }
            try Task.checkCancellation()
            request.options.call?.countRetry()
            report(delay: delay, because: reason, attempt: attempt)
            // A short body is drained, so that the next attempt can reuse the connection.
            if case .success(let refused) = result { await refused.finish(request.options.call?.time ?? time) }
            guard let modify else { return .again(request, after: delay) }
            var changed = try await modify(attempt)
            changed.join(request)
            if changed.head.origin != request.head.origin {
                try changed.removeCredentials(of: request)
            } else {
                try policy.idempotencyKey?.add(to: &changed)
            }
            return .again(changed, after: delay)
        }
    }

    private func report(delay: Duration?, because reason: String, attempt: RetryAttempt) {
        guard let call = attempt.request.options.call else { return }
        call.report {
            .retryDecision(
                RetryDecision(
                    delay: delay, because: reason, callID: call.id, request: attempt.request, attempts: call.attempts,
                    showing: $0))
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension Interceptor {
    /// Returns a step that retries failed requests by a policy.
    ///
    /// ``APIClient/Configuration/retry`` adds this step at its usual position in the pipeline. As one of
    /// ``APIClient/Configuration/interceptors`` it is further out, and also repeats the steps below it. If both are on,
    /// the retries of a call are counted once.
    ///
    /// - Parameter policy: The policy.
    /// - Returns: The step.
    public static func retry(_ policy: RetryPolicy) -> Interceptor {
        let budgets = policy.budgetRatio.map { RetryBudgets(ratio: $0, time: .system) }
        return .retry(
            RetryExchange(
                policy, budgets: budgets))
    }

    /// Returns the retry step of a configuration, or `nil` if it has no policy; retry budgets persist between calls.
    package static func retry(_ configuration: APIClient.Configuration, state: PipelineState) -> Interceptor? {
        guard let policy = configuration.effectiveRetry else { return nil }
        let time = configuration.time
        let budgets = policy.budgetRatio.map { ratio in
            // NaN and negative ratios count as zero, which equals itself and so is found again.
            let ratio = ratio > 0 ? ratio : 0
            return state.value(for: ratio) { RetryBudgets(ratio: ratio, time: time) }
        }
        return .retry(
            RetryExchange(
                policy, time: time, random: configuration.random, budgets: budgets,
                modify: configuration.retryOverride?.prepare))
    }

    package static func retry(_ step: RetryExchange) -> Interceptor {
        Interceptor(isTransparentToCacheHits: true) { request, next in try await step.send(request, next: next) }
    }
}

/// A change that another module makes to the retries of a client.
package struct RetryOverride: Sendable {
    /// The source of the change.
    package let source: any Sendable
    /// Returns the policy to use.
    let policy: @Sendable (RetryPolicy) -> RetryPolicy
    /// Returns the request to send after a failed attempt.
    let prepare: @Sendable (RetryAttempt) async throws -> TransportRequest

    package init(
        _ source: any Sendable, policy: @escaping @Sendable (RetryPolicy) -> RetryPolicy,
        prepare: @escaping @Sendable (RetryAttempt) async throws -> TransportRequest
    ) {
        self.source = source
        self.policy = policy
        self.prepare = prepare
    }
}

extension APIClient.Configuration {
    /// The retry policy after the override; `nil` if failed requests are never retried.
    var effectiveRetry: RetryPolicy? { retryOverride.map { $0.policy(retry ?? RetryPolicy()) } ?? retry }

    /// Turns off all retries.
    package mutating func neverRetry() { (retry, retryOverride) = (nil, nil) }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension Interceptor {
    /// Sends again what failed, by a policy.
    ///
    /// ``APIClient/Configuration/retry`` puts it into its place in the chain. As one of
    /// ``APIClient/Configuration/interceptors`` it stands further out and sends the steps below it again, too; where both
    /// are on, the retries of a call are counted once.
    ///
    /// - Parameter policy: The policy.
    /// - Returns: The step.
    public static func retry(_ policy: RetryPolicy) -> Interceptor {
        let budgets = policy.budgetRatio.map { RetryBudgets(ratio: $0, time: .system) }
        return .retry(
            RetryStep(
                policy, budgets: budgets))
    }

    /// Sends again what failed, by the policy of a configuration; budgets are remembered from call to call.
    package static func retry(_ configuration: APIClient.Configuration, _ state: ChainState) -> Interceptor? {
        guard let policy = configuration.effectiveRetry else { return nil }
        let time = configuration.time
        let budgets = policy.budgetRatio.map { ratio in
            // What is no number counts as none, and equals itself.
            let ratio = ratio > 0 ? ratio : 0
            return state.value(for: ratio) { RetryBudgets(ratio: ratio, time: time) }
        }
        return .retry(
            RetryStep(
                policy, time: time, random: configuration.random, budgets: budgets,
                modify: configuration.retryOverride?.prepare))
    }

    package static func retry(_ step: RetryStep) -> Interceptor {
        Interceptor(passesHits: true) { request, next in try await step.send(request, next) }
    }
}

/// How a library above the core changes the retries of a client.
package struct RetryOverride: Sendable {
    /// What the changes come from.
    package let source: any Sendable
    /// Gives the policy to retry by.
    let policy: @Sendable (RetryPolicy) -> RetryPolicy
    /// Gives the request to send after an attempt that failed.
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
    /// The policy that says when a failed request is sent again; `nil` for never.
    var effectiveRetry: RetryPolicy? { retryOverride.map { $0.policy(retry ?? RetryPolicy()) } ?? retry }

    /// Lets nothing be sent again after a failure.
    package mutating func neverRetry() { (retry, retryOverride) = (nil, nil) }
}

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
        return .retry(RetryStep(policy, budgets: budgets))
    }

    /// Sends again what failed, by the policy of a configuration; budgets are remembered from call to call.
    package static func retry(_ configuration: APIClient.Configuration, _ state: ChainState) -> Interceptor? {
        guard let policy = configuration.effectiveRetry else { return nil }
        let time = configuration.time
        let modify = configuration.retryHandler.map { handler in
            { @Sendable (attempt: RetryAttempt) in try await handler.modified(attempt) }
        }
        let budgets = policy.budgetRatio.map { ratio in
            // What is no number counts as none, and equals itself.
            let ratio = ratio > 0 ? ratio : 0
            return state.value(for: ratio) { RetryBudgets(ratio: ratio, time: time) }
        }
        return .retry(RetryStep(policy, time: time, random: configuration.random, budgets: budgets, modify: modify))
    }

    package static func retry(_ step: RetryStep) -> Interceptor {
        Interceptor(passesHits: true) { request, next in try await step.send(request, next) }
    }
}

extension APIClient.Configuration {
    /// The policy that says when a failed request is sent again, with the judgement of the handler; `nil` for never.
    var effectiveRetry: RetryPolicy? { retryHandler?.policy(retry ?? RetryPolicy()) ?? retry }
}

/// The step that sends again what failed.
public typealias RetryInterceptor = Interceptor

extension Interceptor {
    /// Creates a step that sends again what failed.
    ///
    /// - Parameters:
    ///   - maxAttempts: How often a request is sent, at most, the first time with it.
    ///   - baseDelay: The wait before the first retry; twice as long before each further one.
    ///   - maxDelay: The longest wait that doubling leads to.
    ///   - retryableStatusCodes: The statuses that may pass.
    ///   - retryableMethods: The methods that may reach the server twice.
    public init(
        maxAttempts: Int,
        baseDelay: Duration = .milliseconds(500),
        maxDelay: Duration = .seconds(30),
        retryableStatusCodes: Set<Int> = RetryPolicy().retryableStatusCodes,
        retryableMethods: Set<RequestMethod> = RetryPolicy().retryableMethods
    ) {
        var policy = RetryPolicy(maximumRetries: maxAttempts > 1 ? maxAttempts - 1 : 0)
        policy.baseDelay = baseDelay
        policy.maximumDelay = maxDelay
        policy.retryableStatusCodes = retryableStatusCodes
        policy.retryableMethods = retryableMethods
        self = .retry(policy)
    }
}

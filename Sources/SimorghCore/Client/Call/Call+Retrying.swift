// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Call {
    /// The same call, sent again by a policy where it fails.
    ///
    /// - Parameter policy: The policy; `nil` for never.
    /// - Returns: The call.
    public func retrying(_ policy: RetryPolicy?) -> Call { with { $0.retry = policy } }

    /// The same call, whose failures a function judges.
    ///
    /// ```swift
    /// let call = client.call(GetProfile()).retrying { attempt in
    ///     attempt.error.statusCode == 409 ? .retryWithDelay(.seconds(1)) : .doNotRetry
    /// }
    /// ```
    /// What is safe, and how often, stays as the client's ``RetryPolicy`` says, or one with its defaults.
    ///
    /// - Parameter decide: Decides; it is asked after each failure but a cancellation and a ``NonRetriableError``.
    /// - Returns: The call.
    public func retrying(
        _ decide: @escaping @Sendable (_ attempt: RetryAttempt) async -> RetryVerdict
    ) -> Call {
        with { configuration in
            var policy = configuration.retry ?? RetryPolicy()
            policy.decider = RetryDecider(decide)
            configuration.retry = policy
            configuration.retryOverride = nil
        }
    }
}

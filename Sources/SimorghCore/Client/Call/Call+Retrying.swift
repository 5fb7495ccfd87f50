// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Call {
    /// Returns the same call with another retry policy.
    ///
    /// - Parameter policy: The policy; `nil` disables retries.
    /// - Returns: The call.
    public func retrying(_ policy: RetryPolicy?) -> Call { with { $0.retry = policy } }

    /// Returns the same call with a function that decides about retries.
    ///
    /// ```swift
    /// let call = client.call(GetProfile()).retrying { attempt in
    ///     attempt.error.statusCode == 409 ? .retryWithDelay(.seconds(1)) : .doNotRetry
    /// }
    /// ```
    /// The client's ``RetryPolicy``, or a default one, still decides which requests are safe to retry and how often.
    ///
    /// - Parameter decide: Called after each failure, except a cancellation and a ``NonRetriableError``.
    /// - Returns: The call.
    public func retrying(
        _ decide: @escaping @Sendable (_ attempt: RetryAttempt) async -> RetryAction
    ) -> Call {
        with { configuration in
            var policy = configuration.retry ?? RetryPolicy()
            policy.decider = RetryDecider(decide)
            configuration.retry = policy
            configuration.retryOverride = nil
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// An interceptor that retries failed requests: ``/SimorghCore/Interceptor/retry(_:)`` with the settings as parameters.
///
/// ```swift
/// let patient = client.with { $0.interceptors = [RetryInterceptor(maxAttempts: 3).interceptor] }
/// ```
public struct RetryInterceptor: Sendable {
    /// The interceptor.
    public let interceptor: Interceptor

    /// Creates an interceptor that retries failed requests.
    ///
    /// - Parameters:
    ///   - maxAttempts: The maximum number of attempts, including the first one.
    ///   - baseDelay: The delay before the first retry; it doubles for each further retry.
    ///   - maxDelay: The maximum of the doubled delay.
    ///   - retryableStatusCodes: The status codes of transient errors.
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
        interceptor = .retry(policy)
    }
}

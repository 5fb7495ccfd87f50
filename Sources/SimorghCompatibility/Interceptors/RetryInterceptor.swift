// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A step that sends again what failed: ``/SimorghCore/Interceptor/retry(_:)`` with the settings written out.
///
/// ```swift
/// let patient = client.with { $0.interceptors = [RetryInterceptor(maxAttempts: 3).interceptor] }
/// ```
public struct RetryInterceptor: Sendable {
    /// The step.
    public let interceptor: Interceptor

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
        interceptor = .retry(policy)
    }
}

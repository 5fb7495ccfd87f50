// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A custom decision whether to retry a failure, for one call or for all calls of a client.
///
/// ```swift
/// let policy = RetryPolicy(decider: RetryDecider { attempt in
///     attempt.error.statusCode == 409 && attempt.index < 2 ? .retryWithDelay(.seconds(1)) : .doNotRetry
/// })
/// ```
/// A decider equals only itself and its copies.
public struct RetryDecider: Sendable, Hashable {
    private final class Body: Sendable {
        let decide: @Sendable (RetryAttempt) async -> RetryAction

        init(_ decide: @escaping @Sendable (RetryAttempt) async -> RetryAction) { self.decide = decide }
    }

    private let body: Body

    /// Creates a decider.
    ///
    /// - Parameter decide: Called after each failure except a cancellation and a ``NonRetriableError``.
    public init(_ decide: @escaping @Sendable (_ attempt: RetryAttempt) async -> RetryAction) { body = Body(decide) }

    /// Returns a decider that retries every failure, up to a number of times.
    ///
    /// - Parameters:
    ///   - attemptsCount: The maximum number of retries; the next failure is final.
    ///   - checker: Returns true for errors to retry. Default: all errors.
    /// - Returns: The decider.
    public static func anyError(
        attemptsCount: Int = 3, checker: @escaping @Sendable (_ error: NetworkError) -> Bool = { _ in true }
    ) -> RetryDecider {
        RetryDecider { $0.index < attemptsCount && checker($0.error) ? .retry : .doNotRetry }
    }

    /// Returns a decider that retries transient failures that occurred before a response arrived.
    ///
    /// - Parameters:
    ///   - attemptsCount: The maximum number of retries; the next failure is final.
    ///   - otherwise: The decision for all other failures.
    /// - Returns: The decider.
    public static func connectionErrors(
        attemptsCount: Int = 3, otherwise: RetryAction = .doNotRetry
    ) -> RetryDecider {
        RetryDecider { attempt in
            guard case .urlError = attempt.error, attempt.error.isRetryable else { return otherwise }
            return attempt.index < attemptsCount ? .retry : .doNotRetry
        }
    }

    /// Returns the decision for a failed attempt.
    package func decision(on attempt: RetryAttempt) async -> RetryAction { await body.decide(attempt) }

    /// Returns true if both are copies of the same decider.
    public static func == (left: RetryDecider, right: RetryDecider) -> Bool { left.body === right.body }

    /// Hashes the identity of the decider.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(body)) }
}

/// A failed attempt, as passed to a ``RetryDecider``.
public struct RetryAttempt: Sendable {
    /// The request that was sent.
    public let request: TransportRequest
    /// The number of earlier retries of the call: 0 at its first failure.
    public let index: Int
    /// The failure; a status code of 400 or above is ``NetworkError/customError(_:_:)``.
    public let error: NetworkError
    /// True if the request can be sent again without being processed twice; if false, a decision to retry is ignored.
    public let isSafe: Bool

    package init(request: TransportRequest, index: Int, error: NetworkError, isSafe: Bool) {
        self.request = request
        self.index = index
        self.error = error
        self.isSafe = isSafe
    }
}

/// A decision after a failed attempt.
@nonexhaustive
public enum RetryAction: Sendable {
    /// Retry, after the wait that the policy or the server requests.
    case retry
    /// Retry after this wait.
    case retryWithDelay(Duration)
    /// Return the failure to the caller.
    case doNotRetry
    /// Throw another error to the caller instead.
    case doNotRetryWithError(any Error)
}

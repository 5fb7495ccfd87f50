// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Decides whether a failure is worth another attempt, for one call or all of a client.
///
/// ```swift
/// let policy = RetryPolicy(decider: RetryDecider { attempt in
///     attempt.error.statusCode == 409 && attempt.index < 2 ? .retryWithDelay(.seconds(1)) : .doNotRetry
/// })
/// ```
/// A decider is equal to itself and its copies alone.
public struct RetryDecider: Sendable, Hashable {
    private final class Body: Sendable {
        let decide: @Sendable (RetryAttempt) async -> RetryVerdict

        init(_ decide: @escaping @Sendable (RetryAttempt) async -> RetryVerdict) { self.decide = decide }
    }

    private let body: Body

    /// Creates a decider.
    ///
    /// - Parameter decide: Decides; it is asked after each failure but a cancellation and a ``NonRetriableError``.
    public init(_ decide: @escaping @Sendable (_ attempt: RetryAttempt) async -> RetryVerdict) { body = Body(decide) }

    /// Retries every failure, as often as is said.
    ///
    /// - Parameters:
    ///   - attemptsCount: How many failures are answered with a retry; the next one is final.
    ///   - checker: Which failures; all where it is left out.
    /// - Returns: The decider.
    public static func anyError(
        attemptsCount: Int = 3, checker: @escaping @Sendable (_ error: NetworkError) -> Bool = { _ in true }
    ) -> RetryDecider {
        RetryDecider { $0.index < attemptsCount && checker($0.error) ? .retry : .doNotRetry }
    }

    /// Retries what failed before an answer came, for a reason that may pass.
    ///
    /// - Parameters:
    ///   - attemptsCount: How many failures are answered with a retry; the next one is final.
    ///   - otherwise: What is done for other failures.
    /// - Returns: The decider.
    public static func connectionErrors(
        attemptsCount: Int = 3, otherwise: RetryVerdict = .doNotRetry
    ) -> RetryDecider {
        RetryDecider { attempt in
            guard case .urlError = attempt.error, attempt.error.isRetryable else { return otherwise }
            return attempt.index < attemptsCount ? .retry : .doNotRetry
        }
    }

    /// Asks.
    package func verdict(on attempt: RetryAttempt) async -> RetryVerdict { await body.decide(attempt) }

    /// Whether both are copies of one.
    public static func == (left: RetryDecider, right: RetryDecider) -> Bool { left.body === right.body }

    /// Feeds which one it is into a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(body)) }
}

/// An attempt that failed, for whoever decides whether there is another.
public struct RetryAttempt: Sendable {
    /// What was sent.
    public let request: TransportRequest
    /// How many retries the call has had already: 0 at its first failure.
    public let index: Int
    /// Why it failed; a status from 400 up is ``NetworkError/customError(_:_:)``.
    public let error: NetworkError
    /// Whether the request can be sent again without harm; where it cannot, a verdict to retry is not followed.
    public let isSafe: Bool

    package init(request: TransportRequest, index: Int, error: NetworkError, isSafe: Bool) {
        self.request = request
        self.index = index
        self.error = error
        self.isSafe = isSafe
    }
}

/// What is to be done after a failure.
@nonexhaustive
public enum RetryVerdict: Sendable {
    /// Send it again after the wait that the policy or the server asks for.
    case retry
    /// Send it again after this wait.
    case retryWithDelay(Duration)
    /// Let the caller have the failure.
    case doNotRetry
    /// Let the caller have another error in its place.
    case doNotRetryWithError(any Error)
}

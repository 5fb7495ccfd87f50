// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Rules for retrying failed requests, and for the wait before each retry.
///
/// ```swift
/// let client = APIClient(baseURL: "https://api.example.com").with { $0.retry = RetryPolicy(maximumRetries: 2) }
/// ```
/// A request is retried only if the server cannot process it twice: its method is one of ``retryableMethods``, it has
/// an `Idempotency-Key` (see ``idempotencyKey``), or no byte of it can have reached the server. Its body must be replayable, too. All attempts
/// and waits of a call must fit into ``Timeouts/total``: a longer wait is not begun.
public struct RetryPolicy: Sendable, Hashable {
    /// The randomization of waits, which keeps clients that failed together from retrying together.
    public enum Jitter: Sendable, Hashable {
        /// A random wait between zero and the full wait.
        case full
        /// The full wait.
        case none
    }

    /// The maximum number of retries of a call, whatever requests them.
    ///
    /// Default: 3.
    public var maximumRetries = 3
    /// The wait before the first retry; it doubles for each further one.
    ///
    /// Default: 0.5 seconds.
    public var baseDelay: Duration = .milliseconds(500)
    /// The longest wait that doubling leads to.
    ///
    /// Default: 30 seconds.
    ///
    /// A server's `Retry-After` may ask for more.
    public var maximumDelay: Duration = .seconds(30)
    /// The randomization of waits.
    ///
    /// Default: ``Jitter/full``.
    public var jitter = Jitter.full
    /// The status codes of transient failures.
    ///
    /// Default: 408, 429, 500, 502, 503 and 504.
    public var retryableStatusCodes: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// The methods that may reach the server twice.
    ///
    /// Default: GET, HEAD, PUT, DELETE, OPTIONS, TRACE and QUERY.
    ///
    /// Add POST only if the server detects repeated requests.
    public var retryableMethods: Set<RequestMethod> = [.get, .head, .put, .delete, .options, .trace, .query]
    /// The transport errors that are transient.
    ///
    /// Default: those of ``NetworkError/isRetryable``.
    public var retryableTransportCodes = TransportError.Code.transient
    /// True if a server's `Retry-After` replaces the computed wait.
    ///
    /// Default: true.
    public var honorsRetryAfter = true
    /// The longest `Retry-After` to wait for.
    ///
    /// Default: one hour.
    ///
    /// A longer one ends the call at once.
    public var maximumRetryAfter: Duration = .seconds(3600)
    /// The number of retries allowed per request to the same origin; `nil` for no limit.
    ///
    /// Default: 0.2.
    ///
    /// The budget limits the load that the retries of all calls add when a server is down. After a quiet period, a
    /// client may still send ten retries, and one more each second.
    public var budgetRatio: Double? = 0.2
    /// The rule for giving each POST and PATCH a key, which makes them retryable.
    ///
    /// Default: `nil`, the client makes no keys.
    public var idempotencyKey: IdempotencyKey?
    /// Decides on each failure, instead of the status codes and transport errors above.
    ///
    /// Default: `nil`.
    ///
    /// It cannot override safety: ``maximumRetries``, ``retryableMethods``, the body and the deadline still apply.
    public var decider: RetryDecider?

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumRetries: The maximum number of retries of a call.
    ///   - decider: Decides on each failure; if `nil`, the policy's status codes and transport errors decide.
    public init(maximumRetries: Int = 3, decider: RetryDecider? = nil) {
        self.maximumRetries = maximumRetries
        self.decider = decider
    }

    /// Creates a policy with a fixed wait and a condition.
    ///
    /// - Parameters:
    ///   - maxRetryCount: The maximum number of retries of a call.
    ///   - delay: The wait before each retry, in seconds; a negative value means zero.
    ///   - shouldRetry: Returns true for an error to retry. Default: ``NetworkError/isRetryable``.
    public init(
        maxRetryCount: Int,
        delay: Double = 1,
        shouldRetry: @escaping @Sendable (any Error) -> Bool = { ($0 as? NetworkError)?.isRetryable ?? false }
    ) {
        maximumRetries = maxRetryCount
        // Limited to one year, since not every number can be converted to a duration.
        baseDelay = delay > 0 ? .seconds(min(delay, 31_536_000)) : .zero
        maximumDelay = baseDelay
        jitter = .none
        decider = RetryDecider { shouldRetry($0.error) ? .retry : .doNotRetry }
    }

    /// Returns the computed wait before a retry.
    ///
    /// - Parameters:
    ///   - number: The number of the retry, counted from 1.
    ///   - fraction: A random number from 0 to 1, for the jitter.
    /// - Returns: The wait.
    package func delay(before number: Int, fraction: Double) -> Duration {
        var delay = max(.zero, baseDelay)
        var doublings = 1
        while number > doublings, delay != .zero, delay < maximumDelay {
            delay *= 2
            doublings += 1
        }
        delay = max(.zero, min(delay, maximumDelay))
        return jitter == .full ? delay * fraction : delay
    }
}

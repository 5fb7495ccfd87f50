// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// When a request that failed is sent again, and how long it waits before that.
///
/// ```swift
/// let client = APIClient(baseURL: "https://api.example.com").with { $0.retry = RetryPolicy(maximumRetries: 2) }
/// ```
/// A request is sent again only where that cannot do its work twice: its method is one of ``retryableMethods``, it has an
/// `Idempotency-Key`, or no byte of it can have reached the server; and its body can be sent again. All attempts and
/// waits of a call have to fit into ``Timeouts/total``: a wait that does not is not begun.
public struct RetryPolicy: Sendable, Hashable {
    /// How waits are spread, so that clients that failed together do not come back together.
    public enum Jitter: Sendable, Hashable {
        /// Anything between nothing and the whole wait.
        case full
        /// The whole wait.
        case none
    }

    /// How often a call is sent again, at most, whatever asks for it; 3 by default.
    public var maximumRetries = 3
    /// The wait before the first retry; 0.5 seconds by default, twice as long before each further one.
    public var baseDelay: Duration = .milliseconds(500)
    /// The longest wait that doubling leads to; 30 seconds by default.
    ///
    /// A server's `Retry-After` may ask for more.
    public var maximumDelay: Duration = .seconds(30)
    /// How waits are spread; over their whole length by default.
    public var jitter = Jitter.full
    /// The statuses that may pass; 408, 429, 500, 502, 503 and 504 by default.
    public var retryableStatusCodes: Set<Int> = [408, 429, 500, 502, 503, 504]
    /// The methods that may reach the server twice; GET, HEAD, PUT, DELETE, OPTIONS and TRACE by default.
    ///
    /// Adding POST says that the server tells a repeated one from a new one.
    public var retryableMethods: Set<RequestMethod> = [.get, .head, .put, .delete, .options, .trace]
    /// The failures of the transport that may pass; those of ``NetworkError/isRetryable`` by default.
    public var retryableTransportCodes = TransportError.Code.passing
    /// Whether a server's `Retry-After` takes the place of our own wait; on by default.
    public var honoursRetryAfter = true
    /// The longest `Retry-After` that is waited for; one hour by default.
    ///
    /// A longer one ends the call at once.
    public var maximumRetryAfter: Duration = .seconds(3600)
    /// How many retries there may be for each request to the same origin; a fifth by default, `nil` for any number.
    ///
    /// When a server is down, retries of all calls together add no more load than this. A client that has been quiet may
    /// send ten retries all the same, and one more each second.
    public var budgetRatio: Double? = 0.2
    /// Decides each failure, in place of the statuses and codes above; `nil` by default.
    ///
    /// What is safe is not its to decide: ``maximumRetries``, ``retryableMethods``, the body and the deadline still hold.
    public var decider: RetryDecider?

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - maximumRetries: How often a call is sent again, at most.
    ///   - decider: Decides each failure; the policy's statuses and codes do where it is `nil`.
    public init(maximumRetries: Int = 3, decider: RetryDecider? = nil) {
        self.maximumRetries = maximumRetries
        self.decider = decider
    }

    /// Creates a policy with a fixed wait and a condition.
    ///
    /// - Parameters:
    ///   - maxRetryCount: How often a call is sent again, at most.
    ///   - delay: The wait before each, in seconds; less than zero is none.
    ///   - shouldRetry: Whether a failure may pass; ``NetworkError/isRetryable`` where it is left out.
    public init(
        maxRetryCount: Int,
        delay: Double = 1,
        shouldRetry: @escaping @Sendable (any Error) -> Bool = { ($0 as? NetworkError)?.isRetryable ?? false }
    ) {
        maximumRetries = maxRetryCount
        // Past a year nothing is waited for, and not every number is a duration.
        baseDelay = delay > 0 ? .seconds(min(delay, 31_536_000)) : .zero
        maximumDelay = baseDelay
        jitter = .none
        decider = RetryDecider { shouldRetry($0.error) ? .retry : .doNotRetry }
    }

    /// Our own wait before a retry.
    ///
    /// - Parameters:
    ///   - number: Which retry it is, counted from 1.
    ///   - fraction: A number from 0 to 1 that chance gave.
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

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// Judges failures in the user's own way, and may change a request before it is sent again.
///
/// ```swift
/// struct Patient: RetryHandler {
///     func shouldRetry(request: TransportRequest, error: NetworkError) -> Bool { error.statusCode == 409 }
/// }
/// let client = APIClient(baseURL: "https://api.example.com").with { $0.retryHandler = Patient() }
/// ```
/// Every member has a default. A handler chooses among what is safe: see ``/SimorghCore/RetryPolicy``. An `async` member is what is
/// called; by default it asks the other. With `import SimorghURLSession` the members may be written with `URLRequest`.
public protocol RetryHandler: Sendable {
    /// What a request is seen as; ``/SimorghCore/TransportRequest`` unless the members say otherwise.
    associatedtype Request: RetryableRequest = TransportRequest

    /// How often a call is sent again, at most; 3 by default.
    var numberOfRetries: Int { get }

    /// Whether a failure may pass.
    ///
    /// - Parameters:
    ///   - request: What was sent.
    ///   - error: Why it failed.
    /// - Returns: Whether to send it again; by default what ``/SimorghCore/NetworkError/isRetryable`` says.
    func shouldRetry(request: Request, error: NetworkError) -> Bool

    /// The request to send instead.
    ///
    /// - Parameters:
    ///   - client: The client that makes the call.
    ///   - request: What was sent.
    ///   - error: Why it failed.
    /// - Returns: The request, unchanged by default, and an error for the caller in its place, none by default.
    func modifyRequestForRetry(
        client: APIClient, request: Request, error: NetworkError
    ) -> (Request, NetworkError?)

    /// Whether a failure may pass, where it takes time to say so.
    ///
    /// - Parameters:
    ///   - request: What was sent.
    ///   - error: Why it failed.
    /// - Returns: Whether to send it again.
    func shouldRetryAsync(request: Request, error: NetworkError) async -> Bool

    /// The request to send instead, where it takes time to make.
    ///
    /// - Parameters:
    ///   - client: The client that makes the call.
    ///   - request: What was sent.
    ///   - error: Why it failed.
    /// - Returns: The request.
    /// - Throws: What the caller gets in place of another attempt.
    func modifyRequestForRetryAsync(
        client: APIClient, request: Request, error: NetworkError
    ) async throws -> Request
}

extension RetryHandler {
    /// Three.
    public var numberOfRetries: Int { 3 }

    /// What ``/SimorghCore/NetworkError/isRetryable`` says.
    public func shouldRetry(request: Request, error: NetworkError) -> Bool { error.isRetryable }

    /// The request as it was.
    public func modifyRequestForRetry(
        client: APIClient, request: Request, error: NetworkError
    ) -> (Request, NetworkError?) { (request, nil) }

    /// What the other member says.
    public func shouldRetryAsync(request: Request, error: NetworkError) async -> Bool {
        shouldRetry(request: request, error: error)
    }

    /// What the other member gives, its error thrown.
    public func modifyRequestForRetryAsync(
        client: APIClient, request: Request, error: NetworkError
    ) async throws -> Request {
        let (changed, failure) = modifyRequestForRetry(client: client, request: request, error: error)
        if let failure { throw failure }
        return changed
    }
}

extension APIClient.Configuration {
    /// The user's own judge of failures, within what is safe; none by default.
    ///
    /// Its ``RetryHandler/numberOfRetries`` takes the place of the policy's; waits are those of
    /// ``/SimorghCore/APIClient/Configuration/retry``, or of a policy with its defaults.
    public var retryHandler: (any RetryHandler)? {
        get { retryOverride?.source as? any RetryHandler }
        set { retryOverride = newValue.map { $0.override } }
    }
}

extension RetryHandler {
    /// What this handler changes of a client's retries.
    fileprivate var override: RetryOverride {
        RetryOverride(self) { policy in
            self.policy(policy)
        } prepare: { attempt in
            try await modified(attempt)
        }
    }

    /// A policy in which this handler decides.
    package func policy(_ policy: RetryPolicy) -> RetryPolicy {
        var policy = policy
        policy.maximumRetries = numberOfRetries
        policy.decider = RetryDecider { attempt in
            guard let request = try? Request.shown(attempt.request) else { return .doNotRetry }
            return await shouldRetryAsync(request: request, error: attempt.error) ? .retry : .doNotRetry
        }
        return policy
    }

    /// The request to send after an attempt that failed.
    package func modified(_ attempt: RetryAttempt) async throws -> TransportRequest {
        guard let client = attempt.request.options.call?.owner as? APIClient else { return attempt.request }
        let changed = try await modifyRequestForRetryAsync(
            client: client, request: .shown(attempt.request), error: attempt.error)
        return try changed.replacing(attempt.request)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A custom retry decision, which may change the request before it is sent again.
///
/// ```swift
/// struct Patient: RetryHandler {
///     func shouldRetry(request: TransportRequest, error: NetworkError) -> Bool { error.statusCode == 409 }
/// }
/// let client = APIClient(baseURL: "https://api.example.com").with { $0.retryHandler = Patient() }
/// ```
/// Every member has a default. A handler only chooses among safe retries: see ``/SimorghCore/RetryPolicy``. The client
/// calls the `async` members, which by default call the synchronous ones. With `import SimorghURLSession` the members
/// can use `URLRequest`.
public protocol RetryHandler: Sendable {
    /// The request type of the members. Default: ``/SimorghCore/TransportRequest``.
    associatedtype Request: RetryableRequest = TransportRequest

    /// The maximum number of retries of a call. Default: 3.
    var numberOfRetries: Int { get }

    /// Returns true if a failed request is to be sent again.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - error: The error it failed with.
    /// - Returns: True to retry. Default: ``/SimorghCore/NetworkError/isRetryable``.
    func shouldRetry(request: Request, error: NetworkError) -> Bool

    /// Returns the request to send in the next attempt.
    ///
    /// - Parameters:
    ///   - client: The client that makes the call.
    ///   - request: The request that was sent.
    ///   - error: The error it failed with.
    /// - Returns: The request, and an error to throw instead of retrying. Default: the unchanged request and `nil`.
    func modifyRequestForRetry(
        client: APIClient, request: Request, error: NetworkError
    ) -> (Request, NetworkError?)

    /// Returns true if a failed request is to be sent again, if the decision needs asynchronous work.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - error: The error it failed with.
    /// - Returns: True to retry.
    func shouldRetryAsync(request: Request, error: NetworkError) async -> Bool

    /// Returns the request to send in the next attempt, if creating it needs asynchronous work.
    ///
    /// - Parameters:
    ///   - client: The client that makes the call.
    ///   - request: The request that was sent.
    ///   - error: The error it failed with.
    /// - Returns: The request.
    /// - Throws: The error that the caller gets instead of another attempt.
    func modifyRequestForRetryAsync(
        client: APIClient, request: Request, error: NetworkError
    ) async throws -> Request
}

extension RetryHandler {
    /// 3.
    public var numberOfRetries: Int { 3 }

    /// Returns ``/SimorghCore/NetworkError/isRetryable``.
    public func shouldRetry(request: Request, error: NetworkError) -> Bool { error.isRetryable }

    /// Returns the request unchanged.
    public func modifyRequestForRetry(
        client: APIClient, request: Request, error: NetworkError
    ) -> (Request, NetworkError?) { (request, nil) }

    /// Calls ``shouldRetry(request:error:)``.
    public func shouldRetryAsync(request: Request, error: NetworkError) async -> Bool {
        shouldRetry(request: request, error: error)
    }

    /// Calls ``modifyRequestForRetry(client:request:error:)``, and throws the error it returns.
    public func modifyRequestForRetryAsync(
        client: APIClient, request: Request, error: NetworkError
    ) async throws -> Request {
        let (changed, failure) = modifyRequestForRetry(client: client, request: request, error: error)
        if let failure { throw failure }
        return changed
    }
}

extension APIClient.Configuration {
    /// The custom retry handler, which chooses among safe retries.
    ///
    /// Default: `nil`.
    ///
    /// Its ``RetryHandler/numberOfRetries`` overrides the policy's maximum. The delays are those of
    /// ``/SimorghCore/APIClient/Configuration/retry``, or of a default policy.
    public var retryHandler: (any RetryHandler)? {
        get { retryOverride?.source as? any RetryHandler }
        set { retryOverride = newValue.map { $0.override } }
    }
}

extension RetryHandler {
    /// The changes that this handler makes to a client's retries.
    fileprivate var override: RetryOverride {
        RetryOverride(self) { policy in
            self.policy(policy)
        } prepare: { attempt in
            try await modified(attempt)
        }
    }

    /// Returns the policy with this handler as its decider.
    package func policy(_ policy: RetryPolicy) -> RetryPolicy {
        var policy = policy
        policy.maximumRetries = numberOfRetries
        policy.decider = RetryDecider { attempt in
            guard let request = try? Request.shown(attempt.request) else { return .doNotRetry }
            return await shouldRetryAsync(request: request, error: attempt.error) ? .retry : .doNotRetry
        }
        return policy
    }

    /// Returns the request to send after a failed attempt.
    package func modified(_ attempt: RetryAttempt) async throws -> TransportRequest {
        guard let client = attempt.request.options.call?.owner as? APIClient else { return attempt.request }
        let changed = try await modifyRequestForRetryAsync(
            client: client, request: .shown(attempt.request), error: attempt.error)
        return try changed.replacing(attempt.request)
    }
}

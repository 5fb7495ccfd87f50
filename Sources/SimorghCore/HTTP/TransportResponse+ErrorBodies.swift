// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// Error bodies of collected calls.
///
/// Under ``TransportOptions/Delivery/collected(upTo:)`` the transport collects the body of a success itself. The body
/// of any other response streams, because a redirect, a challenge or a retried status is followed without reading its
/// body. The response that ends the call is collected here, up to the limit for error bodies.
extension TransportResponse {
    /// Returns the same response with its body in memory, cut off at ``TransportOptions/errorBodyBytes``.
    ///
    /// A body that streams because the caller asked for a stream stays unchanged, and so does the body of a success.
    ///
    /// - Parameter request: The request as the calling step received it.
    /// - Returns: The response; ``bodyFailure`` is the error that cut its body off, if any.
    /// - Throws: `CancellationError`, or the transport's own cancellation error.
    package func collectingErrorBody(for request: TransportRequest) async throws -> TransportResponse {
        guard let limit = request.options.errorBodyBytes, head.status.code >= 300, body.collectedBytes == nil,
            case .collected = request.options.delivery
        else { return self }
        var response = self
        // No byte would be kept, so do not wait for any.
        guard limit > 0 else {
            response.body = .empty
            response.isBodyTruncated = true
            return response
        }
        let beginning = try await body.beginning(upTo: limit)
        response.body = ResponseBody(beginning.bytes)
        response.isBodyTruncated = beginning.isTruncated
        response.bodyFailure = beginning.failure
        // After a redirect the request that failed is not the one that the caller sent.
        if var error = beginning.failure as? TransportError, error.url.isEmpty, let last = redirects.last {
            (error.method, error.url) = (last.method, last.to)
            response.bodyFailure = error
        }
        if let whole = ending?.timings { response.timings = whole }
        return response
    }

    /// Returns the same response with only the bytes of its body that arrive at once; closes the rest.
    ///
    /// For a redirect that several calls share: each call follows it, and none reads its body.
    ///
    /// - Parameter time: The clock that limits reading.
    /// - Returns: The response.
    /// - Throws: `CancellationError`, or the transport's own cancellation error.
    package func withBodyPrefix(_ time: TimeSource) async throws -> TransportResponse {
        guard body.collectedBytes == nil else { return self }
        var response = self
        let page = try await ErrorBodyReader.read(
            body, upTo: ResponseBody.drainLimit.bytes, within: ResponseBody.drainLimit.time, hasIdleTimeout: false,
            time: time)
        response.body = ResponseBody(page.bytes)
        response.isBodyTruncated = page.isTruncated || page.isTooLarge
        return response
    }

    /// Returns true if the whole body is in memory and is no larger than a limit.
    ///
    /// - Parameter limit: The limit, in bytes.
    /// - Returns: True if nothing remains to be read or rejected.
    package func isWhole(upTo limit: Int) -> Bool {
        guard !isBodyTruncated, let bytes = body.collectedBytes else { return false }
        return bytes.count <= limit
    }
}

extension TransportOptions {
    /// The number of bytes of a rejected response that are buffered before the next step, at least 64 KiB.
    ///
    /// For a collected call it is no less than the error keeps, so that the response holds no connection in the
    /// meantime.
    package var bufferingLimit: Int {
        guard case .collected = delivery else { return 64 * 1024 }
        return Swift.max(64 * 1024, errorBodyBytes ?? 0)
    }
}

extension ResponseBody {
    /// Reads a body up to a limit, and closes the rest.
    ///
    /// If the body fails, the bytes received so far are returned: the status is more informative than that error.
    fileprivate func beginning(
        upTo limit: Int
    ) async throws -> (bytes: Data, isTruncated: Bool, failure: (any Error)?) {
        var bytes = Data()
        do {
            for try await chunk in self {
                let capacity = limit - bytes.count
                guard chunk.count <= capacity else {
                    bytes.append(chunk.prefix(capacity))
                    return (bytes, true, nil)
                }
                bytes.append(chunk)
            }
        } catch  where !error.isCancellation && !Task.isCancelled {
            return (bytes, true, error)
        }
        return (bytes, false, nil)
    }
}

extension Interceptor {
    /// Returns an interceptor that collects the body of an error response that the inner steps returned unread.
    static func collectingErrorBodies(_ configuration: APIClient.Configuration) -> Interceptor? {
        guard !configuration.followedStatuses.isEmpty else { return nil }
        return Interceptor(isPlain: true) { request, next in
            let response = try await next(request)
            guard response.head.status.code >= 300 else { return response }
            return try await response.collectingErrorBody(for: request)
        }
    }
}

extension APIClient.Configuration {
    /// The statuses that a step may answer with another request, so their bodies are not collected first.
    ///
    /// A retry decider and a function that changes the next request look at the body of the response: it is collected
    /// for them.
    var followedStatuses: Set<Int> {
        var statuses: Set<Int> = []
        if redirects.follows { statuses.formUnion(RedirectStateMachine.statuses) }
        if let retry = effectiveRetry, retry.decider == nil, retryOverride == nil {
            statuses.formUnion(retry.retryableStatusCodes)
        }
        if credentials != nil { statuses.insert(401) }
        if resilience.hedging != nil { statuses.formUnion(RetryPolicy().retryableStatusCodes) }
        // The statuses that stale-if-error covers (RFC 5861, section 4).
        if caching.httpCache != nil { statuses.formUnion([500, 502, 503, 504]) }
        return statuses
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// Error bodies of collected calls.
///
/// Under ``TransportOptions/Delivery/collected(upTo:)`` the transport collects the body of a success itself. The body of
/// any other response streams, because a redirect, a challenge or a status that is retried is followed without its body.
/// The response that ends the call is collected here, up to what an error keeps.
extension TransportResponse {
    /// Returns the same response with its body in memory, cut off at ``TransportOptions/errorBodyBytes``.
    ///
    /// A body that streams because the caller asked for a stream stays as it is, and so does the body of a success.
    ///
    /// - Parameter request: The request as the calling step has it.
    /// - Returns: The response; ``bodyFailure`` says why its body broke off.
    /// - Throws: `CancellationError`, or the transport's own error for that.
    package func gathered(for request: TransportRequest) async throws -> TransportResponse {
        guard let limit = request.options.errorBodyBytes, head.status.code >= 300, body.collectedBytes == nil,
            case .collected = request.options.delivery
        else { return self }
        var response = self
        // Nothing of it is kept, so nothing of it is waited for.
        guard limit > 0 else {
            response.body = .empty
            response.isBodyTruncated = true
            return response
        }
        let beginning = try await body.beginning(upTo: limit)
        response.body = ResponseBody(beginning.bytes)
        response.isBodyTruncated = beginning.isTruncated
        response.bodyFailure = beginning.failure
        // After a redirect the failed request is not the one that the caller sent.
        if var error = beginning.failure as? TransportError, error.url.isEmpty, let last = redirects.last {
            (error.method, error.url) = (last.method, last.to)
            response.bodyFailure = error
        }
        if let whole = ending?.timings { response.timings = whole }
        return response
    }

    /// Returns the same response with the little of its body that arrives at once in memory; the rest is let go.
    ///
    /// For a redirect that several calls share: each of them follows it, and none reads its body.
    ///
    /// - Parameter time: Measures how long the body is read.
    /// - Returns: The response.
    /// - Throws: `CancellationError`, or the transport's own error for that.
    package func skimmed(_ time: TimeSource) async throws -> TransportResponse {
        guard body.collectedBytes == nil else { return self }
        var response = self
        let page = try await RefusedPage.read(
            body, upTo: ResponseBody.unwanted.bytes, within: ResponseBody.unwanted.time, isSilenceBounded: false, time)
        response.body = ResponseBody(page.bytes)
        response.isBodyTruncated = page.isTruncated || page.isTooLarge
        return response
    }

    /// A Boolean value that indicates whether the whole body is in memory, and is no larger than a bound.
    ///
    /// - Parameter limit: The bound, in bytes.
    /// - Returns: True if nothing is left to read or to refuse.
    package func isWhole(upTo limit: Int) -> Bool {
        guard !isBodyTruncated, let bytes = body.collectedBytes else { return false }
        return bytes.count <= limit
    }
}

extension TransportOptions {
    /// The most of a refusal that is read before the next step, in bytes: for a collected call as much as its error
    /// keeps, so that no connection is held meanwhile.
    package var heldBytes: Int {
        guard case .collected = delivery else { return 64 * 1024 }
        return Swift.max(64 * 1024, errorBodyBytes ?? 0)
    }
}

extension ResponseBody {
    /// Reads a body up to a bound, and lets go of the rest.
    ///
    /// A body that breaks off is kept as far as it came: the status says more than that.
    fileprivate func beginning(
        upTo limit: Int
    ) async throws -> (bytes: Data, isTruncated: Bool, failure: (any Error)?) {
        var bytes = Data()
        do {
            for try await chunk in self {
                let room = limit - bytes.count
                guard chunk.count <= room else {
                    bytes.append(chunk.prefix(room))
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
    /// Collects the body of a response that the steps below have handed on, although it is no success.
    static func gathering(_ configuration: APIClient.Configuration) -> Interceptor? {
        guard !configuration.followedStatuses.isEmpty else { return nil }
        return Interceptor(isPlain: true) { request, next in
            let response = try await next(request)
            guard response.head.status.code >= 300 else { return response }
            return try await response.gathered(for: request)
        }
    }
}

extension APIClient.Configuration {
    /// The statuses that a step may answer with another request, so that their bodies are not collected before.
    ///
    /// A retry decider and a function that changes the next request look at the body of a refusal: it is collected for them.
    var followedStatuses: Set<Int> {
        var statuses: Set<Int> = []
        if redirects.follows { statuses.formUnion(RedirectMachine.statuses) }
        if let retry = effectiveRetry, retry.decider == nil, retryOverride == nil {
            statuses.formUnion(retry.retryableStatusCodes)
        }
        if credentials != nil { statuses.insert(401) }
        if resilience.hedging != nil { statuses.formUnion(RetryPolicy().retryableStatusCodes) }
        // What stale-if-error answers (RFC 5861, section 4).
        if caching.httpCache != nil { statuses.formUnion([500, 502, 503, 504]) }
        return statuses
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension RateLimit {
    /// The limits that each server states in its responses, and no other.
    ///
    /// ```swift
    /// let client = APIClient(baseURL: "https://api.github.com").with { $0.resilience.rateLimit = .fromServer }
    /// ```
    /// See ``followsServer``.
    public static var fromServer: RateLimit {
        // A billion requests per second.
        var limit = RateLimit(requests: .max)
        limit.followsServer = true
        return limit
    }

    /// True if requests wait before they exceed a limit that the server has stated in its responses.
    ///
    /// Default: false; true for ``fromServer``.
    ///
    /// The fields are `RateLimit` with `RateLimit-Policy` (an Internet-Draft), `RateLimit-Remaining` and
    /// `RateLimit-Reset` of earlier drafts, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, also with `-Requests` at
    /// their ends, and `Retry-After` of a response with the status 429 or 503. The first request to an origin is sent alone, since its response tells the
    /// limits; after a second without a response another one follows. The quota is used as fast as the calls come, and
    /// counts requests in flight as used; when it is used up, further requests wait for the end of the window, at most
    /// ``/SimorghCore/RateLimit/maximumServerWait``. Then one request is sent, and its response tells the rest. A request whose turn would come
    /// after its deadline fails at once with ``/SimorghCore/RateLimitExceededError``.
    ///
    /// Limits are kept for each origin, and for each part of a quota that the server names. `Retry-After` of a response
    /// 503 that names no part delays only the path of the request and those below it. A server counts each user
    /// by itself: a program with several users needs a client of its own for each.
    public var followsServer: Bool {
        get { serverLimiters != nil }
        set {
            serverLimiters =
                newValue ? ServerLimiterFactory { ServerGates($0, host: $1, time: $2) } : nil
        }
    }
}

extension APIClient {
    /// Returns the limits that a server has stated in its last responses, if the client's
    /// ``/SimorghCore/APIClient/Configuration/Resilience/rateLimit`` follows the server.
    ///
    /// - Parameter url: Any URL of the server. Default: the base URL.
    /// - Returns: The limits whose window has not ended; empty without such a limit, and for an invalid URL.
    public func rateLimits(for url: String? = nil) -> [ServerRateLimit] {
        guard let rule = configuration.resilience.rateLimit, rule.followsServer,
            let base = try? url.map({ try BaseURL.absolute($0).base }) ?? settings.currentBase.url?.get()
        else { return [] }
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: base.scheme, authority: base.authority, path: "/"))
        // The requests to the URL are sent, and counted, over TLS.
        if let security = configuration.transportSecurity { request = security.upgraded(request) }
        return RateLimiters.of(rule, state: settings.state, time: configuration.time).serverLimits(to: request.head)
    }
}

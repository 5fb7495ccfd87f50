// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Interceptor {
    /// Answers requests from what is kept of earlier responses, and keeps new ones.
    ///
    /// - Parameters:
    ///   - cache: Keeps them.
    ///   - strategy: Whether a request may be answered from it.
    ///   - isAnonymous: Whether credentials are added below, so that only a named partition can be used.
    ///   - hasStepsBelow: Whether steps below may send other fields than the cache has seen.
    ///   - cookies: Where the cookies are kept that come with what is fetched in the background.
    ///   - time: Tells how old they are.
    /// - Returns: The step.
    package static func cache(
        _ cache: HTTPCache, _ strategy: CacheStrategy, isAnonymous: Bool = false, hasStepsBelow: Bool = false,
        cookies: (any CookieStore)? = nil, time: TimeSource
    ) -> Interceptor {
        let past = Interceptor.cacheStrategy(strategy)
        return Interceptor { request, next in
            let fields = request.head.headerFields
            guard let lookup = CacheLookup.of(request, fields, in: cache, strategy, isAnonymous: isAnonymous) else {
                if CacheControl(request.head.headerFields).onlyIfCached { return CacheRun.onlyIfCached() }
                let response = if let past { try await past.handle(request, next) } else { try await next(request) }
                await CacheRun.invalidate(cache, request, response)
                return response
            }
            let run = CacheRun(
                cache: cache, request: request, time: time, hasStepsBelow: hasStepsBelow, cookies: cookies,
                lookup: lookup)
            return try await run.answer(next)
        }
    }
}

extension HTTPCache {
    /// Answers from memory, with nothing to wait for: what a call asks before it becomes a task of its own.
    ///
    /// What it answers, the step of the same name would have answered alike.
    ///
    /// - Parameters:
    ///   - strategy: Whether a request may be answered from it.
    ///   - time: Tells how old the responses are.
    /// - Returns: Gives the answer to a request with these header fields; `nil` where it takes a disk, a server or another step. There is no such function for a
    ///   store of the user's own, which may wait.
    func answers(
        _ strategy: CacheStrategy, time: TimeSource
    ) -> (@Sendable (TransportRequest, HTTPFields) -> TransportResponse?)? {
        guard let blobStore else { return nil }
        return { request, fields in
            guard let lookup = CacheLookup.of(request, fields, in: self, strategy, isAnonymous: false) else {
                return nil
            }
            return lookup.hit(in: blobStore, of: self, for: request, fields, now: time.milliseconds)
        }
    }
}

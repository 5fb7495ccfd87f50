// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Interceptor {
    /// Returns a step that answers requests from stored responses, and stores new ones.
    ///
    /// - Parameters:
    ///   - cache: The cache.
    ///   - strategy: The use of the cache for a request.
    ///   - addsCredentialsLater: True if credentials are added by a later step, so that only a named partition can be
    ///     used.
    ///   - hasNetworkInterceptors: True if later steps may send other header fields than the cache has seen.
    ///   - cookies: The store for cookies of responses that are fetched in the background.
    ///   - time: The clock, for the age of stored responses.
    /// - Returns: The step.
    package static func cache(
        _ cache: HTTPCache, strategy: CacheStrategy, addsCredentialsLater: Bool = false,
        hasNetworkInterceptors: Bool = false, cookies: (any CookieStore)? = nil, time: TimeSource
    ) -> Interceptor {
        let past = Interceptor.cacheStrategy(strategy)
        let memory = cache.answers(strategy, addsCredentialsLater: addsCredentialsLater, time: time)
        return Interceptor(answerFromMemory: memory) { request, next in
            let fields = request.head.headerFields
            guard
                let lookup = CacheLookup.of(
                    request, fields: fields, in: cache, strategy: strategy, addsCredentialsLater: addsCredentialsLater)
            else {
                if CacheControl(request.head.headerFields).onlyIfCached { return CacheExchange.onlyIfCached() }
                let response = if let past { try await past.handle(request, next) } else { try await next(request) }
                await CacheExchange.invalidate(cache, after: request, response: response)
                return response
            }
            let run = CacheExchange(
                cache: cache, request: request, time: time, hasNetworkInterceptors: hasNetworkInterceptors,
                cookies: cookies,
                lookup: lookup)
            return try await run.answer(next)
        }
    }

    /// Returns the cache step of a configuration; without a cache, a step that sends the strategy to caches on the way.
    ///
    /// - Parameter configuration: The configuration.
    /// - Returns: The step; `nil` if there is no cache, and the strategy adds nothing to requests.
    static func cache(_ configuration: APIClient.Configuration) -> Interceptor? {
        guard let cache = configuration.caching.httpCache else { return .cacheStrategy(configuration.caching.strategy) }
        return .cache(
            cache, strategy: configuration.caching.strategy,
            addsCredentialsLater: configuration.addsCredentialsBelowCache,
            hasNetworkInterceptors: !configuration.networkInterceptors.isEmpty, cookies: configuration.cookies,
            time: configuration.time)
    }
}

extension HTTPCache {
    /// Returns a function that answers from memory without waiting, which a call tries before it starts a task.
    ///
    /// The responses are those that the step of `Interceptor.cache(_:strategy:…)` would return.
    ///
    /// - Parameters:
    ///   - strategy: The use of the cache for a request.
    ///   - addsCredentialsLater: True if credentials are added by a later step.
    ///   - time: The clock, for the age of stored responses.
    /// - Returns: A function that answers a request with these header fields, and returns `nil` if a disk, a server or
    ///   another step is needed; `nil` for a strategy that asks the server, and for a custom store, which may wait.
    func answers(
        _ strategy: CacheStrategy, addsCredentialsLater: Bool, time: TimeSource
    ) -> (@Sendable (TransportRequest, HTTPFields) -> TransportResponse?)? {
        guard let blobStore, strategy != .reloadIgnoringLocalCacheData else { return nil }
        return { request, fields in
            guard
                let lookup = CacheLookup.of(
                    request, fields: fields, in: self, strategy: strategy, addsCredentialsLater: addsCredentialsLater)
            else {
                return nil
            }
            return lookup.hit(in: blobStore, of: self, for: request, fields, now: time.milliseconds)
        }
    }
}

extension APIClient.Configuration {
    /// The requests that only a cache may answer.
    package var cacheOnly: TransportOptions.CacheOnly {
        if caching.strategy == .returnCacheDataDontLoad || addedSteps.answersEveryRequest { return .all }
        guard caching.httpCache != nil else { return .none }
        var fields = HTTPFields()
        for (name, value) in headers where HTTPField.Name(name) == HTTPField.Name.cacheControl {
            fields.append(HTTPField(name: .cacheControl, value: value))
        }
        return .onlyIfCached(byDefault: CacheControl(fields).onlyIfCached)
    }
}

extension TransportRequest {
    /// True if only a cache may answer, so that no step has to send or wait for anything first.
    package var isCacheOnly: Bool {
        switch options.cacheOnly {
        case .none: return false
        case .all: return true
        case .onlyIfCached(let byDefault):
            // Other methods are never answered from a cache, so the server is asked.
            guard [.get, .head, .query].contains(head.method) else { return false }
            let fields = head.headerFields
            return fields.contains(.cacheControl) ? CacheControl(fields).onlyIfCached : byDefault
        }
    }
}

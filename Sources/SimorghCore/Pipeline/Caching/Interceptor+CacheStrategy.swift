// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Interceptor {
    /// Says a strategy to the caches on the way, as there is none in the client.
    ///
    /// - Parameter strategy: The strategy.
    /// - Returns: The step; `nil` where there is nothing to say.
    package static func cacheStrategy(_ strategy: CacheStrategy) -> Interceptor? {
        switch strategy {
        case .useProtocolCachePolicy, .returnCacheDataElseLoad: nil
        case .reloadIgnoringLocalCacheData: cacheControl("no-cache")
        case .reloadRevalidatingCacheData: cacheControl("max-age=0")
        case .returnCacheDataDontLoad:
            Interceptor { _, _ in
                throw TransportError(
                    .cannotLoadFromNetwork, phase: .total,
                    message: "the strategy is to answer from the cache alone, and the cache has nothing",
                    requestMayHaveBeenSent: false)
            }
        }
    }

    private static func cacheControl(_ directive: String) -> Interceptor {
        Interceptor { request, next in
            guard !request.head.headerFields.has(.cacheControl) else { return try await next(request) }
            var request = request
            request.head.headerFields.append(HTTPField(name: .cacheControl, value: directive))
            return try await next(request)
        }
    }
}

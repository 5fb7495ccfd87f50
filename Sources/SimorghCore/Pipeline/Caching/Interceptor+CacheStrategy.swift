// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Interceptor {
    /// Returns a step that sends a strategy to the caches on the way, for a client without a cache.
    ///
    /// - Parameter strategy: The strategy.
    /// - Returns: The step; `nil` if the strategy needs no header field.
    package static func cacheStrategy(_ strategy: CacheStrategy) -> Interceptor? {
        switch strategy {
        case .useProtocolCachePolicy, .returnCacheDataElseLoad: nil
        case .reloadIgnoringLocalCacheData: cacheControl("no-cache")
        case .reloadRevalidatingCacheData: cacheControl("max-age=0")
        case .returnCacheDataDontLoad:
            Interceptor { _, _ in
                throw TransportError(
                    .cannotLoadFromNetwork, phase: .total,
                    message: "the cache strategy forbids using the network, and no usable response is stored",
                    requestMayHaveBeenSent: false)
            }
        }
    }

    private static func cacheControl(_ directive: String) -> Interceptor {
        Interceptor { request, next in
            guard !request.head.headerFields.contains(.cacheControl) else { return try await next(request) }
            var request = request
            request.head.headerFields.append(HTTPField(name: .cacheControl, value: directive))
            return try await next(request)
        }
    }
}

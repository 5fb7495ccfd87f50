// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// A request as a cache looks at it, and the key of the responses to it.
struct CacheLookup: Sendable {
    let seen: CacheRequest
    let key: CacheKey

    /// Looks at a request.
    ///
    /// - Parameters:
    ///   - request: The request; not a part of what is returned, so that it is not copied.
    ///   - fields: Its header fields, as they will be.
    ///   - cache: The cache.
    ///   - strategy: Whether it may be answered from it.
    ///   - isAnonymous: Whether credentials are added below.
    /// - Returns: The lookup; `nil` for a request that is none of a cache's business.
    static func of(
        _ request: TransportRequest, _ fields: HTTPFields, in cache: HTTPCache, _ strategy: CacheStrategy,
        isAnonymous: Bool
    ) -> CacheLookup? {
        if isAnonymous || request.options.tls.identifies, cache.configuration.partition == .credentials { return nil }
        // Responses of an unverified server are for this call alone.
        guard !request.options.tls.isUnverified, request.isNamedByURL(with: fields) else { return nil }
        let partition = cache.configuration.partition.text(for: request, with: fields) + request.surroundings
        guard let place = cache.places.place(of: request.head, partition: partition) else { return nil }
        // As the transport will send it.
        let isDecoded = request.options.decompresses && !fields.has(.acceptEncoding) && !fields.has(.range)
        let seen = CacheRequest(
            method: request.head.method.rawValue, url: place.url, fields: fields, partition: partition,
            isDecoded: isDecoded, strategy: strategy)
        return CacheLookup(seen: seen, key: place.key)
    }
}

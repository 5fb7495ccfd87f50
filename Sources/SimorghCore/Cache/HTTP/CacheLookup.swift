// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// A request as the cache sees it, with its key.
struct CacheLookup: Sendable {
    let seen: CacheRequest
    let key: CacheKey

    /// Creates the lookup for a request.
    ///
    /// - Parameters:
    ///   - request: The request; the result does not contain it, to avoid a copy.
    ///   - fields: Its final header fields.
    ///   - cache: The cache.
    ///   - strategy: The use of the cache for the request.
    ///   - addsCredentialsLater: True if credentials are added by a later step.
    /// - Returns: The lookup; `nil` for a request that the cache does not handle.
    static func of(
        _ request: TransportRequest, fields: HTTPFields, in cache: HTTPCache, strategy: CacheStrategy,
        addsCredentialsLater: Bool
    ) -> CacheLookup? {
        if addsCredentialsLater || request.options.tls.identifies, cache.configuration.partition == .credentials {
            return nil
        }
        // A response from an unverified server is for this call only.
        guard !request.options.tls.isUnverified, request.isNamedByURL(with: fields) else { return nil }
        // A QUERY is kept apart by its content, under the URL, so that a change of the resource invalidates it, too.
        let partition =
            cache.configuration.partition.text(for: request, with: fields) + request.surroundings
            + request.queryDigest(with: fields)
        guard let entry = cache.keyMemo.entry(of: request.head, partition: partition) else { return nil }
        // As the transport will send it.
        let isDecoded = request.options.decompresses && !fields.contains(.acceptEncoding) && !fields.contains(.range)
        let seen = CacheRequest(
            method: request.head.method.rawValue, url: entry.url, fields: fields, partition: partition,
            isDecoded: isDecoded, strategy: strategy)
        return CacheLookup(seen: seen, key: entry.key)
    }
}

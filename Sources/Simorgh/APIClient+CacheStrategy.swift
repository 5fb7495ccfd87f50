// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension APIClient {
    /// Creates a client with the process's shared transport, and with ``/SimorghCore/HTTPCache/shared`` as its cache.
    ///
    /// ```swift
    /// let client = APIClient(defaultCacheStrategy: .returnCacheDataElseLoad)
    /// ```
    /// - Parameter defaultCacheStrategy: The strategy for using the cache.
    public convenience init(defaultCacheStrategy: CacheStrategy) {
        var configuration = Configuration()
        configuration.caching.httpCache = .shared
        configuration.cacheStrategy = defaultCacheStrategy
        self.init(configuration: configuration)
    }
}

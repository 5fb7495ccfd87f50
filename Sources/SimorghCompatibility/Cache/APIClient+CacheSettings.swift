// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient {
    /// Changes whether later calls may be answered from a cache; calls in flight go on as they began.
    ///
    /// - Parameter strategy: The strategy for calls that set none of their own.
    public func updateDefaultCacheStrategy(_ strategy: CacheStrategy) {
        updateConfiguration { $0.caching.strategy = strategy }
    }

    /// Gives later calls a cache of these capacities, instead of the one that they had; calls in flight go on as they began.
    ///
    /// - Parameter configuration: How large it is, and where.
    public func updateCacheConfiguration(_ configuration: CacheConfiguration) {
        let cache = HTTPCache(configuration, time: settings.configuration.time)
        updateConfiguration { $0.caching.httpCache = cache }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient {
    /// Changes the default cache strategy of later calls; calls in flight keep the previous one.
    ///
    /// - Parameter strategy: The strategy for calls that do not set one.
    public func updateDefaultCacheStrategy(_ strategy: CacheStrategy) {
        updateConfiguration { $0.caching.strategy = strategy }
    }

    /// Replaces the HTTP cache for later calls; calls in flight keep the previous one.
    ///
    /// - Parameter configuration: The capacities and the folder of the new cache.
    public func updateCacheConfiguration(_ configuration: CacheConfiguration) {
        let cache = HTTPCache(configuration, time: settings.configuration.time)
        updateConfiguration { $0.caching.httpCache = cache }
    }
}

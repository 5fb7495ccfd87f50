// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport
import Synchronization

/// A private HTTP cache (RFC 9111), in memory and on the disk.
///
/// ```swift
/// let cache = HTTPCache()
/// let cached = client.with { $0.caching.httpCache = cache }
/// ```
/// A client and its views share one cache, and several clients may. The response's `Cache-Status` field and
/// ``NetworkEvent/cache(_:)`` report the cache's part in a response. Responses to requests with different credentials
/// are stored separately, see ``CachePartition``. A response with `private` or `Set-Cookie` answers only requests with
/// the same cookies.
public final class HTTPCache: Sendable {
    /// A shared cache with the default settings, created at its first use.
    public static let shared = HTTPCache()

    /// The settings.
    public let configuration: CacheConfiguration
    package let store: any CacheStore
    /// The store, if it is the library's own implementation.
    let blobStore: BlobStore?
    package let rules: CacheRules
    let time: TimeSource
    /// A memo of the keys of recently used URLs.
    let keyMemo = CacheKeyMemo()
    /// The background refreshes in progress.
    private let refreshing = Mutex<[CacheKey: Task<Void, Never>]>([:])
    /// The maximum number of background refreshes; beyond it a response stays stale until its next use.
    private static let refreshLimit = 16

    /// Creates a cache in memory and on the local disk.
    ///
    /// Two caches of one process with the same folder share their responses, with the capacities of the later one. If
    /// the folder cannot be used, or another process uses it, the cache is in memory only.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - time: The clock for the ages in ``entries()``. The client's clock decides whether a response is fresh.
    public convenience init(
        _ configuration: CacheConfiguration = CacheConfiguration(), time: TimeSource = .system
    ) {
        self.init(configuration, store: BlobStore.shared(BlobStore.Settings(configuration)), time: time)
    }

    /// Opens the folder of another cache, which may have other capacities and another key.
    ///
    /// Nothing is evicted. An unreadable entry remains until its URL, or everything, is removed.
    ///
    /// - Parameter configuration: The settings, with the folder.
    package convenience init(lookingAt configuration: CacheConfiguration) {
        var settings = BlobStore.Settings(configuration)
        settings.diskCapacity = BlobStore.Settings.capacity(.max)
        settings.isReadOnly = true
        self.init(configuration, store: BlobStore(settings))
    }

    /// Creates a cache over a custom store.
    ///
    /// - Parameters:
    ///   - configuration: The settings, except for the capacities and the folder, which are ignored.
    ///   - store: The store of the responses.
    ///   - time: The clock for the ages in ``entries()``. The client's clock decides whether a response is fresh.
    public init(_ configuration: CacheConfiguration, store: any CacheStore, time: TimeSource = .system) {
        self.configuration = configuration
        self.time = time
        self.store = store
        blobStore = store as? BlobStore
        var rules = CacheRules()
        rules.storesForAnyAge = configuration.storesForAnyAge
        rules.staleIfError = Int64(min(max(configuration.staleIfError.secondsAsDouble, 0), 1e9) * 1000)
        self.rules = rules
    }

    /// Starts a background refresh, unless one for the same key is in progress.
    package func refresh(_ key: CacheKey, work: @escaping @Sendable () async -> Void) {
        refreshing.withLock { refreshing in
            guard refreshing[key] == nil, refreshing.count < Self.refreshLimit else { return }
            // Detached, so that it does not inherit the caller's task-local values: the caller has its response.
            refreshing[key] = Task.detached(priority: .utility) { [weak self] in
                await work()
                self?.refreshing.withLock { $0[key] = nil }
            }
        }
    }

    /// Begins to store a response.
    ///
    /// - Returns: The writer for its body; `nil` if the store rejects it.
    func write(
        _ response: StoredResponse, as key: BlobKey, length: Int64?, since moment: CacheMoment
    ) async -> (any BlobWriter)? {
        guard let blobStore else {
            return await store.write(key, metadata: response.encoded, length: length, since: moment)
        }
        // With the parsed metadata attached, so that a hit in memory does not decode it again.
        let attachment = ParsedStoredResponse.attachment(of: response)
        return await blobStore.write(
            key, metadata: response.encoded, attachment: attachment, length: length, since: moment)
    }

    /// Cancels all background refreshes.
    package func cancelRefreshes() {
        for task in refreshing.withLock({ Array($0.values) }) { task.cancel() }
    }

    /// Waits until all background refreshes have ended.
    package func settled() async {
        while let task = refreshing.withLock({ $0.values.first }) { await task.value }
    }
}

extension BlobStore.Settings {
    /// Creates the settings of a store for an HTTP cache.
    init(_ configuration: CacheConfiguration) {
        self.init()
        memoryCapacity = Self.capacity(configuration.memoryCapacity)
        diskCapacity = Self.capacity(configuration.diskCapacity)
        synchronizes = configuration.synchronizes
        encryptionKey = configuration.encryptionKey
        purpose = "http"
        if let path = configuration.diskPath {
            diskPath = path
        } else {
            diskPath = "\(Platform.cacheFolder.path)/simorgh/http/\(Platform.programName)"
            root = Platform.cacheFolder
        }
    }
}

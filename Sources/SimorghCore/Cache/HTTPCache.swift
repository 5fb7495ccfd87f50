// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport
import Synchronization

/// Keeps responses as RFC 9111 allows a private cache to, and answers requests from them.
///
/// ```swift
/// let cache = HTTPCache()
/// let cached = client.with { $0.caching.httpCache = cache }
/// ```
/// A client and its views share one, and so may several clients. What it did for a response stands in the response's
/// `Cache-Status` field and in ``NetworkEvent/cache(_:)``. Responses to requests with other credentials are kept apart, see
/// ``CachePartition``; and one that says `private`, or that sets a cookie, answers only requests with the same cookies.
public final class HTTPCache: Sendable {
    /// One with the default configuration, made when it is first used.
    public static let shared = HTTPCache()

    /// How large it is, and where.
    public let configuration: CacheConfiguration
    package let store: any CacheStore
    /// The store, if it is the library's own.
    let blobStore: BlobStore?
    package let rules: CacheRules
    let time: TimeSource
    /// What the last URLs are stored under.
    let places = CachePlaces()
    /// What is fetched in the background.
    private let refreshing = Mutex<[CacheKey: Task<Void, Never>]>([:])
    /// How much at once; a response that finds no place stays as it is until it is asked for again.
    private static let refreshLimit = 16

    /// Creates a cache in memory and on this machine's disk.
    ///
    /// Two caches of one process with the same folder keep their responses together, in what the later one's capacities
    /// allow. A folder that cannot be used, or that another process uses already, makes it one in memory alone.
    ///
    /// - Parameters:
    ///   - configuration: How large it is, and where.
    ///   - time: Tells how old ``entries()`` are; whether one answers a request, the time of the client does.
    public convenience init(
        _ configuration: CacheConfiguration = CacheConfiguration(), time: TimeSource = .system
    ) {
        self.init(configuration, store: BlobStore.shared(BlobStore.Settings(configuration)), time: time)
    }

    /// Opens what another cache may have kept, with other capacities and another key: nothing goes to make room, and
    /// what cannot be read stays until its URL is forgotten, or everything.
    ///
    /// - Parameter configuration: Where it is.
    package convenience init(lookingAt configuration: CacheConfiguration) {
        var settings = BlobStore.Settings(configuration)
        settings.diskCapacity = BlobStore.Settings.capacity(.max)
        settings.isOnlyLooking = true
        self.init(configuration, store: BlobStore(settings))
    }

    /// Creates a cache over a store of your own.
    ///
    /// - Parameters:
    ///   - configuration: How it decides; its capacities and its folder do not count.
    ///   - store: Keeps the responses.
    ///   - time: Tells how old ``entries()`` are; whether one answers a request, the time of the client does.
    public init(_ configuration: CacheConfiguration, store: any CacheStore, time: TimeSource = .system) {
        self.configuration = configuration
        self.time = time
        self.store = store
        blobStore = store as? BlobStore
        var rules = CacheRules()
        rules.keepsForAnyAge = configuration.keepsForAnyAge
        rules.staleIfError = Int64(min(max(configuration.staleIfError.inSeconds, 0), 1e9) * 1000)
        self.rules = rules
    }

    /// Fetches something in the background, unless that is under way already.
    package func refresh(_ key: CacheKey, _ work: @escaping @Sendable () async -> Void) {
        refreshing.withLock { refreshing in
            guard refreshing[key] == nil, refreshing.count < Self.refreshLimit else { return }
            // Not with what the caller's task is about: it has its answer.
            refreshing[key] = Task.detached(priority: .utility) { [weak self] in
                await work()
                self?.refreshing.withLock { $0[key] = nil }
            }
        }
    }

    /// Begins to write a response.
    ///
    /// - Returns: What takes its body; `nil` where the store takes none.
    func write(
        _ response: StoredResponse, as key: BlobKey, length: Int64?, since moment: CacheMoment
    ) async -> (any BlobWriter)? {
        guard let blobStore else {
            return await store.write(key, metadata: response.encoded, length: length, since: moment)
        }
        // A hit from memory does not decode the response again.
        let note = UnderstoodResponse.note(of: response)
        return await blobStore.write(
            key, metadata: response.encoded, note: note, length: length, since: moment)
    }

    /// Gives up what is fetched in the background.
    package func cancelRefreshes() {
        for task in refreshing.withLock({ Array($0.values) }) { task.cancel() }
    }

    /// Waits until nothing is fetched in the background any more.
    package func settled() async {
        while let task = refreshing.withLock({ $0.values.first }) { await task.value }
    }
}

extension BlobStore.Settings {
    /// The settings of a store for an HTTP cache.
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

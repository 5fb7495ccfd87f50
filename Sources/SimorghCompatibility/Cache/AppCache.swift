// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
public import SimorghCore
package import SimorghSupport
import Synchronization

/// A cache that keeps responses and values for a time that the application sets, regardless of the servers' cache
/// headers.
///
/// ```swift
/// let genres: GenreList = try await client.get("genres", cachingLevel: .memoryAndFile)
/// ```
/// Unlike ``/SimorghCore/HTTPCache``, it uses an entry until its time to live has passed, without revalidating it, even
/// if the server forbids caching. Both can be enabled; this cache is searched first. Only successful responses are
/// stored.
public final class AppCache: Sendable {
    /// The default cache of all clients.
    public static let shared = AppCache()

    /// The capacities, the folder and the time to live.
    public let configuration: AppCacheConfiguration
    private let memory: BlobStore
    private let disk: BlobStore
    private let time: TimeSource
    private let lifetime: Mutex<Int64>
    private let sweeping = Mutex<Task<Void, Never>?>(nil)

    /// A stored entry.
    package struct Found: Sendable {
        package let response: StoredResponse
        package let body: Data
        /// True if the time to live has passed, but not ``AppCacheConfiguration/staleFallback``: the entry may be used
        /// only if the server is unreachable.
        package let isStale: Bool
        /// True if this lookup restarted the entry's time to live.
        fileprivate var isRenewed = false
    }

    /// Creates a cache.
    ///
    /// Two caches of one process with the same folder share their entries, and the later configuration sets the
    /// capacities. If the folder is unusable, or another process uses it, the cache works in memory only: see
    /// ``usesDisk``.
    ///
    /// - Parameters:
    ///   - configuration: The capacities, the folder and the time to live.
    ///   - time: The clock that determines the age of entries.
    public init(_ configuration: AppCacheConfiguration = AppCacheConfiguration(), time: TimeSource = .system) {
        self.configuration = configuration
        self.time = time
        let stores = AppCacheStores(configuration)
        (memory, disk) = (stores.memory, stores.disk)
        lifetime = Mutex(Self.milliseconds(configuration.timeToLive))
        guard configuration.sweepsAtStart else { return }
        sweeping.withLock {
            $0 = Task.detached(priority: .background) { [weak self, time] in
                for shard in UInt8.min...UInt8.max {
                    // Not urgent: leaves the disk to other work.
                    guard (try? await time.sleep(for: .milliseconds(100))) != nil else { return }
                    await self?.removeExpired(shard)
                }
            }
        }
    }

    deinit { sweeping.withLock { $0 }?.cancel() }

    /// Changes the time to live of all entries, including the existing ones.
    ///
    /// - Parameter timeToLive: The time to live.
    public func setTimeToLive(_ timeToLive: Duration) {
        let milliseconds = Self.milliseconds(timeToLive)
        lifetime.withLock { $0 = milliseconds }
    }

    /// Removes all entries, in memory and on disk.
    public func removeAll() async {
        for store in stores { await store.removeAll() }
    }

    /// Removes the entries of one partition, for example after its user has logged out.
    ///
    /// - Parameter name: The name of the partition, see ``/SimorghCore/CachePartition/named(_:)``.
    public func remove(partition name: String) async {
        let partition = "n:" + name
        for store in stores {
            await store.sweep { _, metadata, _ in
                guard let stored = StoredResponse(encoded: metadata)?.partition else { return true }
                return stored == partition || stored.hasPrefix(partition + "\u{0}")
            }
        }
    }

    /// Removes entries that can no longer be used, not even as stale, a small part of the folder at a time.
    public func removeExpired() async {
        for shard in UInt8.min...UInt8.max {
            guard !Task.isCancelled else { return }
            await removeExpired(shard)
        }
    }

    /// Removes expired entries from one shard of the disk store and of the memory store.
    private func removeExpired(_ shard: UInt8) async {
        await disk.tidy(.shard(shard)) { [self] _, metadata, _ in isExpired(metadata) }
        await memory.tidy(.shard(shard)) { [self] _, metadata, _ in isExpired(metadata) }
    }

    /// Returns the number and size of the entries.
    public func usage() async -> CacheUsage {
        var usage = await memory.usage()
        let onDisk = await disk.usage()
        (usage.diskCount, usage.diskBytes) = (onDisk.diskCount, onDisk.diskBytes)
        return usage
    }

    /// A Boolean value that indicates whether files are written: false if the folder is unusable or in use by another
    /// process.
    public var usesDisk: Bool { get async { await disk.usesDisk } }

    /// Both stores in removal order: disk first, because a concurrent read promotes an entry from disk to memory.
    private var stores: [BlobStore] { [disk, memory] }

    // MARK: Entries

    /// Returns the entry of a key, from the tiers of a level.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - level: The tiers to search.
    ///   - request: The request's header fields, to match the entry's `Vary`; `nil` accepts an entry of any request.
    /// - Returns: The entry, stale if its time to live has passed but not the stale fallback after it; `nil` if it is
    ///   missing, its `Vary` does not match, or both have passed. Such an expired entry is removed from the tiers that
    ///   were searched.
    package func found(_ key: AppCacheKey, level: CachingLevel, for request: HTTPFields? = nil) async -> Found? {
        guard level != .none else { return nil }
        // Read before the memory lookup, so that an entry stored meanwhile counts as a change.
        let changes = memory.changes(of: key.blob.group.family)
        if let found = await found(key, in: memory, for: request) {
            if level == .memoryAndFile, found.isRenewed { await renew(key, response: found.response) }
            return found
        }
        guard level == .memoryAndFile else { return nil }
        guard let found = await found(key, in: disk, for: request) else { return nil }
        memory.promote(
            StoredBlob(
                key: key.blob, revision: .random(in: .min ... .max), metadata: found.response.encoded,
                length: Int64(found.body.count), body: .bytes(found.body)),
            since: changes)
        return found
    }

    private func found(_ key: AppCacheKey, in store: BlobStore, for request: HTTPFields?) async -> Found? {
        let name = key.blob
        guard let blob = await store.blobs(in: name.group).first else { return nil }
        guard var response = StoredResponse(encoded: blob.metadata), response.url == key.name,
            let state = state(response)
        else {
            // Drops only this version: a newer one may have been stored meanwhile.
            await store.drop(blob)
            return nil
        }
        if let request, !CacheVary.matches(response.selectors, request: request) { return nil }
        guard let body = try? await blob.bytes(0..<blob.length) else { return nil }
        var found = Found(response: response, body: body, isStale: state == .stale)
        // Each renewal is a write, so renew at most once per minute, or per 1/16 of a shorter lifetime.
        let now = now
        if state == .fresh, configuration.expiry == .sliding,
            now - response.responseTime > min(60_000, lifetime.withLock { $0 } / 16)
        {
            response = response.changed { $0.responseTime = now }
            await store.update(blob, metadata: response.encoded)
            found = Found(response: response, body: body, isStale: false, isRenewed: true)
        }
        return found
    }

    /// Restarts the time to live of the file as well, if it holds the same entry as memory.
    private func renew(_ key: AppCacheKey, response: StoredResponse) async {
        guard let blob = await disk.blobs(in: key.blob.group).first,
            let stored = StoredResponse(encoded: blob.metadata)
        else { return }
        // Another entry may have been stored in the same millisecond.
        guard stored.changed({ $0.responseTime = response.responseTime }) == response else { return }
        await disk.update(blob, metadata: response.encoded)
    }

    /// Stores a response.
    package func store(
        _ key: AppCacheKey, level: CachingLevel, status: Int, fields: HTTPFields, body: Data,
        since moment: Moment? = nil, for request: HTTPFields? = nil
    ) async {
        // A 206 response is only valid for the range request that it answers.
        guard level != .none, (200...299).contains(status), status != 206,
            configuration.keepsNoStore || !CacheControl(fields).noStore
        else { return }
        let now = now
        // The key holds the partition. A response with `Vary: *` is stored because the application asked for it.
        let selectors =
            request.flatMap { CacheVary.selectors(for: fields, control: CacheControl(HTTPFields()), request: $0) } ?? []
        let response = StoredResponse(
            url: key.name, partition: key.partition, status: status,
            fields: HTTPFields(
                CacheFields.kept(fields, control: CacheControl(HTTPFields())).filter {
                    $0.name != CacheFields.cacheStatus
                }),
            selectors: selectors.filter { !CredentialFields.known.contains($0.name) },
            requestTime: now, responseTime: now, isDecoded: true)
        await put(response, body: body, as: key, in: memory, since: moment?.memory)
        if level == .memoryAndFile {
            await put(response, body: body, as: key, in: disk, since: moment?.disk)
        } else {
            // Otherwise an older file would reappear at the next start of the program.
            await disk.remove(key.blob)
        }
        // A concurrent reader may have promoted the old file, if memory has no capacity for the new entry.
        memory.forget(key.blob, unless: response.encoded, bytes: body)
    }

    /// Returns the path of an entry's file, even if it does not exist yet; `nil` if no disk is used.
    package func file(_ key: AppCacheKey) async -> String? { await disk.path(key.blob) }

    /// Removes an entry.
    package func remove(_ key: AppCacheKey) async {
        for store in stores { await store.remove(key.blob) }
    }

    /// A point in time before a request is sent; if the entry is removed later, the response is not stored.
    package struct Moment: Sendable, Hashable {
        fileprivate let memory: CacheMoment
        fileprivate let disk: CacheMoment
    }

    /// Returns the current moment of an entry.
    package func moment(_ key: AppCacheKey) -> Moment {
        let family = key.blob.group.family
        return Moment(memory: memory.moment(of: family), disk: disk.moment(of: family))
    }

    private func put(
        _ response: StoredResponse, body: Data, as key: AppCacheKey, in store: BlobStore, since moment: CacheMoment?
    ) async {
        guard
            let writer = await store.write(
                key.blob, metadata: response.encoded, length: Int64(body.count), since: moment)
        else {
            await store.remove(key.blob)
            return
        }
        if !body.isEmpty, await !writer.write(body) { return await store.remove(key.blob) }
        await writer.commit()
    }

    private enum Age { case fresh, stale }

    /// Returns the freshness of an entry: stale after its time to live; `nil` after the stale fallback that follows it,
    /// or at the maximum age.
    private func state(_ response: StoredResponse) -> Age? {
        let since = configuration.expiry == .fixed ? response.requestTime : response.responseTime
        let age = now - since
        // If the clock was set back by more than 5 seconds, the age is unknown.
        guard age >= -5000 else { return nil }
        // With sliding expiry, too, an entry ends at the maximum age.
        guard now - response.requestTime < Self.milliseconds(configuration.maximumAge) else { return nil }
        let lifetime = lifetime.withLock { $0 }
        if age < lifetime { return .fresh }
        return age - lifetime < Self.milliseconds(configuration.staleFallback) ? .stale : nil
    }

    private func isExpired(_ metadata: [UInt8]) -> Bool {
        StoredResponse(encoded: metadata).map { state($0) == nil } ?? true
    }

    private var now: Int64 { time.milliseconds }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        Int64(min(max(duration.secondsAsDouble, 0), 1e12) * 1000)
    }
}

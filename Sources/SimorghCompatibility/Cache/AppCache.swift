// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
public import SimorghCore
package import SimorghSupport
import Synchronization

/// Keeps answers and values for as long as the application says, whatever their servers say.
///
/// ```swift
/// let genres: GenreList = try await client.get("genres", cachingLevel: .memoryAndFile)
/// ```
/// This is another promise than that of ``/SimorghCore/HTTPCache``: an entry is used until its time is over, without a question to the
/// server, even where the server would not have it kept. Both may be on; this one is asked first. Only success is kept.
public final class AppCache: Sendable {
    /// The one that clients use unless they are given another.
    public static let shared = AppCache()

    /// How large it is, where, and for how long it keeps things.
    public let configuration: AppCacheConfiguration
    private let memory: BlobStore
    private let disk: BlobStore
    private let time: TimeSource
    private let lifetime: Mutex<Int64>
    private let sweeping = Mutex<Task<Void, Never>?>(nil)

    /// An entry as it was kept.
    package struct Found: Sendable {
        package let response: StoredResponse
        package let body: Data
        /// Whether its time is over, and it only stands in for a server that cannot be reached.
        package let isStale: Bool
        /// Whether its time was just made to begin anew.
        fileprivate var isRenewed = false
    }

    /// Creates a cache.
    ///
    /// Two caches of one process with the same folder keep their entries together, in what the later one's capacities
    /// allow. A folder that cannot be used, or that another process uses already, makes it one in memory alone: see
    /// ``usesDisk``.
    ///
    /// - Parameters:
    ///   - configuration: How large it is, where, and for how long it keeps things.
    ///   - time: Tells how old an entry is.
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
                    // There is no hurry, and others want the disk.
                    guard (try? await time.sleep(for: .milliseconds(100))) != nil else { return }
                    await self?.removeExpired(shard)
                }
            }
        }
    }

    deinit { sweeping.withLock { $0 }?.cancel() }

    /// Changes for how long entries are used, those that are there, too.
    ///
    /// - Parameter timeToLive: How long.
    public func setTimeToLive(_ timeToLive: Duration) {
        let milliseconds = Self.milliseconds(timeToLive)
        lifetime.withLock { $0 = milliseconds }
    }

    /// Forgets everything, in memory and on the disk.
    public func removeAll() async {
        for store in stores { await store.removeAll() }
    }

    /// Forgets what is kept for somebody: who has logged out, say.
    ///
    /// - Parameter name: The name of the partition, see ``/SimorghCore/CachePartition/named(_:)``.
    public func remove(partition name: String) async {
        let partition = "n:" + name
        for store in stores {
            await store.sweep { _, metadata, _ in
                guard let kept = StoredResponse(encoded: metadata)?.partition else { return true }
                return kept == partition || kept.hasPrefix(partition + "\u{0}")
            }
        }
    }

    /// Removes the entries whose time is over, a small part of the folder at a time.
    public func removeExpired() async {
        for shard in UInt8.min...UInt8.max {
            guard !Task.isCancelled else { return }
            await removeExpired(shard)
        }
    }

    /// The same in one part of the folder, and of the memory.
    private func removeExpired(_ shard: UInt8) async {
        await disk.tidy(.shard(shard)) { [self] _, metadata, _ in isOver(metadata) }
        await memory.tidy(.shard(shard)) { [self] _, metadata, _ in isOver(metadata) }
    }

    /// How much is kept.
    public func usage() async -> CacheUsage {
        var usage = await memory.usage()
        let onDisk = await disk.usage()
        (usage.diskCount, usage.diskBytes) = (onDisk.diskCount, onDisk.diskBytes)
        return usage
    }

    /// Whether files are written: not where the folder cannot be used, or another process has it.
    public var usesDisk: Bool { get async { await disk.usesDisk } }

    /// Both, in the order in which they forget: whoever reads a file takes it into memory, unless that forgets later.
    private var stores: [BlobStore] { [disk, memory] }

    // MARK: Entries

    /// What is kept under a key, as far as a level may look.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - level: Where to look.
    ///   - request: The fields of the request; `nil` takes an entry whatever request it was the answer to.
    /// - Returns: The entry; `nil` where there is none, it was chosen for another request, or its time is over. One
    ///   whose time is over is removed from where the level looks.
    package func found(_ key: AppCacheKey, _ level: CachingLevel, for request: HTTPFields? = nil) async -> Found? {
        guard level != .none else { return nil }
        // Before the memory is looked at, so that what is kept there meanwhile counts as a change.
        let changes = memory.changes(of: key.blob.group.family)
        if let found = await found(key, in: memory, for: request) {
            if level == .memoryAndFile, found.isRenewed { await renew(key, found.response) }
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
            // That one: another may have come meanwhile.
            await store.drop(blob)
            return nil
        }
        if let request, !CacheVary.matches(response.selectors, request: request) { return nil }
        guard let body = try? await blob.bytes(0..<blob.length) else { return nil }
        var found = Found(response: response, body: body, isStale: state == .stale)
        // Not more often than matters: each time is a write.
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

    /// Makes the time of a file begin anew, too, if it has the entry that was found in memory.
    private func renew(_ key: AppCacheKey, _ response: StoredResponse) async {
        guard let blob = await disk.blobs(in: key.blob.group).first,
            let kept = StoredResponse(encoded: blob.metadata)
        else { return }
        // Another may have been kept in the same millisecond.
        guard kept.changed({ $0.responseTime = response.responseTime }) == response else { return }
        await disk.update(blob, metadata: response.encoded)
    }

    /// Keeps an entry.
    package func keep(
        _ key: AppCacheKey, _ level: CachingLevel, status: Int, fields: HTTPFields, body: Data,
        since moment: Moment? = nil, for request: HTTPFields? = nil
    ) async {
        // A part is nobody's answer but that of who asked for it.
        guard level != .none, (200...299).contains(status), status != 206,
            configuration.keepsNoStore || !CacheControl(fields).noStore
        else { return }
        let now = now
        // The key names the owner. A response that no request may choose again is kept because the application says so.
        let selectors = request.flatMap { CacheVary.selectors(fields, CacheControl(HTTPFields()), request: $0) } ?? []
        let response = StoredResponse(
            url: key.name, partition: key.partition, status: status,
            fields: HTTPFields(
                CacheFields.kept(fields, CacheControl(HTTPFields())).filter { $0.name != CacheFields.cacheStatus }),
            selectors: selectors.filter { !CredentialFields.known.contains($0.name) },
            requestTime: now, responseTime: now, isDecoded: true)
        await put(response, body, as: key, in: memory, since: moment?.memory)
        if level == .memoryAndFile {
            await put(response, body, as: key, in: disk, since: moment?.disk)
        } else {
            // An older one must not come back with the next run of the program.
            await disk.remove(key.blob)
        }
        // Nor by who read its file while there was one, and takes it into a memory that has no room for this.
        memory.forget(key.blob, unless: response.encoded, body)
    }

    /// Where the file of an entry is, or would be; `nil` where no disk is used.
    package func file(_ key: AppCacheKey) async -> String? { await disk.path(key.blob) }

    /// Forgets an entry.
    package func remove(_ key: AppCacheKey) async {
        for store in stores { await store.remove(key.blob) }
    }

    /// A moment before a request is sent; what is forgotten after it is not kept.
    package struct Moment: Sendable, Hashable {
        fileprivate let memory: CacheMoment
        fileprivate let disk: CacheMoment
    }

    /// The present moment of an entry.
    package func moment(_ key: AppCacheKey) -> Moment {
        let family = key.blob.group.family
        return Moment(memory: memory.moment(of: family), disk: disk.moment(of: family))
    }

    private func put(
        _ response: StoredResponse, _ body: Data, as key: AppCacheKey, in store: BlobStore, since moment: CacheMoment?
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

    /// `nil` for an entry that is over.
    private func state(_ response: StoredResponse) -> Age? {
        let since = configuration.expiry == .fixed ? response.requestTime : response.responseTime
        let age = now - since
        // A clock that was set back tells nothing.
        guard age >= -5000 else { return nil }
        // However often it is used, one day the server is asked again.
        guard now - response.requestTime < Self.milliseconds(configuration.maximumAge) else { return nil }
        let lifetime = lifetime.withLock { $0 }
        if age < lifetime { return .fresh }
        return age - lifetime < Self.milliseconds(configuration.staleFallback) ? .stale : nil
    }

    private func isOver(_ metadata: [UInt8]) -> Bool {
        StoredResponse(encoded: metadata).map { state($0) == nil } ?? true
    }

    private var now: Int64 { time.milliseconds }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        Int64(min(max(duration.inSeconds, 0), 1e12) * 1000)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghSupport
import Synchronization

extension HTTPCache {
    /// A stored response.
    public struct Entry: Sendable, Hashable {
        /// The URL of the response.
        public let url: String
        /// The status code.
        public let statusCode: Int
        /// The stored header fields.
        public let headers: HTTPFields
        /// The length of the body, in bytes.
        public let length: Int64
        /// The date at which the response was received or last revalidated.
        public let date: Date
        /// The age, in seconds.
        public let age: Int64
        /// The remaining freshness lifetime in seconds; negative if the response is stale.
        public let secondsToLive: Int64
        /// The tags from the `Cache-Tag` field.
        public let tags: [String]
        /// The name of the file, which does not reveal the URL.
        public let name: String
    }

    /// Returns all stored responses, sorted by URL.
    ///
    /// All entries are read, which may take a while; a cancelled task gets the entries read so far. The heads of all
    /// responses are in memory at once, the bodies are not.
    public func entries() async -> [Entry] { await entries(.all) }

    private func entries(_ scope: BlobStore.Scope) async -> [Entry] {
        let found = Mutex<[Entry]>([])
        let now = time.milliseconds
        let visit: @Sendable (BlobKey, [UInt8], Int64) -> Void = { [rules] key, metadata, length in
            guard let stored = StoredResponse(encoded: metadata) else { return }
            let freshness = CacheFreshness(stored, now: now, rules: rules)
            found.withLock {
                $0.append(
                    Entry(
                        url: stored.url, statusCode: stored.status, headers: stored.fields, length: length,
                        date: Date(timeIntervalSince1970: Double(stored.responseTime) / 1000),
                        age: freshness.ageSeconds, secondsToLive: (freshness.lifetime - freshness.age) / 1000,
                        tags: stored.tags, name: key.description))
            }
        }
        if let store = blobStore {
            await store.visit(scope, body: visit)
        } else {
            await store.sweep { key, metadata, length in
                visit(key, metadata, length)
                return false
            }
        }
        return found.withLock { $0 }.sorted { ($0.url, $0.name) < ($1.url, $1.name) }
    }

    /// Returns the stored responses for a URL, of all partitions.
    ///
    /// - Parameter url: The complete URL.
    /// - Returns: The responses.
    public func entries(for url: String) async -> [Entry] {
        guard let url = CacheKey.normalized(url) else { return [] }
        return await entries(.family(CacheKey(partition: "", url: url).group.family)).filter { $0.url == url }
    }

    /// True if the cache writes files; false if the folder cannot be used, or another process uses it.
    ///
    /// With a custom store this is always true.
    public var usesDisk: Bool {
        get async {
            guard let store = blobStore else { return true }
            return await store.usesDisk
        }
    }

    /// Returns the number and size of the stored responses.
    public func usage() async -> CacheUsage { await store.usage() }

    /// Removes all stored responses.
    public func removeAll() async {
        cancelRefreshes()
        keyMemo.removeAll()
        await store.removeAll()
    }

    /// Removes the stored responses for a URL, of all partitions.
    ///
    /// - Parameter url: The complete URL.
    /// - Returns: The number of removed responses; if the task was cancelled, of those found until then.
    @discardableResult
    public func remove(url: String) async -> Int {
        guard let url = CacheKey.normalized(url) else { return 0 }
        return await sweep(.family(CacheKey(partition: "", url: url).group.family)) { $0.url == url }
    }

    /// Removes the stored responses of a named partition, for example after a user has signed out.
    ///
    /// - Parameter name: The name of the partition, see ``CachePartition/named(_:)``.
    /// - Returns: The number of removed responses; if the task was cancelled, of those found until then.
    @discardableResult
    public func remove(partition name: String) async -> Int {
        cancelRefreshes()
        let partition = "n:" + name
        return await sweep { $0.partition == partition || $0.partition.hasPrefix(partition + "\u{0}") }
    }

    /// Removes the stored responses to all requests with credentials.
    ///
    /// - Returns: The number of removed responses; if the task was cancelled, of those found until then.
    @discardableResult
    public func removeCredentialed() async -> Int {
        cancelRefreshes()
        return await sweep { !$0.partition.isEmpty && !$0.partition.hasPrefix(TransportRequest.queryMark) }
    }

    /// Removes the stored responses with a tag.
    ///
    /// - Parameter tag: A tag of the `Cache-Tag` field.
    /// - Returns: The number of removed responses; if the task was cancelled, of those found until then.
    @discardableResult
    public func remove(tag: String) async -> Int { await sweep { $0.tags.contains(tag) } }

    private func sweep(
        _ scope: BlobStore.Scope = .all, where isUnwanted: @escaping @Sendable (StoredResponse) -> Bool
    ) async -> Int {
        let isForgotten: @Sendable (BlobKey, [UInt8], Int64) -> Bool = { _, metadata, _ in
            // An unreadable entry is useless, so it is removed, too.
            StoredResponse(encoded: metadata).map(isUnwanted) ?? true
        }
        keyMemo.removeAll()
        guard let store = blobStore else { return await store.sweep(isForgotten) }
        return await store.purge(scope, where: isForgotten)
    }
}

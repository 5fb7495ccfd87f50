// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghSupport
import Synchronization

extension HTTPCache {
    /// A response that is kept.
    public struct Entry: Sendable, Hashable {
        /// The URL that it answers.
        public let url: String
        /// The status.
        public let statusCode: Int
        /// The header fields, as they are kept.
        public let headers: HTTPFields
        /// The length of the body, in bytes.
        public let length: Int64
        /// When it came, or the server last said that it holds.
        public let date: Date
        /// How old it is, in seconds.
        public let age: Int64
        /// For how many more seconds it is fresh; negative where it is not any more.
        public let secondsToLive: Int64
        /// What it is part of, as its `Cache-Tag` field says.
        public let tags: [String]
        /// The name of its file, which tells nothing of the URL.
        public let name: String
    }

    /// All that is kept, sorted by URL; everything is looked at, which may take a while, and a task that is cancelled gets
    /// what was seen until then.
    ///
    /// The heads of all are in memory at once, the bodies are not.
    public func entries() async -> [Entry] { await entries(.all) }

    private func entries(_ scope: BlobStore.Scope) async -> [Entry] {
        let found = Mutex<[Entry]>([])
        let now = time.milliseconds
        let see: @Sendable (BlobKey, [UInt8], Int64) -> Void = { [rules] key, metadata, length in
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
            await store.look(at: scope, see)
        } else {
            await store.sweep { key, metadata, length in
                see(key, metadata, length)
                return false
            }
        }
        return found.withLock { $0 }.sorted { ($0.url, $0.name) < ($1.url, $1.name) }
    }

    /// What is kept of a URL, for whomever.
    ///
    /// - Parameter url: The whole URL.
    /// - Returns: The responses.
    public func entries(for url: String) async -> [Entry] {
        guard let url = CacheKey.normalized(url) else { return [] }
        return await entries(.family(CacheKey(partition: "", url: url).group.family)).filter { $0.url == url }
    }

    /// Whether files are written: not where the folder cannot be used, or another process has it.
    ///
    /// A store of your own is taken to do what it should.
    public var usesDisk: Bool {
        get async {
            guard let store = blobStore else { return true }
            return await store.usesDisk
        }
    }

    /// How much is kept.
    public func usage() async -> CacheUsage { await store.usage() }

    /// Forgets everything.
    public func removeAll() async {
        cancelRefreshes()
        places.removeAll()
        await store.removeAll()
    }

    /// Forgets what is kept of a URL, for whomever.
    ///
    /// - Parameter url: The whole URL.
    /// - Returns: How many responses are forgotten; those found by then, where the task was cancelled meanwhile.
    @discardableResult
    public func remove(url: String) async -> Int {
        guard let url = CacheKey.normalized(url) else { return 0 }
        return await sweep(.family(CacheKey(partition: "", url: url).group.family)) { $0.url == url }
    }

    /// Forgets what is kept for somebody: who has logged out, say.
    ///
    /// - Parameter name: The name of the partition, see ``CachePartition/named(_:)``.
    /// - Returns: How many responses are forgotten; those found by then, where the task was cancelled meanwhile.
    @discardableResult
    public func remove(partition name: String) async -> Int {
        cancelRefreshes()
        let partition = "n:" + name
        return await sweep { $0.partition == partition || $0.partition.hasPrefix(partition + "\u{0}") }
    }

    /// Forgets all that is kept for requests with credentials, of whomever.
    ///
    /// - Returns: How many responses are forgotten; those found by then, where the task was cancelled meanwhile.
    @discardableResult
    public func removeCredentialed() async -> Int {
        cancelRefreshes()
        return await sweep { !$0.partition.isEmpty }
    }

    /// Forgets the responses that are part of something.
    ///
    /// - Parameter tag: One of the words in their `Cache-Tag` field.
    /// - Returns: How many responses are forgotten; those found by then, where the task was cancelled meanwhile.
    @discardableResult
    public func remove(tag: String) async -> Int { await sweep { $0.tags.contains(tag) } }

    private func sweep(
        _ scope: BlobStore.Scope = .all, _ isUnwanted: @escaping @Sendable (StoredResponse) -> Bool
    ) async -> Int {
        let isForgotten: @Sendable (BlobKey, [UInt8], Int64) -> Bool = { _, metadata, _ in
            // What cannot be read is of no use to anybody.
            StoredResponse(encoded: metadata).map(isUnwanted) ?? true
        }
        places.removeAll()
        guard let store = blobStore else { return await store.sweep(isForgotten) }
        return await store.purge(scope, isForgotten)
    }
}

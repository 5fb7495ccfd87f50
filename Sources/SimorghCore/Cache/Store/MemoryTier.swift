// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The blobs in memory; the least recently used are evicted when the capacity is exceeded.
struct MemoryTier: Sendable {
    /// The estimated overhead of a blob, in bytes.
    private static let overhead: Int64 = 256
    /// The factor for the size of the metadata: once for the bytes, three times for the parsed response and the head of its
    /// last reply, which share their strings.
    private static let metadataFactor: Int64 = 4

    private struct Entry: Sendable {
        var blob: StoredBlob
        /// The date when its use was last recorded in the file, in seconds since 1970.
        var useRecorded: Int64
    }

    private var entries = LRUCache<BlobKey, Entry>()
    /// The blobs whose files are being written, with their revisions.
    private var filing: [BlobKey: UInt64] = [:]
    private var index = BlobIndex()
    private(set) var capacity: Int64
    /// Counters of changes other than ``promote(_:since:)``, and of removals; each counter is shared by many families.
    private var changes = [UInt64](repeating: 0, count: Self.counters)
    private var moments = [UInt64](repeating: 0, count: Self.counters)
    private static let counters = 4096
    /// The maximum number of blobs in one group.
    private let groupLimit: Int
    private let time: TimeSource

    init(capacity: Int64, groupLimit: Int, time: TimeSource) {
        self.capacity = capacity
        self.groupLimit = groupLimit
        self.time = time
    }

    private var now: Int64 { Int64(time.now.timeIntervalSince1970) }

    /// Returns a counter that increases with every change of the family.
    func changes(of family: UInt64) -> UInt64 { changes[Self.counter(family)] }
    /// Returns a counter that increases with every removal from the family.
    func moment(of family: UInt64) -> CacheMoment { CacheMoment(moments[Self.counter(family)]) }

    private static func counter(_ family: UInt64) -> Int { Int(truncatingIfNeeded: family >> 8) & (counters - 1) }

    private mutating func recordChange(_ key: BlobKey) { changes[Self.counter(key.group.family)] += 1 }

    /// Records that blobs of a family are about to be removed.
    mutating func beginRemoval(_ family: UInt64) {
        moments[Self.counter(family)] += 1
        changes[Self.counter(family)] += 1
    }

    /// Records that blobs of all families are about to be removed.
    mutating func beginRemoval() {
        for counter in 0..<Self.counters {
            moments[counter] += 1
            changes[counter] += 1
        }
    }

    /// The maximum size of one blob, in bytes.
    var entryLimit: Int64 { capacity / 8 }
    var count: Int { entries.count }
    var cost: Int64 { entries.cost }
    var keys: [BlobKey] { Array(entries.keys) }

    /// Returns a blob, and marks it as used.
    mutating func blob(_ key: BlobKey) -> StoredBlob? { entries.touch(key)?.blob }

    /// Returns the blobs of a group, and marks them as used.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - files: The blobs on the disk; `nil` without a disk.
    /// - Returns: The blobs; `nil` if one of them is not in memory, or its use has to be recorded in its file.
    mutating func all(of group: BlobGroup, files: [BlobKey]?) -> [StoredBlob]? {
        let known = index.keys(of: group)
        if let files {
            guard !isFiling(group), files.allSatisfy({ known.contains($0) }) else { return nil }
            let now = now
            guard known.allSatisfy({ !isDue(entries.peek($0), at: now) }) else { return nil }
        }
        return known.compactMap { blob($0) }
    }

    private func isDue(_ entry: Entry?, at now: Int64) -> Bool {
        entry.map { abs(now - $0.useRecorded) > 3600 } ?? false
    }

    /// Returns the blobs whose use was not recorded in their files for an hour, and considers it recorded from now on.
    mutating func due(_ blobs: [StoredBlob]) -> [BlobKey] {
        let now = now
        var due: [BlobKey] = []
        for blob in blobs {
            guard var entry = entries.peek(blob.key), isDue(entry, at: now) else { continue }
            entry.useRecorded = now
            entries.insert(blob.key, value: entry, cost: Self.cost(of: entry.blob))
            due.append(blob.key)
        }
        return due
    }

    /// Returns a blob without marking it as used.
    func peek(_ key: BlobKey) -> StoredBlob? { entries.peek(key)?.blob }

    func keys(of group: BlobGroup) -> [BlobKey] { index.keys(of: group) }

    func keys(ofFamily family: UInt64) -> [BlobKey] { index.keys(ofFamily: family) }

    func keys(ofShard shard: UInt8) -> [BlobKey] { index.keys(ofShard: shard) }

    // MARK: Files that are being written

    /// Adds a blob to memory, and records that its file is being written.
    ///
    /// - Returns: `false` if the blob is too large.
    mutating func insertForFile(_ blob: StoredBlob) -> Bool {
        guard replace(with: blob) else { return false }
        filing[blob.key] = blob.revision
        return true
    }

    /// Returns true if the file of a blob is still to be written; false if the blob was removed, changed or replaced.
    func isFiling(_ key: BlobKey, revision: UInt64) -> Bool { filing[key] == revision }

    /// Returns true if the file of a blob of the group is being written, and memory has evicted the blob.
    func isFiling(_ group: BlobGroup) -> Bool {
        !filing.isEmpty && filing.keys.contains { $0.group == group && entries.peek($0) == nil }
    }

    /// Removes blobs from memory, and cancels the files that a function selects.
    mutating func remove(_ keys: [BlobKey], andFiling isSelected: (BlobKey) -> Bool) {
        for key in keys { remove(key) }
        for key in filing.keys where isSelected(key) { filing[key] = nil }
    }

    /// Records that the file of a blob has been written, or will not be.
    mutating func endFiling(_ key: BlobKey, revision: UInt64) {
        if filing[key] == revision { filing[key] = nil }
    }

    /// Cancels the file of a blob, because its metadata changes.
    ///
    /// - Returns: True if the file was being written.
    mutating func cancelFiling(_ key: BlobKey, revision: UInt64) -> Bool {
        guard filing[key] == revision else { return false }
        filing[key] = nil
        return true
    }

    // MARK: Changes

    /// Adds a blob to memory unless it is too large, in place of the previous one, whose file is not written any more.
    ///
    /// - Returns: True if it was added.
    mutating func replace(with blob: StoredBlob) -> Bool {
        recordChange(blob.key)
        if !filing.isEmpty { filing[blob.key] = nil }
        return store(blob)
    }

    /// Adds a blob that was read from the disk, unless the family has changed since the read began.
    mutating func promote(_ blob: StoredBlob, since changes: UInt64) {
        if self.changes(of: blob.key.group.family) == changes { store(blob) }
    }

    @discardableResult
    private mutating func store(_ blob: StoredBlob) -> Bool {
        let cost = Self.cost(of: blob)
        guard case .bytes = blob.body, cost <= entryLimit else {
            drop(blob.key)
            return false
        }
        let isNew = entries.cost(of: blob.key) == nil
        entries.insert(blob.key, value: Entry(blob: blob, useRecorded: now), cost: cost)
        index.insert(blob.key)
        if isNew {
            // The oldest beyond the limit: a request field that never repeats creates any number of variants.
            let members = index.keys(of: blob.key.group)
            for key in members.prefix(max(0, members.count - groupLimit)) { drop(key) }
        }
        shrink()
        return true
    }

    private mutating func shrink() {
        while entries.cost > capacity, let oldest = entries.removeOldest()?.key { index.remove(oldest) }
    }

    /// Changes the capacity.
    mutating func resize(_ capacity: Int64) {
        self.capacity = capacity
        shrink()
    }

    /// Replaces the metadata of a blob, unless another blob has replaced it.
    mutating func update(_ key: BlobKey, revision: UInt64, metadata: [UInt8]) {
        recordChange(key)
        guard var blob = entries.peek(key)?.blob, blob.revision == revision else { return }
        blob.metadata = metadata
        store(blob)
    }

    mutating func remove(_ key: BlobKey) {
        recordChange(key)
        filing[key] = nil
        drop(key)
    }

    /// Removes a blob with this revision; its file is still written, so that no older one remains.
    mutating func remove(_ key: BlobKey, revision: UInt64?) {
        recordChange(key)
        guard let entry = entries.peek(key), entry.blob.revision == revision else { return }
        drop(key)
    }

    /// Removes a blob unless it has this metadata and these bytes, and rejects reads in progress.
    mutating func remove(_ key: BlobKey, unless metadata: [UInt8], bytes: Data) {
        recordChange(key)
        guard let blob = entries.peek(key)?.blob else { return }
        if case .bytes(let kept) = blob.body, blob.metadata == metadata, kept == bytes { return }
        drop(key)
    }

    mutating func removeAll() {
        beginRemoval()
        (entries, filing, index) = (LRUCache(), [:], BlobIndex())
    }

    private mutating func drop(_ key: BlobKey) {
        if entries.remove(key) != nil { index.remove(key) }
    }

    private static func cost(of blob: StoredBlob) -> Int64 {
        blob.length + Int64(blob.metadata.count) * metadataFactor + overhead
    }
}

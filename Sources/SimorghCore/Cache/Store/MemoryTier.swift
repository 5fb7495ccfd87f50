// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Blobs in memory, the ones not used for longest dropped where there is no more room.
struct MemoryTier: Sendable {
    /// What a blob takes besides its bytes, in bytes.
    private static let overhead: Int64 = 256
    /// How often what stands beside a blob counts: as it is, and for what is made of it, which takes thrice as much.
    private static let besides: Int64 = 4

    private struct Entry: Sendable {
        var blob: StoredBlob
        /// When its file was last told that it is in use, in seconds since 1970.
        var noted: Int64
    }

    private var entries: [BlobKey: Entry] = [:]
    /// Those whose files are being written, and of which revision.
    private var filing: [BlobKey: UInt64] = [:]
    private var index = BlobIndex()
    private var order = LeastRecent<BlobKey, Void>()
    private(set) var capacity: Int64
    /// Count what changed by other means than ``promote(_:since:)``, and what was forgotten; each for many families at once.
    private var changes = [UInt64](repeating: 0, count: Self.counters)
    private var moments = [UInt64](repeating: 0, count: Self.counters)
    private static let counters = 4096
    /// How many blobs of one group are kept.
    private let groupLimit: Int
    private let time: TimeSource

    init(capacity: Int64, groupLimit: Int, time: TimeSource) {
        self.capacity = capacity
        self.groupLimit = groupLimit
        self.time = time
    }

    private var now: Int64 { Int64(time.now.timeIntervalSince1970) }

    /// Changes whenever something of a family does.
    func changes(of family: UInt64) -> UInt64 { changes[Self.counter(family)] }
    /// Changes whenever something of a family is forgotten.
    func moment(of family: UInt64) -> CacheMoment { CacheMoment(moments[Self.counter(family)]) }

    private static func counter(_ family: UInt64) -> Int { Int(truncatingIfNeeded: family >> 8) & (counters - 1) }

    private mutating func note(_ key: BlobKey) { changes[Self.counter(key.group.family)] += 1 }

    /// Notes that something of a family is forgotten, before it is.
    mutating func beginForgetting(_ family: UInt64) {
        moments[Self.counter(family)] += 1
        changes[Self.counter(family)] += 1
    }

    /// The same for everything.
    mutating func beginForgetting() {
        for counter in 0..<Self.counters {
            moments[counter] += 1
            changes[counter] += 1
        }
    }

    /// The most that one blob may take.
    var entryLimit: Int64 { capacity / 8 }
    var count: Int { order.count }
    var cost: Int64 { order.cost }
    var keys: [BlobKey] { Array(entries.keys) }

    /// A blob, which is used now.
    mutating func blob(_ key: BlobKey) -> StoredBlob? {
        guard let entry = entries[key] else { return nil }
        order.touch(key)
        return entry.blob
    }

    /// The blobs of a group, which are used now.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - files: Those that are on the disk; `nil` without one.
    /// - Returns: The blobs; `nil` where one of them is not in memory, or its file has to be told that it is used.
    mutating func all(of group: BlobGroup, files: [BlobKey]?) -> [StoredBlob]? {
        let known = index.keys(of: group)
        if let files {
            guard !isFiling(group), files.allSatisfy({ known.contains($0) }) else { return nil }
            let now = now
            guard known.allSatisfy({ !isDue(entries[$0], now) }) else { return nil }
        }
        return known.compactMap { blob($0) }
    }

    private func isDue(_ entry: Entry?, _ now: Int64) -> Bool { entry.map { abs(now - $0.noted) > 3600 } ?? false }

    /// Of blobs that are used now, those whose files have not been told for an hour: from now on they have.
    mutating func due(_ blobs: [StoredBlob]) -> [BlobKey] {
        let now = now
        var due: [BlobKey] = []
        for blob in blobs {
            guard isDue(entries[blob.key], now) else { continue }
            entries[blob.key]?.noted = now
            due.append(blob.key)
        }
        return due
    }

    /// A blob, without a word that it is used.
    func peek(_ key: BlobKey) -> StoredBlob? { entries[key]?.blob }

    func keys(of group: BlobGroup) -> [BlobKey] { index.keys(of: group) }

    func keys(ofFamily family: UInt64) -> [BlobKey] { index.keys(ofFamily: family) }

    func keys(ofShard shard: UInt8) -> [BlobKey] { index.keys(ofShard: shard) }

    // MARK: Files that are being written

    /// Notes that the file of a blob is being written, which is in memory from now on.
    ///
    /// - Returns: Whether it is: not where it is too large.
    mutating func insertForFile(_ blob: StoredBlob) -> Bool {
        guard replace(with: blob) else { return false }
        filing[blob.key] = blob.revision
        return true
    }

    /// Whether the file of a blob is still to be written: not where the blob was forgotten, changed or replaced since.
    func isFiling(_ key: BlobKey, _ revision: UInt64) -> Bool { filing[key] == revision }

    /// Whether a blob of a group is on its way to its file, and not in memory any more.
    func isFiling(_ group: BlobGroup) -> Bool {
        !filing.isEmpty && filing.keys.contains { $0.group == group && entries[$0] == nil }
    }

    /// Forgets what a function finds, in memory or on its way from there.
    mutating func remove(_ keys: [BlobKey], andFiling isMeant: (BlobKey) -> Bool) {
        for key in keys { remove(key) }
        for key in filing.keys where isMeant(key) { filing[key] = nil }
    }

    /// Notes that the file of a blob is written, or will not be.
    mutating func endFiling(_ key: BlobKey, _ revision: UInt64) {
        if filing[key] == revision { filing[key] = nil }
    }

    /// Gives up the file of a blob, as what stands beside it changes.
    ///
    /// - Returns: Whether it was being written.
    mutating func cancelFiling(_ key: BlobKey, _ revision: UInt64) -> Bool {
        guard filing[key] == revision else { return false }
        filing[key] = nil
        return true
    }

    // MARK: Changes

    /// Keeps a blob whose bytes are in memory, if it is not too large, instead of what had its name; the file of that is not
    /// written any more.
    ///
    /// - Returns: Whether it is kept.
    mutating func replace(with blob: StoredBlob) -> Bool {
        note(blob.key)
        if !filing.isEmpty { filing[blob.key] = nil }
        return keep(blob)
    }

    /// Keeps a blob that was read from the disk, unless something changed since the reading began: it might have been that.
    mutating func promote(_ blob: StoredBlob, since changes: UInt64) {
        if self.changes(of: blob.key.group.family) == changes { keep(blob) }
    }

    @discardableResult
    private mutating func keep(_ blob: StoredBlob) -> Bool {
        let cost = blob.length + Int64(blob.metadata.count) * Self.besides + Self.overhead
        guard case .bytes = blob.body, cost <= entryLimit else {
            if order.remove(blob.key) != nil { forget(blob.key) }
            return false
        }
        let isNew = entries.updateValue(Entry(blob: blob, noted: now), forKey: blob.key) == nil
        order.insert(blob.key, (), cost: cost)
        index.insert(blob.key)
        if isNew {
            // The oldest of too many: more variants than this are made by a request field that never repeats.
            let members = index.keys(of: blob.key.group)
            for key in members.prefix(max(0, members.count - groupLimit)) where order.remove(key) != nil { forget(key) }
        }
        shrink()
        return true
    }

    private mutating func shrink() {
        while order.cost > capacity, let oldest = order.removeOldest()?.key { forget(oldest) }
    }

    /// Gives it another capacity.
    mutating func resize(_ capacity: Int64) {
        self.capacity = capacity
        shrink()
    }

    /// Changes what stands beside a blob, unless another has taken its place.
    mutating func update(_ key: BlobKey, revision: UInt64, metadata: [UInt8]) {
        note(key)
        guard var blob = entries[key]?.blob, blob.revision == revision else { return }
        blob.metadata = metadata
        keep(blob)
    }

    mutating func remove(_ key: BlobKey) {
        note(key)
        filing[key] = nil
        if order.remove(key) != nil { forget(key) }
    }

    /// Forgets a blob, unless another has taken its place; its file is still written, so that no older one stays there.
    mutating func remove(_ key: BlobKey, revision: UInt64?) {
        note(key)
        guard let entry = entries[key], entry.blob.revision == revision, order.remove(key) != nil else { return }
        forget(key)
    }

    /// Forgets a blob, unless it is this one; what was read before comes too late.
    mutating func remove(_ key: BlobKey, unless metadata: [UInt8], _ bytes: Data) {
        note(key)
        guard let blob = entries[key]?.blob else { return }
        if case .bytes(let kept) = blob.body, blob.metadata == metadata, kept == bytes { return }
        guard order.remove(key) != nil else { return }
        forget(key)
    }

    mutating func removeAll() {
        beginForgetting()
        (entries, filing, index, order) = ([:], [:], BlobIndex(), LeastRecent())
    }

    private mutating func forget(_ key: BlobKey) {
        entries[key] = nil
        index.remove(key)
    }
}

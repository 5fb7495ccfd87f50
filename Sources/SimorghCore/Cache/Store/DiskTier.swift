// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The blobs on the disk; the least recently used are evicted when the capacity is exceeded.
///
/// The index is in memory, and rebuilt from the folder when the store is opened, so it cannot contradict the files as a
/// journal could.
final class DiskTier: Sendable {
    private struct State {
        var order = LRUCache<BlobKey, Void>()
        var index = BlobIndex()
        /// Blobs whose every byte was verified since the store was opened, with the modification dates of their files.
        var verified: [BlobKey: Int64] = [:]
        /// The number of bytes reserved for files that are being written.
        var reserved: Int64 = 0
        /// The number of drafts that are about to become blobs.
        var pendingDrafts = 0
        var capacity: Int64
    }

    private let folder: DiskFolder
    private let seal: BlobSeal
    private let isSynced: Bool
    private let groupLimit: Int
    private let time: TimeSource
    private let state: Mutex<State>
    /// Held while a draft becomes a blob, so that two drafts for one key cannot be confused.
    private let finishing = Mutex(())
    /// Held while the metadata of a blob changes: two concurrent changes would write the same slot, and a concurrent
    /// reader would consider the file corrupt.
    private let updating = Mutex(())

    /// Opens the folder and reads its entries; this blocks.
    ///
    /// - Returns: `nil` if the folder cannot be used.
    init?(_ settings: BlobStore.Settings, time: TimeSource) {
        guard settings.diskCapacity > 0, let path = settings.diskPath,
            let folder = DiskFolder(path, in: settings.root)
        else { return nil }
        self.folder = folder
        self.time = time
        state = Mutex(State(capacity: settings.diskCapacity))
        seal = settings.encryptionKey?.seal ?? BlobSeal()
        isSynced = settings.synchronizes
        groupLimit = settings.groupLimit
        let blobs = folder.blobs()
        state.withLock { state in
            for blob in blobs { Self.add(blob.key, size: blob.size, to: &state) }
        }
        drop(evict())
    }

    /// The maximum size of one blob, in bytes.
    var entryLimit: Int64 { state.withLock { $0.capacity / 4 } }

    var usage: (count: Int, bytes: Int64) { state.withLock { ($0.order.count, $0.order.cost) } }
    /// Returns the keys of all blobs, or of those in one shard folder.
    func keys(shard: UInt8?) -> [BlobKey] {
        state.withLock { state in
            shard.map { state.index.keys(ofShard: $0) } ?? Array(state.order.keys)
        }
    }

    func keys(of group: BlobGroup) -> [BlobKey] {
        state.withLock { $0.index.keys(of: group) }
    }

    func keys(ofFamily family: UInt64) -> [BlobKey] { state.withLock { $0.index.keys(ofFamily: family) } }

    /// Changes the capacity to the value of a function, which is called under the lock; this blocks.
    func resize(to capacity: () -> Int64) {
        state.withLock { $0.capacity = capacity() }
        drop(evict())
    }

    /// True if no draft is about to become a blob.
    var isSettled: Bool { state.withLock { $0.pendingDrafts == 0 } }

    /// Waits for drafts that are about to become blobs; this blocks.
    func settle() { finishing.withLock { _ in } }

    /// Returns the path of the file of a blob, whether it exists or not.
    func path(_ key: BlobKey) -> String { folder.file(key) }

    /// Opens a blob without verifying its body; this blocks.
    ///
    /// An invalid file is removed; one that is only unreadable now is kept.
    func open(_ key: BlobKey) -> BlobFile? {
        state.withLock { $0.order.touch(key) }
        do throws(BlobFile.ReadError) {
            let file = try settled(key)
            if file.touch(now: Int64(time.now.timeIntervalSince1970 * 1e9)) { keepVerified(key, file: file) }
            return file
        } catch {
            if error != .busy { remove(key) }
            return nil
        }
    }

    /// Opens the file of a blob, and waits for a concurrent change of its metadata.
    private func settled(_ key: BlobKey) throws(BlobFile.ReadError) -> BlobFile {
        do throws(BlobFile.ReadError) {
            return try BlobFile(folder.file(key), key: key, seal: seal)
        } catch {
            // During a change the metadata appears to be corrupt.
            guard error != .busy else { throw error }
            return try updating.withLock { _ throws(BlobFile.ReadError) in
                try BlobFile(folder.file(key), key: key, seal: seal)
            }
        }
    }

    /// Returns true if every byte of a blob was verified, and its file has not changed since; this blocks.
    func isVerified(_ key: BlobKey, file: BlobFile) -> Bool {
        guard let modified = file.modifiedNow else { return false }
        return state.withLock { $0.verified[key] } == modified
    }

    /// Verifies a part of a blob; this blocks.
    ///
    /// A corrupt blob is removed.
    ///
    /// The parts must be verified in order: the last one marks the whole blob as verified.
    func verify(_ key: BlobKey, file: BlobFile, part: Range<Int64>) -> Bool {
        do throws(BlobFile.ReadError) { try file.check(part) } catch {
            if error != .busy { remove(key) }
            return false
        }
        if part.upperBound == file.layout.length { markVerified(key, file: file) }
        return true
    }

    /// Keeps the mark of a verified blob after the store itself has changed the file.
    private func keepVerified(_ key: BlobKey, file: BlobFile) {
        if state.withLock({ $0.verified[key] }) == file.modified { markVerified(key, file: file) }
    }

    private func markVerified(_ key: BlobKey, file: BlobFile) {
        guard let modified = file.modifiedNow else { return }
        state.withLock { if $0.order.cost(of: key) != nil { $0.verified[key] = modified } }
    }

    /// Marks blobs as the most recently used.
    func touch(_ keys: [BlobKey]) {
        state.withLock { state in
            for key in keys { state.order.touch(key) }
        }
    }

    /// Returns the metadata of a blob without verifying its body; this blocks.
    func metadata(_ key: BlobKey) throws(BlobFile.ReadError) -> (bytes: [UInt8], length: Int64, revision: UInt64) {
        let file = try settled(key)
        return (file.metadata, file.layout.length, file.layout.revision)
    }

    /// Replaces the metadata of a blob; this blocks.
    func update(_ key: BlobKey, revision: UInt64, metadata: [UInt8]) {
        updating.withLock { _ in updateLocked(key, revision: revision, metadata: metadata) }
    }

    private func updateLocked(_ key: BlobKey, revision: UInt64, metadata: [UInt8]) {
        do throws(BlobFile.ReadError) {
            let file = try BlobFile(folder.file(key), key: key, seal: seal, isWritable: true)
            guard file.layout.revision == revision else { return }
            if file.update(metadata, isSynced: isSynced) { return keepVerified(key, file: file) }
        } catch {}
        // A response with outdated metadata would be considered valid.
        remove(key)
    }

    /// Removes a blob; this blocks.
    func remove(_ key: BlobKey) {
        state.withLock { Self.take(key, from: &$0) }
        unlink(folder.file(key))
    }

    /// Removes a blob with this revision, or a corrupt file under its key; this blocks.
    ///
    /// A readable blob with another revision is kept; without a revision, any readable blob.
    func remove(_ key: BlobKey, revision: UInt64?) {
        finishing.withLock { _ in updating.withLock { _ in removeLocked(key, revision: revision) } }
    }

    private func removeLocked(_ key: BlobKey, revision: UInt64?) {
        do throws(BlobFile.ReadError) {
            guard try BlobFile(folder.file(key), key: key, seal: seal).layout.revision == revision else { return }
        } catch {
            // A file that is only unreadable now may have another revision.
            guard error != .busy else { return }
        }
        remove(key)
    }

    /// Removes several blobs, and fsyncs their folders if the store fsyncs its files; this blocks.
    func remove(_ keys: [BlobKey]) {
        for key in keys { remove(key) }
        guard isSynced else { return }
        for folder in Set(keys.map { folder.shard($0) }) { FileHandleBytes.synchronize(folder: folder) }
    }

    /// Reserves space for bytes that are to be written.
    ///
    /// - Returns: True if there is enough space.
    func reserve(_ bytes: Int64) -> Bool {
        let (victims, isDone): ([BlobKey], Bool) = state.withLock { state in
            // A few stalled writers must not block all others.
            guard state.reserved + bytes <= state.capacity / 2 else { return ([], false) }
            state.reserved += bytes
            let victims = Self.evict(from: &state)
            guard state.order.cost + state.reserved <= state.capacity else {
                state.reserved -= bytes
                return (victims, false)
            }
            return (victims, true)
        }
        drop(victims)
        return isDone
    }

    func release(_ bytes: Int64) { state.withLock { $0.reserved -= bytes } }

    func draft() -> BlobDraft? {
        guard folder.isLocked else { return nil }
        let path = folder.draft()
        if let draft = BlobDraft(path, seal: seal) { return draft }
        // The folder of the drafts was deleted.
        mkdir(folder.drafts, 0o700)
        return BlobDraft(path, seal: seal)
    }

    func layout(revision: UInt64, metadata: Int) -> BlobLayout {
        BlobLayout(revision: revision, metadata: metadata, seal: seal)
    }

    /// Turns a draft into a blob of the store, if it is still wanted; this blocks.
    ///
    /// `isWanted` is called before the file is moved into place. `enter` is called at the last moment, and runs its
    /// argument if the blob is still wanted. Returns true if the blob is now stored.
    func finish(
        _ draft: BlobDraft, key: BlobKey, metadata: [UInt8], layout: BlobLayout, reserved: Int64,
        isWanted: () -> Bool, enter: (() -> Void) -> Bool
    ) -> Bool {
        let isComplete = draft.complete(key: key, metadata: metadata, layout: layout, isSynced: isSynced)
        let modified = draft.modified
        var victims: [BlobKey] = []
        // Before `isWanted` is called: a removal from then on waits for this draft.
        state.withLock { $0.pendingDrafts += 1 }
        defer { state.withLock { $0.pendingDrafts -= 1 } }
        let isDone = finishing.withLock { _ in
            // If the blob is not wanted, the removal has already handled the existing file.
            guard isWanted() else { return false }
            if isComplete, draft.move(to: folder.file(key)),
                enter({ victims = add(key, size: layout.fileSize, modified: modified, reserved: reserved) })
            {
                return true
            }
            // The existing file is an older blob, or this one, which is no longer wanted.
            remove(key)
            return false
        }
        drop(victims)
        guard isDone else {
            draft.discard()
            release(reserved)
            return false
        }
        if isSynced { FileHandleBytes.synchronize(folder: folder.shard(key)) }
        return true
    }

    /// Adds a blob that has been written, and returns the blobs to evict for it.
    private func add(_ key: BlobKey, size: Int64, modified: Int64?, reserved: Int64) -> [BlobKey] {
        state.withLock { state in
            state.reserved -= reserved
            Self.take(key, from: &state)
            Self.add(key, size: size, to: &state)
            state.verified[key] = modified
            // The oldest blobs beyond the limit of the group.
            let members = state.index.keys(of: key.group)
            let extra = Array(members.prefix(max(0, members.count - groupLimit)))
            for key in extra { Self.take(key, from: &state) }
            return extra + Self.evict(from: &state)
        }
    }

    private func evict() -> [BlobKey] { state.withLock { Self.evict(from: &$0) } }

    private func drop(_ keys: [BlobKey]) {
        for key in keys { unlink(folder.file(key)) }
    }

    /// Returns the space that a file takes on the disk, with blocks of 4 KiB.
    private static func blocks(_ size: Int64) -> Int64 { (size + 4095) / 4096 * 4096 }

    private static func add(_ key: BlobKey, size: Int64, to state: inout State) {
        if state.order.cost(of: key) == nil { state.index.insert(key) }
        state.order.insert(key, value: (), cost: Self.blocks(size))
    }

    private static func take(_ key: BlobKey, from state: inout State) {
        state.verified[key] = nil
        guard state.order.remove(key) != nil else { return }
        state.index.remove(key)
    }

    private static func evict(from state: inout State) -> [BlobKey] {
        var victims: [BlobKey] = []
        while state.order.cost + state.reserved > state.capacity, let oldest = state.order.removeOldest()?.key {
            state.verified[oldest] = nil
            state.index.remove(oldest)
            victims.append(oldest)
        }
        return victims
    }
}

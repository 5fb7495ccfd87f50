// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Blobs in files, the ones not used for longest dropped where there is no more room.
///
/// What it knows of them is in memory, and made anew from the folder each time: there is no journal that could say something
/// else than the files do.
final class DiskTier: Sendable {
    private struct State {
        var order = LeastRecent<BlobKey, Void>()
        var index = BlobIndex()
        /// Those whose every byte was looked at since the store was opened, and when their files had been changed by then.
        var verified: [BlobKey: Int64] = [:]
        /// Bytes that are being written.
        var reserved: Int64 = 0
        /// How many drafts are about to become blobs.
        var arriving = 0
        var capacity: Int64
    }

    private let folder: DiskFolder
    private let seal: BlobSeal
    private let isSynced: Bool
    private let groupLimit: Int
    private let time: TimeSource
    private let state: Mutex<State>
    /// Held while a draft becomes a blob, so that of two under one name neither takes the other for its own.
    private let finishing = Mutex(())
    /// Held while the metadata of a blob changes: two changes at once would write one slot, and who reads in the middle
    /// of one takes the file for damaged.
    private let updating = Mutex(())

    /// Reads the folder; this blocks.
    ///
    /// - Returns: `nil` where it cannot be used.
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
            for blob in blobs { Self.add(blob.key, blob.size, to: &state) }
        }
        drop(evict())
    }

    /// The most that one blob may take.
    var entryLimit: Int64 { state.withLock { $0.capacity / 4 } }

    var usage: (count: Int, bytes: Int64) { state.withLock { ($0.order.count, $0.order.cost) } }
    /// All of them, or those in one folder.
    func keys(shard: UInt8?) -> [BlobKey] {
        state.withLock { state in
            shard.map { state.index.keys(ofShard: $0) } ?? Array(state.order.keys)
        }
    }

    func keys(of group: BlobGroup) -> [BlobKey] {
        state.withLock { $0.index.keys(of: group) }
    }

    func keys(ofFamily family: UInt64) -> [BlobKey] { state.withLock { $0.index.keys(ofFamily: family) } }

    /// Gives it the capacity that a function says when nobody else can change it; this blocks.
    func resize(to capacity: () -> Int64) {
        state.withLock { $0.capacity = capacity() }
        drop(evict())
    }

    /// Whether no draft is about to become a blob.
    var isSettled: Bool { state.withLock { $0.arriving == 0 } }

    /// Waits for those that are about to; this blocks.
    func settle() { finishing.withLock { _ in } }

    /// Where the file of a blob is, if there is one.
    func path(_ key: BlobKey) -> String { folder.file(key) }

    /// A blob, its bytes not looked at yet; one that cannot be one is removed, one that only cannot be read now stays, and
    /// this blocks.
    func open(_ key: BlobKey) -> BlobFile? {
        state.withLock { $0.order.touch(key) }
        do throws(BlobFile.Fault) {
            let file = try settled(key)
            if file.touch(now: Int64(time.now.timeIntervalSince1970 * 1e9)) { keepVerified(key, file) }
            return file
        } catch {
            if error != .busy { remove(key) }
            return nil
        }
    }

    /// A blob's file, with its metadata as no change of it is in the middle of.
    private func settled(_ key: BlobKey) throws(BlobFile.Fault) -> BlobFile {
        do throws(BlobFile.Fault) {
            return try BlobFile(folder.file(key), key, seal)
        } catch {
            // In the middle of a change its metadata looks as if it were damaged.
            guard error != .busy else { throw error }
            return try updating.withLock { _ throws(BlobFile.Fault) in try BlobFile(folder.file(key), key, seal) }
        }
    }

    /// Whether every byte of a blob was as it was written when it was last looked at, and nobody changed it since; this
    /// blocks.
    func isVerified(_ key: BlobKey, _ file: BlobFile) -> Bool {
        guard let modified = file.modifiedNow else { return false }
        return state.withLock { $0.verified[key] } == modified
    }

    /// Whether a part of a blob is as it was written; one that is damaged is removed, and this blocks.
    ///
    /// The last part stands for all, so the parts are looked at in their order.
    func verify(_ key: BlobKey, _ file: BlobFile, _ part: Range<Int64>) -> Bool {
        do throws(BlobFile.Fault) { try file.check(part) } catch {
            if error != .busy { remove(key) }
            return false
        }
        if part.upperBound == file.layout.length { note(key, file) }
        return true
    }

    /// After a change of our own, a blob that was whole still is.
    private func keepVerified(_ key: BlobKey, _ file: BlobFile) {
        if state.withLock({ $0.verified[key] }) == file.modified { note(key, file) }
    }

    private func note(_ key: BlobKey, _ file: BlobFile) {
        guard let modified = file.modifiedNow else { return }
        state.withLock { if $0.order.cost(of: key) != nil { $0.verified[key] = modified } }
    }

    /// Makes blobs the ones used last.
    func touch(_ keys: [BlobKey]) {
        state.withLock { state in
            for key in keys { state.order.touch(key) }
        }
    }

    /// What stands beside a blob, without a look at its body; this blocks.
    func metadata(_ key: BlobKey) throws(BlobFile.Fault) -> (bytes: [UInt8], length: Int64, revision: UInt64) {
        let file = try settled(key)
        return (file.metadata, file.layout.length, file.layout.revision)
    }

    /// This blocks.
    func update(_ key: BlobKey, revision: UInt64, metadata: [UInt8]) {
        updating.withLock { _ in change(key, revision, metadata) }
    }

    private func change(_ key: BlobKey, _ revision: UInt64, _ metadata: [UInt8]) {
        do throws(BlobFile.Fault) {
            let file = try BlobFile(folder.file(key), key, seal, isWritten: true)
            guard file.layout.revision == revision else { return }
            if file.update(metadata, isSynced: isSynced) { return keepVerified(key, file) }
        } catch {}
        // One that is not up to date would be believed.
        remove(key)
    }

    /// This blocks.
    func remove(_ key: BlobKey) {
        state.withLock { Self.take(key, from: &$0) }
        unlink(folder.file(key))
    }

    /// Removes a blob, or what is damaged under its name, and leaves another that has taken its place: without a revision any
    /// that can be read; this blocks.
    func remove(_ key: BlobKey, revision: UInt64?) {
        finishing.withLock { _ in updating.withLock { _ in leave(key, revision) } }
    }

    private func leave(_ key: BlobKey, _ revision: UInt64?) {
        do throws(BlobFile.Fault) {
            guard try BlobFile(folder.file(key), key, seal).layout.revision == revision else { return }
        } catch {
            // What only cannot be read now may be another one.
            guard error != .busy else { return }
        }
        remove(key)
    }

    /// Removes several blobs, for good where that is wanted of what is written, too; this blocks.
    func remove(_ keys: [BlobKey]) {
        for key in keys { remove(key) }
        guard isSynced else { return }
        for folder in Set(keys.map { folder.shard($0) }) { FileHandleBytes.synchronize(folder: folder) }
    }

    /// Makes room for bytes that are to be written.
    ///
    /// - Returns: Whether there is room.
    func reserve(_ bytes: Int64) -> Bool {
        let (victims, isDone): ([BlobKey], Bool) = state.withLock { state in
            // A few that stop in the middle are not to keep all others out.
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
        guard folder.isOurs else { return nil }
        let path = folder.draft()
        if let draft = BlobDraft(path, seal) { return draft }
        // Somebody cleaned up.
        mkdir(folder.drafts, 0o700)
        return BlobDraft(path, seal)
    }

    func layout(revision: UInt64, metadata: Int) -> BlobLayout {
        BlobLayout(revision: revision, metadata: metadata, seal: seal)
    }

    /// Makes a draft a blob of the store, if that is wanted still; this blocks.
    ///
    /// `isWanted` is asked before the file has its name; `enter` at the last moment, and it runs what it is given if it is
    /// wanted then. What comes back is whether the blob is there now.
    func finish(
        _ draft: BlobDraft, _ key: BlobKey, _ metadata: [UInt8], _ layout: BlobLayout, reserved: Int64,
        isWanted: () -> Bool, enter: (() -> Void) -> Bool
    ) -> Bool {
        let isComplete = draft.complete(key, metadata, layout, isSynced: isSynced)
        let modified = draft.modified
        var victims: [BlobKey] = []
        // Before it is asked whether it is wanted: whoever does not want it from now on, waits for it.
        state.withLock { $0.arriving += 1 }
        defer { state.withLock { $0.arriving -= 1 } }
        let isDone = finishing.withLock { _ in
            // Whoever does not want it any more, has seen to what is there.
            guard isWanted() else { return false }
            if isComplete, draft.move(to: folder.file(key)),
                enter({ victims = add(key, layout.fileSize, modified, reserved: reserved) })
            {
                return true
            }
            // What is there is an older one, or this one that nobody wants any more.
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

    /// Notes a blob that has been written, and gives those that have to go for it.
    private func add(_ key: BlobKey, _ size: Int64, _ modified: Int64?, reserved: Int64) -> [BlobKey] {
        state.withLock { state in
            state.reserved -= reserved
            Self.take(key, from: &state)
            Self.add(key, size, to: &state)
            state.verified[key] = modified
            // The oldest of too many.
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

    /// What a file takes of a disk, whose blocks are hardly ever smaller.
    private static func blocks(_ size: Int64) -> Int64 { (size + 4095) / 4096 * 4096 }

    private static func add(_ key: BlobKey, _ size: Int64, to state: inout State) {
        if state.order.cost(of: key) == nil { state.index.insert(key) }
        state.order.insert(key, (), cost: Self.blocks(size))
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

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// A store of blobs in memory and on the disk, which ``HTTPCache`` and the application's cache use.
///
/// Disk access runs on a queue that the network does not wait for. A folder belongs to one store at a time: a second
/// one, in this process or another, works without the disk. ``shared(_:)`` returns the process's existing store of a
/// folder.
package final class BlobStore: CacheStore {
    package struct Settings: Sendable {
        /// The capacity in memory, in bytes.
        package var memoryCapacity: Int64 = 20 * 1024 * 1024
        /// The capacity on the disk, in bytes; zero uses no disk.
        package var diskCapacity: Int64 = 100 * 1024 * 1024
        /// The folder; `nil` uses no disk.
        package var diskPath: String?
        /// The parent folder, if it has to be checked.
        package var root: StateFolder?
        /// The purpose of the store; stores with different purposes never share a folder.
        package var purpose = ""
        /// The key that encrypts the files.
        package var encryptionKey: CacheEncryptionKey?
        /// True to fsync each file.
        package var synchronizes = false
        /// The maximum number of blobs in one group.
        package var groupLimit = 32
        /// True if the blobs may belong to another program: unreadable ones are kept unless they are certainly to be
        /// removed.
        package var isReadOnly = false

        package init() {}

        /// Returns a capacity, limited to one pebibyte so that sums cannot overflow.
        package static func capacity(_ bytes: Int) -> Int64 { min(max(0, Int64(bytes)), 1 << 50) }

        /// The identity of a shared store; `nil` for a store without a folder.
        package var identity: Identity? {
            guard let diskPath, diskCapacity > 0 else { return nil }
            return Identity(
                path: Array(Self.whole(diskPath).utf8), purpose: purpose, encryptionKey: encryptionKey)
        }

        /// Returns an absolute path, which is independent of the current directory and in a canonical form.
        ///
        /// `..` is left to the system, since the name before it may be a symbolic link.
        fileprivate static func whole(_ path: String) -> String {
            guard !path.isEmpty else { return path }
            let whole = path.behind(first: "/") != nil ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
            return "/" + whole.cut(at: "/", keepsEmpty: false).filter { $0 != "." }.joined(separator: "/")
        }
    }

    /// The identity of a store with a folder.
    package struct Identity: Hashable, Sendable {
        /// The path in bytes: strings that compare equal may name two folders.
        let path: [UInt8]
        let purpose: String
        let encryptionKey: CacheEncryptionKey?
    }

    /// The stores of this process that have a folder.
    private static let open = Mutex(SharedStores())

    let memory: Mutex<MemoryTier>
    /// The number of bytes of unfinished blobs in memory.
    let unfinished = Mutex<Int64>(0)
    /// Signals for files that are being written for blobs already in memory, by the revisions of the blobs.
    private let filing = Mutex<[UInt64: AsyncSignal]>([:])
    /// The number of attempts to open a folder that the previous store is about to release.
    private static let maximumOpenAttempts = 50
    /// The maximum number of files written at once for blobs already in memory.
    private static let filingLimit = 64
    let opening: Task<DiskTier?, Never>
    /// Signaled when the folder has been opened, or cannot be used.
    let opened: AsyncSignal
    /// The opened disk, available from then on.
    private let known: OpenedDisk
    /// The pending removals and changes on the disk.
    let changing = Mutex(BlobChanges())
    let settings: Settings
    private let diskCapacity: Mutex<Int64>

    /// Creates a store, and opens its folder in the background.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - time: The clock for the use of blobs.
    ///   - isSuccessor: True if a previous store had the folder, which it may take a moment to release.
    package init(_ settings: Settings, time: TimeSource = .system, isSuccessor: Bool = false) {
        var settings = settings
        settings.diskPath = settings.diskPath.map { Settings.whole($0) }
        self.settings = settings
        diskCapacity = Mutex(settings.diskCapacity)
        memory = Mutex(MemoryTier(capacity: settings.memoryCapacity, groupLimit: settings.groupLimit, time: time))
        let opened = AsyncSignal()
        self.opened = opened
        let known = OpenedDisk()
        self.known = known
        opening = Task { [settings] in
            defer { opened.ring() }
            let disk = await BlobStore.disk(settings, time: time, isSuccessor: isSuccessor)
            known.open(disk)
            return disk
        }
    }

    private static func disk(_ settings: Settings, time: TimeSource, isSuccessor: Bool) async -> DiskTier? {
        for _ in 0..<(isSuccessor ? maximumOpenAttempts : 0) {
            if let disk = await FileQueue.run({ DiskTier(settings, time: time) }) { return disk }
            try? await time.sleep(for: .milliseconds(10))
        }
        return await FileQueue.run { DiskTier(settings, time: time) }
    }

    /// Returns the store of a folder: this process's existing one, resized to the given capacities, or a new one.
    ///
    /// - Parameter settings: The settings.
    /// - Returns: The store.
    package static func shared(_ settings: Settings) -> BlobStore {
        guard let identity = settings.identity else { return BlobStore(settings) }
        let (store, isNew) = open.withLock { $0.store(identity) { BlobStore(settings, isSuccessor: $0) } }
        if !isNew { store.resize(settings) }
        return store
    }

    /// Changes the capacities to those of other settings.
    package func resize(_ settings: Settings) {
        memory.withLock { $0.resize(settings.memoryCapacity) }
        diskCapacity.withLock { $0 = settings.diskCapacity }
        Task {
            guard let disk = await opening.value else { return }
            // Two calls may reach this point in any order, so the current value is read.
            await FileQueue.run { [self] in disk.resize { diskCapacity.withLock { $0 } } }
        }
    }

    /// Waits until the folder is open, or known to be unusable.
    ///
    /// - Returns: `false` if the task was cancelled before; a disk may be slow or remote.
    func isOpened() async -> Bool {
        guard opened.count == 0 else { return true }
        return (try? await opened.wait(after: 0)) != nil
    }

    /// True if the disk is used; false if another store has the folder, or it is not writable.
    package var usesDisk: Bool { get async { await opening.value != nil } }

    /// Returns the blobs of a group if all of them are in memory, and marks them as used.
    ///
    /// - Parameter group: The group.
    /// - Returns: The blobs; `nil` if the disk is needed, as in ``blobs(in:)``.
    package func blobsInMemory(in group: BlobGroup) -> [StoredBlob]? {
        guard opened.count > 0 else { return nil }
        let disk = known.value
        let files = disk?.keys(of: group)
        guard let found = memory.withLock({ $0.all(of: group, files: files) }) else { return nil }
        if let disk, !found.isEmpty { disk.touch(found.map(\.key)) }
        return found
    }

    package func blobs(in group: BlobGroup) async -> [StoredBlob] { await blobs(in: group) { _ in false } }

    /// Returns the blobs of a group, and marks them as used.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - isWanted: Called for the only blob of a group: returns true to read the whole body, up to 4 MiB, together
    ///     with the metadata. It runs on a thread that may block.
    /// - Returns: The blobs.
    package func blobs(
        in group: BlobGroup, whole isWanted: @escaping @Sendable (StoredBlob) -> Bool
    ) async -> [StoredBlob] {
        // Usually the folder is open, and reading the count of the signal is cheap.
        if opened.count == 0, await !isOpened() { return [] }
        let disk = known.value
        let keys = disk?.keys(of: group) ?? []
        let (found, missing, due, changes, limit, isFilePending) = memory.withLock { memory in
            // There are few of them, usually one.
            let known = memory.keys(of: group)
            let found = known.compactMap { memory.blob($0) }
            return (
                found, keys.filter { !known.contains($0) }, disk == nil ? [] : memory.due(found),
                memory.changes(of: group.family), memory.entryLimit, memory.isFiling(group)
            )
        }
        guard let disk else { return found }
        guard !isFilePending else {
            // Memory has evicted a blob whose file is still being written: the file under its name is an older one.
            await waitForFiling()
            guard !Task.isCancelled else { return found }
            return await blobs(in: group, whole: isWanted)
        }
        if !found.isEmpty { disk.touch(found.map(\.key)) }
        // A blob that is used only in memory must not be the first to be evicted after a restart.
        if !due.isEmpty { _ = await FileQueue.runToCompletion { for key in due { _ = disk.open(key) } } }
        guard !missing.isEmpty else { return found }
        if let removal = removal(of: group.family) {
            // A blob that is about to be removed is treated as missing.
            guard (try? await removal.done.wait(after: 0)) != nil else { return found }
            return await blobs(in: group, whole: isWanted)
        }
        // Of many blobs, most are not the one that is needed.
        let eager = missing.count > 4 ? 0 : min(max(limit, Self.smallSize), StoredBlob.writeSize)
        let isAlone = missing.count == 1 && found.isEmpty
        // A cancelled task does not wait for a slow or remote disk.
        let read = try? await FileQueue.runUntilCancelled {
            missing.compactMap { Self.read($0, from: disk, upTo: eager) { isAlone && isWanted($0) } }
        }
        guard let read else { return found }
        memory.withLock { memory in
            // A large blob that is read once must not evict small ones that are used often.
            for blob in read where blob.length <= eager { memory.promote(blob, since: changes) }
        }
        return found + read
    }

    /// The maximum size of a body that is read together with its metadata, even without memory for it.
    private static let smallSize: Int64 = 32 * 1024

    /// Reads a blob from the disk, with its body if it is small or wanted whole; this blocks.
    private static func read(
        _ key: BlobKey, from disk: DiskTier, upTo limit: Int64, whole isWanted: (StoredBlob) -> Bool
    ) -> StoredBlob? {
        guard let file = disk.open(key) else { return nil }
        let (length, revision) = (file.layout.length, file.layout.revision)
        let blob = StoredBlob(
            key: key, revision: revision, metadata: file.metadata, length: length,
            body: .stored { range in
                do {
                    return try await FileQueue.runUntilCancelled { try file.read(range) }
                } catch let fault as BlobFile.ReadError {
                    if fault != .busy { await FileQueue.run { disk.remove(key, revision: revision) } }
                    throw BlobDamagedError()
                }
            })
        if length == 0 { return blob.holding(Data()) }
        guard length <= limit || length <= StoredBlob.readSize && isWanted(blob) else {
            return disk.isVerified(key, file: file) ? blob : blob.checked { await isSound(key, file: file, on: disk) }
        }
        do throws(BlobFile.ReadError) {
            return blob.holding(try file.read(0..<length))
        } catch {
            if error != .busy { disk.remove(key, revision: revision) }
            return nil
        }
    }

    /// The number of bytes to verify before checking for cancellation.
    private static let checkedSize = 16 * StoredBlob.writeSize

    /// Returns true if every byte of a blob is intact; also `false` if the task is cancelled.
    private static func isSound(_ key: BlobKey, file: BlobFile, on disk: DiskTier) async -> Bool {
        var offset: Int64 = 0
        while offset < file.layout.length {
            guard !Task.isCancelled else { return false }
            let part = offset..<min(offset + checkedSize, file.layout.length)
            guard await FileQueue.runToCompletion({ disk.verify(key, file: file, part: part) }) == true else {
                return false
            }
            offset = part.upperBound
        }
        return true
    }

    package func moment(of family: UInt64) -> CacheMoment { memory.withLock { $0.moment(of: family) } }

    package func write(
        _ key: BlobKey, metadata: [UInt8], length: Int64?, since moment: CacheMoment?
    ) async -> (any BlobWriter)? {
        await write(key, metadata: metadata, attachment: BlobAttachment(), length: length, since: moment)
    }

    /// Begins to write a blob, with a value derived from its metadata.
    ///
    /// - Parameters:
    ///   - key: The key of the blob.
    ///   - metadata: The metadata.
    ///   - attachment: The value derived from the metadata, which memory keeps with the blob.
    ///   - length: The expected length of the body, if known.
    ///   - moment: The moment from which the blob is valid.
    /// - Returns: The writer; `nil` if the store rejects the blob.
    package func write(
        _ key: BlobKey, metadata: [UInt8], attachment: BlobAttachment, length: Int64?, since moment: CacheMoment?
    ) async -> (any BlobWriter)? {
        if opened.count == 0, await !isOpened() { return nil }
        let disk = known.value
        let memoryLimit = memory.withLock { $0.entryLimit }
        let limit = max(memoryLimit, disk?.entryLimit ?? 0)
        guard limit > Int64(metadata.count), length ?? 0 <= limit else { return nil }
        return BlobStoreWriter(
            self, disk: disk, key: key, metadata: metadata, attachment: attachment, length: length, since: moment,
            memoryLimit: memoryLimit)
    }

    package func update(_ blob: StoredBlob, metadata: [UInt8]) async {
        let wasFiling = memory.withLock { memory in
            memory.update(blob.key, revision: blob.revision, metadata: metadata)
            return memory.cancelFiling(blob.key, revision: blob.revision)
        }
        // If the file was not written yet, an older one may have its name, which must not be read.
        await change(of: blob.key.group.family, isRemoval: wasFiling) { [self] disk in
            await waitForFiling()
            await FileQueue.run {
                // The file would contain the old metadata.
                if wasFiling { return disk.remove(blob.key) }
                disk.update(blob.key, revision: blob.revision, metadata: metadata)
            }
            // A concurrent reader of the file may have restored the old metadata in memory.
            memory.withLock { $0.update(blob.key, revision: blob.revision, metadata: metadata) }
        }
    }

    /// Returns a counter that increases whenever a blob of the family is written, changed or removed.
    package func changes(of family: UInt64) -> UInt64 { memory.withLock { $0.changes(of: family) } }

    /// Adds a blob to memory that was read elsewhere, unless the family has changed since the read began.
    package func promote(_ blob: StoredBlob, since changes: UInt64) {
        memory.withLock { $0.promote(blob, since: changes) }
    }

    /// Removes a blob from memory unless it has this metadata and these bytes, and rejects reads in progress.
    package func forget(_ key: BlobKey, unless metadata: [UInt8], bytes: Data) {
        memory.withLock { $0.remove(key, unless: metadata, bytes: bytes) }
    }

    // MARK: Background file writes

    /// True if another file may be written in the background for a blob that is already in memory.
    var canFileInBackground: Bool { !settings.synchronizes && filing.withLock { $0.count < Self.filingLimit } }

    /// Writes the file of a blob that is already in memory, in the background.
    package func writeFile(_ revision: UInt64, work: @escaping @Sendable () -> Void) {
        let done = AsyncSignal()
        filing.withLock { $0[revision] = done }
        FileQueue.later { [self] in
            work()
            filing.withLock { $0[revision] = nil }
            done.ring()
        }
    }

    /// Waits until the files that are being written in the background are complete; a cancelled task stops waiting.
    func waitForFiling() async {
        for done in filing.withLock({ Array($0.values) }) {
            guard (try? await done.wait(after: 0)) != nil else { return }
        }
    }

    /// Returns the path of the file of a blob, whether it exists or not; `nil` without a disk.
    package func path(_ key: BlobKey) async -> String? { await opening.value?.path(key) }

    package func usage() async -> CacheUsage {
        await waitForFiling()
        await removed()
        var usage = CacheUsage()
        (usage.memoryCount, usage.memoryBytes) = memory.withLock { ($0.count, $0.cost) }
        if let disk = await opening.value { (usage.diskCount, usage.diskBytes) = disk.usage }
        return usage
    }
}

/// The disk of a store, for callers that do not wait until it is open.
final class OpenedDisk: Sendable {
    private let tier = Mutex<DiskTier?>(nil)

    /// The disk; `nil` if it is not open yet, or cannot be used.
    var value: DiskTier? { tier.withLock { $0 } }

    /// Sets the disk.
    func open(_ tier: DiskTier?) { self.tier.withLock { $0 = tier } }
}

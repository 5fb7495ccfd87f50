// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Keeps blobs in memory and on the disk: what ``HTTPCache`` and the application's cache stand on.
///
/// The disk is read and written where nothing of the network waits. A folder belongs to one store at a time: another one, of
/// this process or another, does without it. ``shared(_:)`` gives a process the one that it has already.
package final class BlobStore: CacheStore {
    package struct Settings: Sendable {
        /// How many bytes are kept in memory.
        package var memoryCapacity: Int64 = 20 * 1024 * 1024
        /// How many bytes are kept on the disk; zero uses none.
        package var diskCapacity: Int64 = 100 * 1024 * 1024
        /// The folder; `nil` uses no disk.
        package var diskPath: String?
        /// What the folder is in, where that has to be looked at.
        package var root: StateFolder?
        /// Who uses the store: what others keep is none of its business.
        package var purpose = ""
        /// How the files are sealed.
        package var encryptionKey: CacheEncryptionKey?
        /// Whether each file is waited for until the disk has it.
        package var synchronizes = false
        /// How many blobs of one group are kept.
        package var groupLimit = 32
        /// Whether the blobs may be another program's: what cannot be read then stays where nobody can tell that it is meant.
        package var isOnlyLooking = false

        package init() {}

        /// So many bytes as a capacity, within what can be counted with: a petabyte is as much as all there is.
        package static func capacity(_ bytes: Int) -> Int64 { min(max(0, Int64(bytes)), 1 << 50) }

        /// What stores that are to be one have in common; `nil` for a store without a folder.
        package var identity: Identity? {
            guard let diskPath, diskCapacity > 0 else { return nil }
            return Identity(
                path: Array(Self.whole(diskPath).utf8), purpose: purpose, encryptionKey: encryptionKey)
        }

        /// A path from the root, which stays what it is when the process goes to another folder, and names none twice.
        ///
        /// What `..` stands for, the system knows: the name before it may be a link.
        fileprivate static func whole(_ path: String) -> String {
            guard !path.isEmpty else { return path }
            let whole = path.behind(first: "/") != nil ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
            return "/" + whole.cut(at: "/", keepsEmpty: false).filter { $0 != "." }.joined(separator: "/")
        }
    }

    /// What tells stores with a folder apart.
    package struct Identity: Hashable, Sendable {
        /// In bytes: names that look alike, and are equal as text, may be those of two folders.
        let path: [UInt8]
        let purpose: String
        let encryptionKey: CacheEncryptionKey?
    }

    /// The stores of this process that have a folder.
    private static let open = Mutex(SharedStores())

    let memory: Mutex<MemoryTier>
    /// How many bytes of unfinished blobs are in memory.
    let unfinished = Mutex<Int64>(0)
    /// Rung when the files are written of blobs that are in memory already, by the revisions of the blobs.
    private let filing = Mutex<[UInt64: Bell]>([:])
    /// How often a folder is asked for that is being let go.
    private static let patience = 50
    /// How many files are written so at once.
    private static let filingLimit = 64
    let opening: Task<DiskTier?, Never>
    /// Rung when that is over.
    let opened: Bell
    /// What came of it, from that moment on.
    private let known: OpenedDisk
    /// What is being removed and changed on the disk.
    let changing = Mutex(BlobChanges())
    let settings: Settings
    private let diskCapacity: Mutex<Int64>

    /// Creates a store; its folder is opened meanwhile.
    ///
    /// - Parameters:
    ///   - settings: What it is to be like.
    ///   - time: Tells when blobs are used.
    ///   - isFollowing: Whether another one had its folder just now, which may take a moment to let it go.
    package init(_ settings: Settings, time: TimeSource = .system, isFollowing: Bool = false) {
        var settings = settings
        settings.diskPath = settings.diskPath.map { Settings.whole($0) }
        self.settings = settings
        diskCapacity = Mutex(settings.diskCapacity)
        memory = Mutex(MemoryTier(capacity: settings.memoryCapacity, groupLimit: settings.groupLimit, time: time))
        let opened = Bell()
        self.opened = opened
        let known = OpenedDisk()
        self.known = known
        opening = Task { [settings] in
            defer { opened.ring() }
            let disk = await BlobStore.disk(settings, time, isFollowing: isFollowing)
            known.open(disk)
            return disk
        }
    }

    private static func disk(_ settings: Settings, _ time: TimeSource, isFollowing: Bool) async -> DiskTier? {
        for _ in 0..<(isFollowing ? patience : 0) {
            if let disk = await FileQueue.run({ DiskTier(settings, time: time) }) { return disk }
            try? await time.sleep(for: .milliseconds(10))
        }
        return await FileQueue.run { DiskTier(settings, time: time) }
    }

    /// The store of a folder: the one that this process has already, from now on with these capacities, or a new one.
    ///
    /// - Parameter settings: What it is to be like.
    /// - Returns: The store.
    package static func shared(_ settings: Settings) -> BlobStore {
        guard let identity = settings.identity else { return BlobStore(settings) }
        let (store, isNew) = open.withLock { $0.store(identity) { BlobStore(settings, isFollowing: $0) } }
        if !isNew { store.resize(settings) }
        return store
    }

    /// Gives it the capacities of other settings.
    package func resize(_ settings: Settings) {
        memory.withLock { $0.resize(settings.memoryCapacity) }
        diskCapacity.withLock { $0 = settings.diskCapacity }
        Task {
            guard let disk = await opening.value else { return }
            // Of two that follow each other, either may come to this last.
            await FileQueue.run { [self] in disk.resize { diskCapacity.withLock { $0 } } }
        }
    }

    /// Waits until the folder is open, or cannot be used, no longer than the task is wanted: a disk may be slow, or far away.
    ///
    /// - Returns: `false` where the task was cancelled before.
    func isOpened() async -> Bool {
        guard opened.count == 0 else { return true }
        return (try? await opened.wait(after: 0)) != nil
    }

    /// Whether the disk is used: not where another store has the folder, or it cannot be written.
    package var usesDisk: Bool { get async { await opening.value != nil } }

    /// The blobs of a group, where all that there are can be had from memory at once; they are used now.
    ///
    /// - Parameter group: The group.
    /// - Returns: The blobs; `nil` where somebody has to wait for the disk, as ``blobs(in:)`` does.
    package func blobsAtOnce(in group: BlobGroup) -> [StoredBlob]? {
        guard opened.count > 0 else { return nil }
        let disk = known.value
        let files = disk?.keys(of: group)
        guard let found = memory.withLock({ $0.all(of: group, files: files) }) else { return nil }
        if let disk, !found.isEmpty { disk.touch(found.map(\.key)) }
        return found
    }

    package func blobs(in group: BlobGroup) async -> [StoredBlob] { await blobs(in: group) { _ in false } }

    /// The blobs of a group, which are used now.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - isWanted: Says of the only blob that there is, whether all its bytes are wanted at once: then they are read with
    ///     what stands beside them, where there are no more than 4 MiB. It is called where no task waits.
    /// - Returns: The blobs.
    package func blobs(
        in group: BlobGroup, whole isWanted: @escaping @Sendable (StoredBlob) -> Bool
    ) async -> [StoredBlob] {
        // Mostly it is, and the count of a bell costs no more than a look.
        if opened.count == 0, await !isOpened() { return [] }
        let disk = known.value
        let keys = disk?.keys(of: group) ?? []
        let (found, missing, due, changes, limit, isComing) = memory.withLock { memory in
            // There are few of them, mostly one.
            let known = memory.keys(of: group)
            let found = known.compactMap { memory.blob($0) }
            return (
                found, keys.filter { !known.contains($0) }, disk == nil ? [] : memory.due(found),
                memory.changes(of: group.family), memory.entryLimit, memory.isFiling(group)
            )
        }
        guard let disk else { return found }
        guard !isComing else {
            // The memory had no more room for one whose file is still being written: what has its name is an older one.
            await filed()
            guard !Task.isCancelled else { return found }
            return await blobs(in: group, whole: isWanted)
        }
        if !found.isEmpty { disk.touch(found.map(\.key)) }
        // What is only used in memory is not to be the first to go when the program runs again.
        if !due.isEmpty { _ = await FileQueue.runToItsEnd { for key in due { _ = disk.open(key) } } }
        guard !missing.isEmpty else { return found }
        if let removal = removal(of: group.family) {
            // What is about to go is not there any more.
            guard (try? await removal.done.wait(after: 0)) != nil else { return found }
            return await blobs(in: group, whole: isWanted)
        }
        // Of many, most are not the one that is looked for.
        let eager = missing.count > 4 ? 0 : min(max(limit, Self.smallSize), StoredBlob.pieceSize)
        let isAlone = missing.count == 1 && found.isEmpty
        // Who is cancelled does not wait for a disk that is slow, or far away.
        let read = try? await FileQueue.runUntilCancelled {
            missing.compactMap { Self.read($0, disk, upTo: eager) { isAlone && isWanted($0) } }
        }
        guard let read else { return found }
        memory.withLock { memory in
            // A large one, read once, is not to push out what is small and used often.
            for blob in read where blob.length <= eager { memory.promote(blob, since: changes) }
        }
        return found + read
    }

    /// So many bytes are read with what stands beside them, whether there is a memory for them or not.
    private static let smallSize: Int64 = 32 * 1024

    /// A blob of the disk, its body in memory where that is small enough or wanted whole; this blocks.
    private static func read(
        _ key: BlobKey, _ disk: DiskTier, upTo limit: Int64, _ isWanted: (StoredBlob) -> Bool
    ) -> StoredBlob? {
        guard let file = disk.open(key) else { return nil }
        let (length, revision) = (file.layout.length, file.layout.revision)
        let blob = StoredBlob(
            key: key, revision: revision, metadata: file.metadata, length: length,
            body: .stored { range in
                do {
                    return try await FileQueue.runUntilCancelled { try file.read(range) }
                } catch let fault as BlobFile.Fault {
                    if fault != .busy { await FileQueue.run { disk.remove(key, revision: revision) } }
                    throw BlobDamaged()
                }
            })
        if length == 0 { return blob.holding(Data()) }
        guard length <= limit || length <= StoredBlob.wholeSize && isWanted(blob) else {
            return disk.isVerified(key, file) ? blob : blob.checked { await isSound(key, file, disk) }
        }
        do throws(BlobFile.Fault) {
            return blob.holding(try file.read(0..<length))
        } catch {
            if error != .busy { disk.remove(key, revision: revision) }
            return nil
        }
    }

    /// How much of a file is looked at before it is asked whether anybody still wants to know.
    private static let checkedSize = 16 * StoredBlob.pieceSize

    /// Whether every byte of a blob is as it was written; `false`, too, where the task is cancelled meanwhile.
    private static func isSound(_ key: BlobKey, _ file: BlobFile, _ disk: DiskTier) async -> Bool {
        var place: Int64 = 0
        while place < file.layout.length {
            guard !Task.isCancelled else { return false }
            let part = place..<min(place + checkedSize, file.layout.length)
            guard await FileQueue.runToItsEnd({ disk.verify(key, file, part) }) == true else { return false }
            place = part.upperBound
        }
        return true
    }

    package func moment(of family: UInt64) -> CacheMoment { memory.withLock { $0.moment(of: family) } }

    package func write(
        _ key: BlobKey, metadata: [UInt8], length: Int64?, since moment: CacheMoment?
    ) async -> (any BlobWriter)? {
        await write(key, metadata: metadata, note: BlobNote(), length: length, since: moment)
    }

    /// Begins to write a blob, with what was made of its metadata.
    ///
    /// - Parameters:
    ///   - key: The blob's name.
    ///   - metadata: What is kept beside it.
    ///   - note: What was made of that, which the memory keeps with the blob.
    ///   - length: How many bytes will come, where that is known.
    ///   - moment: Since when the blob holds.
    /// - Returns: What writes it; `nil` where the store takes none.
    package func write(
        _ key: BlobKey, metadata: [UInt8], note: BlobNote, length: Int64?, since moment: CacheMoment?
    ) async -> (any BlobWriter)? {
        if opened.count == 0, await !isOpened() { return nil }
        let disk = known.value
        let memoryLimit = memory.withLock { $0.entryLimit }
        let limit = max(memoryLimit, disk?.entryLimit ?? 0)
        guard limit > Int64(metadata.count), length ?? 0 <= limit else { return nil }
        return BlobStoreWriter(
            self, disk, key, metadata, note, length: length, since: moment, memoryLimit: memoryLimit)
    }

    package func update(_ blob: StoredBlob, metadata: [UInt8]) async {
        let wasFiling = memory.withLock { memory in
            memory.update(blob.key, revision: blob.revision, metadata: metadata)
            return memory.cancelFiling(blob.key, blob.revision)
        }
        // An older one may have the name until then, which nobody is to read.
        await change(of: blob.key.group.family, isRemoval: wasFiling) { [self] disk in
            await filed()
            await FileQueue.run {
                // What was to be beside it in the file is not true any more.
                if wasFiling { return disk.remove(blob.key) }
                disk.update(blob.key, revision: blob.revision, metadata: metadata)
            }
            // Whoever read the file meanwhile may have brought the old ones back.
            memory.withLock { $0.update(blob.key, revision: blob.revision, metadata: metadata) }
        }
    }

    /// Changes whenever something of a family is written, changed or forgotten.
    package func changes(of family: UInt64) -> UInt64 { memory.withLock { $0.changes(of: family) } }

    /// Takes a blob into memory that was read elsewhere, unless something changed since the reading began: it would come too
    /// late.
    package func promote(_ blob: StoredBlob, since changes: UInt64) {
        memory.withLock { $0.promote(blob, since: changes) }
    }

    /// Forgets in memory what is another blob, and what was read before and is about to come there.
    package func forget(_ key: BlobKey, unless metadata: [UInt8], _ bytes: Data) {
        memory.withLock { $0.remove(key, unless: metadata, bytes) }
    }

    // MARK: Files after the memory

    /// Whether one more file may be written while its blob is in memory already.
    var mayFile: Bool { !settings.synchronizes && filing.withLock { $0.count < Self.filingLimit } }

    /// Writes the file of a blob that is in memory already, so that nobody has to wait for a disk.
    package func file(_ revision: UInt64, _ work: @escaping @Sendable () -> Void) {
        let done = Bell()
        filing.withLock { $0[revision] = done }
        FileQueue.later { [self] in
            work()
            filing.withLock { $0[revision] = nil }
            done.ring()
        }
    }

    /// Waits until what is to be in files by now is there, or is not to be any more, no longer than the task is wanted.
    func filed() async {
        for done in filing.withLock({ Array($0.values) }) {
            guard (try? await done.wait(after: 0)) != nil else { return }
        }
    }

    /// Where the file of a blob is, or would be; `nil` without a disk.
    package func path(_ key: BlobKey) async -> String? { await opening.value?.path(key) }

    package func usage() async -> CacheUsage {
        await filed()
        await removed()
        var usage = CacheUsage()
        (usage.memoryCount, usage.memoryBytes) = memory.withLock { ($0.count, $0.cost) }
        if let disk = await opening.value { (usage.diskCount, usage.diskBytes) = disk.usage }
        return usage
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

extension BlobStore {
    /// The blobs to visit.
    package enum Scope: Sendable {
        case all
        /// The blobs in one of the 256 folders.
        case shard(UInt8)
        case family(UInt64)

        /// The family, if the scope is a single family.
        fileprivate var onlyFamily: UInt64? {
            guard case .family(let family) = self else { return nil }
            return family
        }
    }

    /// Removes unwanted blobs, and rejects all blobs that are being written: they belong to requests sent before.
    ///
    /// - Parameter isUnwanted: Returns true for a blob to remove, given its key, its metadata and its length.
    /// - Returns: The number of removed blobs; if the task was cancelled, of those found until then.
    @discardableResult
    package func sweep(_ isUnwanted: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool) async -> Int {
        await purge(.all, where: isUnwanted)
    }

    /// Removes unwanted blobs within a scope.
    @discardableResult
    package func purge(
        _ scope: Scope, where isUnwanted: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool
    ) async -> Int {
        let family = scope.onlyFamily
        // In one critical section: a blob that is evicted from memory in between would not be recorded as changed.
        let blobs = memory.withLock { memory in
            if let family { memory.beginRemoval(family) } else { memory.beginRemoval() }
            return Self.blobs(of: scope, in: memory)
        }
        // Removed from memory at once and from the disk in order, including files still to be written, so that no older
        // file remains.
        let inMemory = Self.versions(of: blobs, where: isUnwanted)
        forget(inMemory)
        let unwanted = Mutex(Set(inMemory.map(\.key)))
        // An unreadable blob may be one of those to remove.
        let faults: Set<BlobFile.ReadError> = leavesUnreadable(scope) ? [.invalid] : [.invalid, .sealed, .busy]
        await change(of: family, isRemoval: true) { [self] disk in
            let onDisk = await found(in: scope, faults: faults, on: disk, where: isUnwanted).map(\.key)
            let keys = unwanted.withLock { unwanted in
                unwanted.formUnion(onDisk)
                return unwanted
            }
            await remove(keys, from: disk)
        }
        return unwanted.withLock { $0.count }
    }

    /// Returns true if unreadable blobs may belong to another program; within a family, the file name identifies the
    /// owner.
    private func leavesUnreadable(_ scope: Scope) -> Bool {
        if case .family = scope { return false }
        return settings.isReadOnly
    }

    /// Removes useless blobs; keeps those being written, those replaced meanwhile, and those that are only unreadable
    /// now.
    package func tidy(
        _ scope: Scope, where isUseless: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool
    ) async {
        guard await isOpened() else { return }
        let disk = await opening.value
        await removed()
        await drop(await found(in: scope, faults: [.invalid, .sealed], on: disk, where: isUseless), of: nil)
    }

    /// Removes a blob that has become useless, unless another one has replaced it; a blob being written is kept.
    package func drop(_ blob: StoredBlob) async {
        await drop([Version(key: blob.key, revision: blob.revision)], of: blob.key.group.family)
    }

    /// Passes blobs to a function, folder by folder until the task is cancelled.
    ///
    /// Corrupt blobs are removed; those of another encryption key are kept. If a slow disk delays a folder, its blobs
    /// may still be passed after a cancelled task has stopped waiting.
    package func visit(
        _ scope: Scope, body: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Void
    ) async {
        guard case .all = scope else { return await visitScope(scope, body: body) }
        for shard in UInt8.min...UInt8.max {
            guard !Task.isCancelled else { return }
            await visitScope(.shard(shard), body: body)
        }
    }

    private func visitScope(_ scope: Scope, body: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Void) async {
        guard await isOpened() else { return }
        let disk = await opening.value
        await removed()
        let damaged = await found(in: scope, faults: [.invalid], on: disk) { key, metadata, length in
            body(key, metadata, length)
            return false
        }
        await drop(damaged, of: scope.onlyFamily)
    }

    /// A blob with the revision that it had when it was visited.
    private struct Version: Sendable {
        let key: BlobKey
        /// The revision; `nil` if the blob could not be read.
        let revision: UInt64?
    }

    /// Returns the blobs in memory.
    private func blobs(inMemory scope: Scope) -> [StoredBlob] { memory.withLock { Self.blobs(of: scope, in: $0) } }

    private static func blobs(of scope: Scope, in memory: MemoryTier) -> [StoredBlob] {
        let keys =
            switch scope {
            case .all: memory.keys
            case .shard(let shard): memory.keys(ofShard: shard)
            case .family(let family): memory.keys(ofFamily: family)
            }
        return keys.compactMap { memory.peek($0) }
    }

    private static func versions(
        of blobs: [StoredBlob], where isFound: (BlobKey, [UInt8], Int64) -> Bool
    ) -> [Version] {
        blobs.filter { isFound($0.key, $0.metadata, $0.length) }.map { Version(key: $0.key, revision: $0.revision) }
    }

    /// Returns the blobs that a function selects, and those that cannot be opened because of one of the given faults.
    ///
    /// If the task is cancelled, the blobs on the disk are left out.
    private func found(
        in scope: Scope, faults: Set<BlobFile.ReadError>, on disk: DiskTier?,
        where isFound: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool
    ) async -> [Version] {
        if let disk { await settle(disk) }
        let inMemory = blobs(inMemory: scope)
        let known = Self.versions(of: inMemory, where: isFound)
        guard let disk else { return known }
        let seen = Set(inMemory.map(\.key))
        let onDisk = try? await FileQueue.runUntilCancelled {
            Self.versions(on: disk, in: scope, besides: seen, faults: faults, where: isFound)
        }
        return known + (onDisk ?? [])
    }

    /// Returns the selected blobs on the disk; this blocks.
    private static func versions(
        on disk: DiskTier, in scope: Scope, besides seen: Set<BlobKey>, faults: Set<BlobFile.ReadError>,
        where isFound: (BlobKey, [UInt8], Int64) -> Bool
    ) -> [Version] {
        let keys =
            switch scope {
            case .all: disk.keys(shard: nil)
            case .shard(let shard): disk.keys(shard: shard)
            case .family(let family): disk.keys(ofFamily: family)
            }
        return keys.compactMap { key -> Version? in
            guard !seen.contains(key) else { return nil }
            do throws(BlobFile.ReadError) {
                let (metadata, length, revision) = try disk.metadata(key)
                return isFound(key, metadata, length) ? Version(key: key, revision: revision) : nil
            } catch {
                return faults.contains(error) ? Version(key: key, revision: nil) : nil
            }
        }
    }

    /// Removes blobs, all at once, as part of a change.
    private func remove(_ keys: Set<BlobKey>, from disk: DiskTier) async {
        guard !keys.isEmpty else { return }
        memory.withLock { memory in
            for key in keys { memory.remove(key) }
        }
        await waitForFiling()
        await FileQueue.run { disk.remove(Array(keys)) }
        // A concurrent reader of a file may have restored the blob in memory.
        memory.withLock { memory in
            for key in keys { memory.remove(key) }
        }
    }

    /// Removes blobs, except those that have been replaced by now.
    private func drop(_ versions: [Version], of family: UInt64?) async {
        guard !versions.isEmpty else { return }
        forget(versions)
        await change(of: family, isRemoval: true) { [self] disk in
            // A file that is being written must be complete before its revision can be compared.
            await waitForFiling()
            await FileQueue.run {
                for version in versions { disk.remove(version.key, revision: version.revision) }
            }
            // A concurrent reader of a file may have restored the blob in memory.
            forget(versions)
        }
    }

    /// Removes blobs from memory only, except those that have been replaced by now.
    private func forget(_ versions: [Version]) {
        guard !versions.isEmpty else { return }
        memory.withLock { memory in
            for version in versions { memory.remove(version.key, revision: version.revision) }
        }
    }
}

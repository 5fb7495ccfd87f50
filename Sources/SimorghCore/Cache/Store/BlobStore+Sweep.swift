// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

extension BlobStore {
    /// Which blobs are looked at.
    package enum Scope: Sendable {
        case all
        /// Those whose files are in one of the 256 folders.
        case shard(UInt8)
        case family(UInt64)

        /// The family that alone is looked at; `nil` where there are more.
        fileprivate var onlyFamily: UInt64? {
            guard case .family(let family) = self else { return nil }
            return family
        }
    }

    /// Forgets those that are unwanted, and what is being written now, whether it would be wanted or not: the answer to a
    /// request that was sent before comes too late.
    ///
    /// - Parameter isUnwanted: Is given the name, what is kept beside the blob, and its length.
    /// - Returns: How many are forgotten; those found by then, where the task was cancelled meanwhile.
    @discardableResult
    package func sweep(_ isUnwanted: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool) async -> Int {
        await purge(.all, isUnwanted)
    }

    /// The same among some.
    @discardableResult
    package func purge(
        _ scope: Scope, _ isUnwanted: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool
    ) async -> Int {
        let family = scope.onlyFamily
        // With one look: what another pushes out of the memory in between would not be noted as changed.
        let blobs = memory.withLock { memory in
            if let family { memory.beginForgetting(family) } else { memory.beginForgetting() }
            return Self.blobs(of: scope, in: memory)
        }
        // At once, and their files in their turn: of those still to be written, so that no older ones stay there.
        let inMemory = Self.versions(of: blobs, isUnwanted)
        forget(inMemory)
        let unwanted = Mutex(Set(inMemory.map(\.key)))
        // What cannot be read now may be what is to be forgotten.
        let faults: Set<BlobFile.Fault> = leavesUnreadable(scope) ? [.useless] : [.useless, .sealed, .busy]
        await change(of: family, isRemoval: true) { [self] disk in
            let onDisk = await found(scope, faults, disk, isUnwanted).map(\.key)
            let keys = unwanted.withLock { unwanted in
                unwanted.formUnion(onDisk)
                return unwanted
            }
            await remove(keys, disk)
        }
        return unwanted.withLock { $0.count }
    }

    /// Whether what cannot be read is another program's, perhaps: of a family, the name of the file says whose it is.
    private func leavesUnreadable(_ scope: Scope) -> Bool {
        if case .family = scope { return false }
        return settings.isOnlyLooking
    }

    /// Removes what is of no use any more, and leaves what is being written, what took its place meanwhile, and what only
    /// cannot be read now.
    package func tidy(
        _ scope: Scope, _ isUseless: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool
    ) async {
        guard await isOpened() else { return }
        let disk = await opening.value
        await removed()
        await drop(await found(scope, [.useless, .sealed], disk, isUseless), of: nil)
    }

    /// Removes a blob that is of no use any more, unless another has taken its place; what is being written is kept.
    package func drop(_ blob: StoredBlob) async {
        await drop([Version(key: blob.key, revision: blob.revision)], of: blob.key.group.family)
    }

    /// Shows blobs to a function, of all of them those of one folder after the other until the task is cancelled; what is
    /// damaged is removed, and what another key may read is left.
    ///
    /// The blobs of a folder that a disk is slow to give may still be shown when a cancelled task waits no longer.
    package func look(
        at scope: Scope, _ body: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Void
    ) async {
        guard case .all = scope else { return await see(scope, body) }
        for shard in UInt8.min...UInt8.max {
            guard !Task.isCancelled else { return }
            await see(.shard(shard), body)
        }
    }

    private func see(_ scope: Scope, _ body: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Void) async {
        guard await isOpened() else { return }
        let disk = await opening.value
        await removed()
        let damaged = await found(scope, [.useless], disk) { key, metadata, length in
            body(key, metadata, length)
            return false
        }
        await drop(damaged, of: scope.onlyFamily)
    }

    /// A blob that had a name when it was looked at.
    private struct Version: Sendable {
        let key: BlobKey
        /// `nil` for one that could not be read.
        let revision: UInt64?
    }

    /// Those that are in memory.
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
        of blobs: [StoredBlob], _ isFound: (BlobKey, [UInt8], Int64) -> Bool
    ) -> [Version] {
        blobs.filter { isFound($0.key, $0.metadata, $0.length) }.map { Version(key: $0.key, revision: $0.revision) }
    }

    /// Those that a function finds, and those that cannot be opened for one of some reasons; none of the disk where the
    /// task is cancelled meanwhile.
    private func found(
        _ scope: Scope, _ faults: Set<BlobFile.Fault>, _ disk: DiskTier?,
        _ isFound: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool
    ) async -> [Version] {
        if let disk { await settle(disk) }
        let inMemory = blobs(inMemory: scope)
        let known = Self.versions(of: inMemory, isFound)
        guard let disk else { return known }
        let seen = Set(inMemory.map(\.key))
        let onDisk = try? await FileQueue.runUntilCancelled {
            Self.versions(on: disk, scope, besides: seen, faults, isFound)
        }
        return known + (onDisk ?? [])
    }

    /// This blocks.
    private static func versions(
        on disk: DiskTier, _ scope: Scope, besides seen: Set<BlobKey>, _ faults: Set<BlobFile.Fault>,
        _ isFound: (BlobKey, [UInt8], Int64) -> Bool
    ) -> [Version] {
        let keys =
            switch scope {
            case .all: disk.keys(shard: nil)
            case .shard(let shard): disk.keys(shard: shard)
            case .family(let family): disk.keys(ofFamily: family)
            }
        return keys.compactMap { key -> Version? in
            guard !seen.contains(key) else { return nil }
            do throws(BlobFile.Fault) {
                let (metadata, length, revision) = try disk.metadata(key)
                return isFound(key, metadata, length) ? Version(key: key, revision: revision) : nil
            } catch {
                return faults.contains(error) ? Version(key: key, revision: nil) : nil
            }
        }
    }

    /// Removes blobs, all at once, within a change.
    private func remove(_ keys: Set<BlobKey>, _ disk: DiskTier) async {
        guard !keys.isEmpty else { return }
        memory.withLock { memory in
            for key in keys { memory.remove(key) }
        }
        await filed()
        await FileQueue.run { disk.remove(Array(keys)) }
        // Whoever read a file meanwhile may have brought it back.
        memory.withLock { memory in
            for key in keys { memory.remove(key) }
        }
    }

    /// Removes blobs, but for those in whose place there is another by now.
    private func drop(_ versions: [Version], of family: UInt64?) async {
        guard !versions.isEmpty else { return }
        forget(versions)
        await change(of: family, isRemoval: true) { [self] disk in
            // What is on its way to a file has to be there to be told from another.
            await filed()
            await FileQueue.run {
                for version in versions { disk.remove(version.key, revision: version.revision) }
            }
            // Whoever read a file meanwhile may have brought it back.
            forget(versions)
        }
    }

    /// The same in memory alone.
    private func forget(_ versions: [Version]) {
        guard !versions.isEmpty else { return }
        memory.withLock { memory in
            for version in versions { memory.remove(version.key, revision: version.revision) }
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

extension BlobStore {
    package func remove(_ key: BlobKey) async {
        await forget(key.group.family) { _ in
            [key]
        } inMemory: {
            $0.remove(key)
        }
    }

    package func remove(_ group: BlobGroup) async {
        await forget(group.family) {
            $0.keys(of: group)
        } inMemory: {
            $0.remove($0.keys(of: group)) { $0.group == group }
        }
    }

    package func remove(family: UInt64) async {
        await forget(family) {
            $0.keys(ofFamily: family)
        } inMemory: {
            $0.remove($0.keys(ofFamily: family)) { $0.group.family == family }
        }
    }

    /// Removes blobs of a family: those being written, those in memory, and those in files.
    private func forget(
        _ family: UInt64, onDisk: @escaping @Sendable (DiskTier) -> [BlobKey], inMemory: (inout MemoryTier) -> Void
    ) async {
        // From here on, a blob of an earlier request is rejected.
        memory.withLock { memory in
            memory.beginRemoval(family)
            inMemory(&memory)
        }
        await change(of: family, isRemoval: true) { [self] disk in
            await settle(disk)
            let keys = onDisk(disk)
            guard !keys.isEmpty else { return }
            await FileQueue.run { disk.remove(keys) }
            // A concurrent reader of a file may have restored the blob in memory.
            memory.withLock { memory in
                for key in keys { memory.remove(key) }
            }
        }
    }

    /// Removes a blob that was to be replaced by another one.
    func supersede(_ key: BlobKey) async {
        memory.withLock { $0.remove(key) }
        await change(of: key.group.family, isRemoval: true) { [self] disk in
            await waitForFiling()
            await FileQueue.run { disk.remove(key) }
            memory.withLock { $0.remove(key) }
        }
    }

    package func removeAll() async {
        memory.withLock { $0.removeAll() }
        await change(of: nil, isRemoval: true) { [self] disk in
            await settle(disk)
            await FileQueue.run { disk.remove(disk.keys(shard: nil)) }
            memory.withLock { $0.removeAll() }
        }
    }

    /// Waits for files that were about to be moved into the folder when they were removed: a crash would leave them
    /// there.
    ///
    /// A cancelled task stops waiting.
    func settle(_ disk: DiskTier) async {
        await waitForFiling()
        guard !disk.isSettled else { return }
        _ = await FileQueue.runToCompletion { disk.settle() }
    }

    // MARK: Background changes

    /// Runs a change of a family, or of all blobs, on the disk; the change completes even if the task is cancelled.
    ///
    /// A cancelled task stops waiting for it, since a disk may be slow or remote. Changes run in the order of their
    /// requests. A lookup of something that is being removed waits until it is gone.
    func change(
        of family: UInt64?, isRemoval: Bool, _ work: @escaping @Sendable (DiskTier) async -> Void
    ) async {
        if opened.count > 0, await opening.value == nil { return }
        let (number, change, earlier) = changing.withLock { $0.begin(of: family, isRemoval: isRemoval) }
        Task { [self] in
            for other in earlier { _ = try? await other.done.wait(after: 0) }
            if let disk = await opening.value { await work(disk) }
            changing.withLock { $0.end(number) }
            change.done.ring()
        }
        _ = try? await change.done.wait(after: 0)
    }

    /// Returns a pending removal that affects a family.
    func removal(of family: UInt64) -> BlobChanges.Change? { changing.withLock { $0.removal(of: family) } }

    /// Waits until the removals pending now have ended; a cancelled task stops waiting.
    func removed() async {
        for removal in changing.withLock({ $0.removals }) {
            guard (try? await removal.done.wait(after: 0)) != nil else { return }
        }
    }
}

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

    /// Forgets blobs of a family: what is being written, what is in memory, what is in files.
    private func forget(
        _ family: UInt64, onDisk: @escaping @Sendable (DiskTier) -> [BlobKey], inMemory: (inout MemoryTier) -> Void
    ) async {
        // From here on, no blob of before is kept.
        memory.withLock { memory in
            memory.beginForgetting(family)
            inMemory(&memory)
        }
        await change(of: family, isRemoval: true) { [self] disk in
            await settle(disk)
            let keys = onDisk(disk)
            guard !keys.isEmpty else { return }
            await FileQueue.run { disk.remove(keys) }
            // Whoever read a file meanwhile may have brought it back.
            memory.withLock { memory in
                for key in keys { memory.remove(key) }
            }
        }
    }

    /// Forgets a blob in whose place another one was to come.
    func supersede(_ key: BlobKey) async {
        memory.withLock { $0.remove(key) }
        await change(of: key.group.family, isRemoval: true) { [self] disk in
            await filed()
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

    /// Waits for what was about to be in the folder when it was forgotten: a crash would leave it there.
    ///
    /// No longer than the task is wanted.
    func settle(_ disk: DiskTier) async {
        await filed()
        guard !disk.isSettled else { return }
        _ = await FileQueue.runToItsEnd { disk.settle() }
    }

    // MARK: Changes that go on by themselves

    /// Changes something of a family on the disk, or of all of them, to its end also where the task is cancelled.
    ///
    /// That waits for it no longer: a disk may be slow, or far away. Changes come in the order in which they were asked for,
    /// and whoever looks there for something that is being removed, waits until it is gone.
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

    /// Something of a family that is being removed.
    func removal(of family: UInt64) -> BlobChanges.Change? { changing.withLock { $0.removal(of: family) } }

    /// Waits until what is being removed by now is gone, no longer than the task is wanted.
    func removed() async {
        for removal in changing.withLock({ $0.removals }) {
            guard (try? await removal.done.wait(after: 0)) != nil else { return }
        }
    }
}

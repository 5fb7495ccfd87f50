// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

extension BlobStore {
    /// Which blobs are looked at.
    package enum Scope: Sendable {
        case all
        /// Those whose files are in one of the 256 folders.
        case shard(UInt8)
        case family(UInt64)
    }

    /// Forgets those that are unwanted, and what is being written now, whether it would be wanted or not: the answer to a
    /// request that was sent before comes too late.
    @discardableResult
    package func sweep(_ isUnwanted: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool) async -> Int {
        await purge(.all, isUnwanted)
    }

    /// The same among some.
    @discardableResult
    package func purge(
        _ scope: Scope, _ isUnwanted: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool
    ) async -> Int {
        memory.withLock { memory in
            if case .family(let family) = scope { memory.beginForgetting(family) } else { memory.beginForgetting() }
        }
        // What cannot be read now may be what is to be forgotten.
        let unwanted = await found(scope, isBusyFound: true, isUnwanted)
        await drop(unwanted)
        return unwanted.count
    }

    /// Removes what is of no use any more, and leaves what is being written, and what only cannot be read now.
    package func tidy(
        _ scope: Scope, _ isUseless: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool
    ) async {
        await drop(await found(scope, isBusyFound: false, isUseless))
    }

    /// Shows blobs to a function; what is damaged is removed.
    package func look(
        at scope: Scope, _ body: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Void
    ) async {
        await tidy(scope) { key, metadata, length in
            body(key, metadata, length)
            return false
        }
    }

    /// Those that a function finds, and those that are damaged.
    private func found(
        _ scope: Scope, isBusyFound: Bool, _ isFound: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool
    ) async -> Set<BlobKey> {
        let disk = await opening.value
        if let disk { await settle(disk) }
        let inMemory = memory.withLock { memory in
            let keys =
                switch scope {
                case .all: memory.keys
                case .shard(let shard): memory.keys(ofShard: shard)
                case .family(let family): memory.keys(ofFamily: family)
                }
            return keys.compactMap { memory.peek($0) }
        }
        var found = Set(inMemory.filter { isFound($0.key, $0.metadata, $0.length) }.map(\.key))
        guard let disk else { return found }
        let seen = Set(inMemory.map(\.key))
        found.formUnion(
            await FileQueue.run {
                let keys =
                    switch scope {
                    case .all: disk.keys(shard: nil)
                    case .shard(let shard): disk.keys(shard: shard)
                    case .family(let family): disk.keys(ofFamily: family)
                    }
                return keys.filter { key in
                    guard !seen.contains(key) else { return false }
                    do throws(BlobFile.Fault) {
                        let (metadata, length) = try disk.metadata(key)
                        return isFound(key, metadata, length)
                    } catch {
                        return error == .useless || isBusyFound
                    }
                }
            })
        return found
    }

    /// Removes blobs, all at once.
    private func drop(_ keys: Set<BlobKey>) async {
        guard !keys.isEmpty else { return }
        memory.withLock { memory in
            for key in keys { memory.remove(key) }
        }
        guard let disk = await opening.value else { return }
        await filed()
        await FileQueue.run { disk.remove(Array(keys)) }
        // Whoever read a file meanwhile may have brought it back.
        memory.withLock { memory in
            for key in keys { memory.remove(key) }
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Which blobs there are, by the families of their groups.
///
/// A family has few members, so they are looked through one by one. Families stand apart by the first byte, as the files of
/// a disk do by folders, so that a part of them can be looked at without the rest.
struct BlobIndex: Sendable {
    private var shards = [[UInt64: [BlobKey]]](repeating: [:], count: 256)

    /// The part that a family belongs to.
    private static func shard(_ family: UInt64) -> Int { Int(family >> 56) }

    /// Those of a group.
    func keys(of group: BlobGroup) -> [BlobKey] {
        let keys = keys(ofFamily: group.family)
        return keys.allSatisfy { $0.group == group } ? keys : keys.filter { $0.group == group }
    }

    /// Those of all groups of a family.
    func keys(ofFamily family: UInt64) -> [BlobKey] { shards[Self.shard(family)][family] ?? [] }

    /// Those of a part.
    func keys(ofShard shard: UInt8) -> [BlobKey] { shards[Int(shard)].values.flatMap { $0 } }

    /// Makes one the last of its family.
    mutating func insert(_ key: BlobKey) {
        func insert(_ keys: inout [BlobKey]) {
            guard keys.last != key else { return }
            keys.removeAll { $0 == key }
            keys.append(key)
        }
        insert(&shards[Self.shard(key.group.family)][key.group.family, default: []])
    }

    mutating func remove(_ key: BlobKey) {
        let (shard, family) = (Self.shard(key.group.family), key.group.family)
        shards[shard][family]?.removeAll { $0 == key }
        if shards[shard][family]?.isEmpty == true { shards[shard][family] = nil }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An index of blobs by the families of their groups.
///
/// A family has few members, so they are searched linearly. Families are sharded by their first byte, as the files are
/// by folder, so that one shard can be listed without the rest.
struct BlobIndex: Sendable {
    private var shards = [[UInt64: [BlobKey]]](repeating: [:], count: 256)

    /// Returns the shard of a family.
    private static func shard(_ family: UInt64) -> Int { Int(family >> 56) }

    /// Returns the keys of a group.
    func keys(of group: BlobGroup) -> [BlobKey] {
        let keys = keys(ofFamily: group.family)
        return keys.allSatisfy { $0.group == group } ? keys : keys.filter { $0.group == group }
    }

    /// Returns the keys of all groups of a family.
    func keys(ofFamily family: UInt64) -> [BlobKey] { shards[Self.shard(family)][family] ?? [] }

    /// Returns the keys of a shard.
    func keys(ofShard shard: UInt8) -> [BlobKey] { shards[Int(shard)].values.flatMap { $0 } }

    /// Adds a key, or moves it to the end of its family.
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

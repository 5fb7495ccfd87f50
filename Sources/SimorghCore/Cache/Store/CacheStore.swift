// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A store of blobs, which are bytes with a little metadata, in groups.
///
/// It is independent of HTTP. It returns a blob complete and unchanged, or not at all: a corrupt blob is treated as
/// missing. It may evict blobs at any time, and its methods do not fail.
public protocol CacheStore: Sendable {
    /// Returns the blobs of a group, in any order.
    ///
    /// - Parameter group: The group.
    /// - Returns: The blobs; they remain readable if the store removes them meanwhile.
    func blobs(in group: BlobGroup) async -> [StoredBlob]

    /// Begins to write a blob, which replaces one with the same key when it is complete.
    ///
    /// - Parameters:
    ///   - key: The key of the blob.
    ///   - metadata: The metadata.
    ///   - length: The expected length of the body in bytes, if known.
    ///   - moment: The moment from which the blob is valid: the blob is rejected if anything of its family was removed
    ///     since, by any method. `nil` stores it in any case.
    /// - Returns: The writer; `nil` if the store rejects the blob.
    func write(_ key: BlobKey, metadata: [UInt8], length: Int64?, since moment: CacheMoment?) async -> (
        any BlobWriter
    )?

    /// Returns the current moment of a family: see ``write(_:metadata:length:since:)``.
    ///
    /// - Parameter family: See ``BlobGroup/family``.
    /// - Returns: The moment.
    func moment(of family: UInt64) -> CacheMoment

    /// Replaces the metadata of a blob, unless another blob has replaced it.
    ///
    /// - Parameters:
    ///   - blob: The blob.
    ///   - metadata: The new metadata.
    func update(_ blob: StoredBlob, metadata: [UInt8]) async

    /// Removes a blob.
    ///
    /// - Parameter key: The key of the blob.
    func remove(_ key: BlobKey) async

    /// Removes all blobs of a group.
    ///
    /// - Parameter group: The group.
    func remove(_ group: BlobGroup) async

    /// Removes all blobs of a family.
    ///
    /// - Parameter family: See ``BlobGroup/family``.
    func remove(family: UInt64) async

    /// Removes the blobs that a function selects, and rejects those that are being written meanwhile.
    ///
    /// - Parameter isUnwanted: Returns true for a blob to remove, given its key, its metadata and its length.
    /// - Returns: The number of removed blobs; if the task was cancelled, of those found until then.
    @discardableResult
    func sweep(_ isUnwanted: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool) async -> Int

    /// Removes all blobs.
    func removeAll() async

    /// Returns the number and size of the stored blobs.
    func usage() async -> CacheUsage
}

/// A point in the logical time of a store, which advances when blobs are removed.
public struct CacheMoment: Sendable, Hashable {
    /// The number of earlier removals.
    public let number: UInt64

    /// Creates a moment.
    ///
    /// - Parameter number: The number of earlier removals.
    public init(_ number: UInt64) { self.number = number }
}

/// A writer for the body of one blob.
///
/// One task at a time uses it. If it is released before ``commit()``, nothing is stored.
public protocol BlobWriter: Sendable {
    /// Writes the next bytes.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: True if the writer accepts more bytes. If false, the previous blob with the same key is removed,
    ///   unless the task was cancelled, and the caller releases the writer.
    func write(_ bytes: Data) async -> Bool

    /// Adds the complete blob to the store.
    ///
    /// - Returns: True if it is stored; also `false` if the task was cancelled before that was known.
    @discardableResult
    func commit() async -> Bool
}

/// The number and size of the blobs in a store.
public struct CacheUsage: Sendable, Hashable {
    /// The number of blobs in memory.
    public var memoryCount = 0
    /// The size of the blobs in memory, in bytes.
    public var memoryBytes: Int64 = 0
    /// The number of blobs on the disk.
    public var diskCount = 0
    /// The size of the blobs on the disk, in bytes.
    public var diskBytes: Int64 = 0

    /// Creates the usage of an empty store.
    public init() {}
}

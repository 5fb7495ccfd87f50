// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// Keeps blobs: bytes with a few bytes beside them, in groups, for a cache above it.
///
/// It knows nothing of HTTP. What it gives back is what was given to it, whole, or nothing: a blob that is damaged is one
/// that is not there. It forgets what it likes whenever it likes, and no call of it fails.
public protocol CacheStore: Sendable {
    /// The blobs of a group, in any order.
    ///
    /// - Parameter group: The group.
    /// - Returns: The blobs; they can be read even when the store forgets them meanwhile.
    func blobs(in group: BlobGroup) async -> [StoredBlob]

    /// Begins to write a blob, which takes the place of one with the same key once it is whole.
    ///
    /// - Parameters:
    ///   - key: The blob's name.
    ///   - metadata: What is kept beside it.
    ///   - length: How many bytes will come, where that is known.
    ///   - moment: Since when the blob holds; it is not kept where something of its family, or everything, was forgotten
    ///     after that, by whatever call. `nil` keeps it in any case.
    /// - Returns: What writes it; `nil` where the store takes none.
    func write(_ key: BlobKey, metadata: [UInt8], length: Int64?, since moment: CacheMoment?) async -> (
        any BlobWriter
    )?

    /// The present moment of a family: see ``write(_:metadata:length:since:)``.
    ///
    /// - Parameter family: See ``BlobGroup/family``.
    /// - Returns: The moment.
    func moment(of family: UInt64) -> CacheMoment

    /// Changes what is kept beside a blob, unless another has taken its place.
    ///
    /// - Parameters:
    ///   - blob: The blob.
    ///   - metadata: What is kept beside it from now on.
    func update(_ blob: StoredBlob, metadata: [UInt8]) async

    /// Forgets a blob.
    ///
    /// - Parameter key: Its name.
    func remove(_ key: BlobKey) async

    /// Forgets a group.
    ///
    /// - Parameter group: The group.
    func remove(_ group: BlobGroup) async

    /// Forgets every group of a family.
    ///
    /// - Parameter family: See ``BlobGroup/family``.
    func remove(family: UInt64) async

    /// Looks at every blob, and forgets those that a function wants to, and what is being written meanwhile.
    ///
    /// - Parameter isUnwanted: Is given the name, what is kept beside the blob, and its length.
    /// - Returns: How many are forgotten; those found by then, where the task was cancelled meanwhile.
    @discardableResult
    func sweep(_ isUnwanted: @escaping @Sendable (BlobKey, [UInt8], Int64) -> Bool) async -> Int

    /// Forgets everything.
    func removeAll() async

    /// How much there is.
    func usage() async -> CacheUsage
}

/// A point in a store's own time, which goes on when it forgets something.
public struct CacheMoment: Sendable, Hashable {
    /// How often something was forgotten before.
    public let number: UInt64

    /// Creates a moment.
    ///
    /// - Parameter number: How often something was forgotten before.
    public init(_ number: UInt64) { self.number = number }
}

/// Takes the bytes of one blob.
///
/// It is used by one task at a time; one that is let go before ``commit()`` leaves nothing behind.
public protocol BlobWriter: Sendable {
    /// Takes the next bytes.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: Whether there is any use in going on; what had the name before is forgotten where there is none, unless
    ///   the task was cancelled: the writer is to be let go then.
    func write(_ bytes: Data) async -> Bool

    /// Makes the blob, which is whole now, one of the store.
    ///
    /// - Returns: Whether it is; `false`, too, where the task was cancelled before that was known.
    @discardableResult
    func commit() async -> Bool
}

/// What a store holds.
public struct CacheUsage: Sendable, Hashable {
    /// How many blobs are in memory.
    public var memoryCount = 0
    /// How many bytes they take.
    public var memoryBytes: Int64 = 0
    /// How many blobs are on the disk.
    public var diskCount = 0
    /// How many bytes they take.
    public var diskBytes: Int64 = 0

    /// Creates the usage of an empty store.
    public init() {}
}

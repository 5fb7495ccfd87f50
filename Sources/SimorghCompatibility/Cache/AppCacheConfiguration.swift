// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// The settings of an application cache: capacities, folder and time to live.
public struct AppCacheConfiguration: Sendable, Hashable {
    /// The event that starts an entry's time to live.
    public enum Expiry: Sendable, Hashable {
        /// The entry was stored.
        case fixed
        /// The entry was last used.
        case sliding
    }

    /// The largest number of bytes in memory.
    ///
    /// Default: 20 MiB.
    public var memoryCapacity = 20 * 1024 * 1024
    /// The largest number of bytes on disk.
    ///
    /// Default: 100 MiB.
    public var diskCapacity = 100 * 1024 * 1024
    /// The folder, which no other kind of cache may use.
    ///
    /// Default: `nil`, which is a folder of this user and program.
    ///
    /// The cache holds a lock on a file of the folder. On Apple platforms do not use a folder of an app group: the system
    /// ends a suspended app that holds a lock there (`0xdead10cc`).
    public var diskPath: String?
    /// The time to live of an entry.
    ///
    /// Default: 7 days.
    public var timeToLive = Duration.seconds(7 * 86_400)
    /// The event that starts the time to live.
    ///
    /// Default: the last use.
    public var expiry = Expiry.sliding
    /// The additional time for which an expired entry may be used if the server is unreachable.
    ///
    /// Default: zero.
    public var staleFallback = Duration.zero
    /// The age at which an entry expires, however often it was used.
    ///
    /// Default: 30 days.
    public var maximumAge = Duration.seconds(30 * 86_400)
    /// True to store responses with `Cache-Control: no-store`.
    ///
    /// Default: false.
    public var keepsNoStore = false
    /// The rule that keeps the entries of different users apart.
    ///
    /// Default: by the credentials of the requests.
    public var partition = CachePartition.credentials
    /// The key that encrypts the files.
    ///
    /// Default: `nil`, which writes plain files that only their owner can read.
    public var encryptionKey: CacheEncryptionKey?
    /// True to remove expired entries from disk in the background when the cache is created.
    ///
    /// Default: true.
    public var sweepsAtStart = true

    /// Creates the default configuration.
    public init() {}
}

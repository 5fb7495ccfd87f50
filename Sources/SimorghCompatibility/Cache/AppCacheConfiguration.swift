// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// How large an application's cache is, where, and for how long it keeps things.
public struct AppCacheConfiguration: Sendable, Hashable {
    /// From when on the time to live of an entry counts.
    public enum Expiry: Sendable, Hashable {
        /// From when it was kept.
        case fixed
        /// From when it was last used.
        case sliding
    }

    /// How many bytes are kept in memory; 20 MiB by default.
    public var memoryCapacity = 20 * 1024 * 1024
    /// How many bytes are kept on the disk; 100 MiB by default.
    public var diskCapacity = 100 * 1024 * 1024
    /// The folder, which no other kind of cache uses; `nil`, the default, is one of the user's and the program's own.
    public var diskPath: String?
    /// For how long an entry is used; 7 days by default.
    public var timeToLive = Duration.seconds(7 * 86_400)
    /// From when on that counts; from the last use by default.
    public var expiry = Expiry.sliding
    /// For how much longer an entry stands in for a server that cannot be reached; not at all by default.
    public var staleFallback = Duration.zero
    /// The age above which nothing is used, however often it was; 30 days by default.
    public var maximumAge = Duration.seconds(30 * 86_400)
    /// Whether answers are kept that their servers do not want to be (`Cache-Control: no-store`); off by default.
    public var keepsNoStore = false
    /// Whose entries answer whom; by the credentials of the requests by default.
    public var partition = CachePartition.credentials
    /// Encrypts the files; `nil`, the default, writes them in the clear, for their owner alone.
    public var encryptionKey: CacheEncryptionKey?
    /// Whether what is over is removed from the disk in the background when the cache is made; on by default.
    public var sweepsAtStart = true

    /// Creates the default configuration.
    public init() {}
}

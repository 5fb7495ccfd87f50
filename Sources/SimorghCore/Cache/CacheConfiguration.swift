// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Settings of an ``HTTPCache``.
public struct CacheConfiguration: Sendable, Hashable {
    /// The capacity in memory, in bytes.
    ///
    /// Default: 20 MiB.
    public var memoryCapacity: Int
    /// The capacity on the disk, in bytes; zero uses no disk.
    ///
    /// Default: 100 MiB.
    public var diskCapacity: Int
    /// The folder, which no other cache may use; `nil` uses a folder of the user and the program.
    ///
    /// Default: `nil`.
    ///
    /// The default folder is `simorgh/http/` and the program's name in `$XDG_CACHE_HOME` or `~/.cache`; on Apple
    /// platforms in `Library/Caches` of the user's, or the app's, home.
    ///
    /// The cache holds a lock on a file of the folder. On Apple platforms do not use a folder of an app group: the system
    /// ends a suspended app that holds a lock there (`0xdead10cc`).
    public var diskPath: String?
    /// The rule that separates the responses of different users.
    ///
    /// Default: by the credentials of the requests.
    public var partition = CachePartition.credentials
    /// The time for which a stale response may be used if the server is unreachable or fails.
    ///
    /// Default: zero.
    ///
    /// A longer time that the response or the request itself names (RFC 5861) counts instead. A response that forbids
    /// its use when stale is never used.
    public var staleIfError = Duration.zero
    /// True to store responses that only ``CacheStrategy/returnCacheDataElseLoad`` or similar can use.
    ///
    /// Default: false.
    ///
    /// A call with such a strategy stores its own response in any case.
    public var storesForAnyAge = false
    /// The key that encrypts the files; `nil` stores them unencrypted, readable by their owner only.
    ///
    /// Default: `nil`.
    public var encryptionKey: CacheEncryptionKey?
    /// True to fsync each file.
    ///
    /// Default: false, since a lost response is only fetched again.
    public var synchronizes = false

    /// Creates the settings.
    ///
    /// - Parameters:
    ///   - memoryCapacity: The capacity in memory, in bytes.
    ///   - diskCapacity: The capacity on the disk, in bytes; zero uses no disk.
    ///   - diskPath: The folder.
    public init(
        memoryCapacity: Int = 20 * 1024 * 1024, diskCapacity: Int = 100 * 1024 * 1024, diskPath: String? = nil
    ) {
        self.memoryCapacity = memoryCapacity
        self.diskCapacity = diskCapacity
        self.diskPath = diskPath
    }
}

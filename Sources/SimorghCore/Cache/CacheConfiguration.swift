// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How large a cache is, and where.
public struct CacheConfiguration: Sendable, Hashable {
    /// How many bytes are kept in memory; 20 MiB by default.
    public var memoryCapacity: Int
    /// How many bytes are kept on the disk; 100 MiB by default, zero uses none.
    public var diskCapacity: Int
    /// The folder, which no other cache uses; `nil`, the default, is one of the user's and the program's own.
    ///
    /// That is `simorgh/http/` and the program's name in `$XDG_CACHE_HOME` or `~/.cache`; on Apple's systems in
    /// `Library/Caches` of the user's, or the app's, home.
    public var diskPath: String?
    /// Whose responses answer whom; by the credentials of the requests by default.
    public var partition = CachePartition.credentials
    /// For how long a response that is not fresh any more is used when the server cannot be reached or fails; not at all by
    /// default, unless the response names a time itself (RFC 5861).
    ///
    /// What the server forbids is never done.
    public var staleIfError = Duration.zero
    /// Whether responses are kept that only a strategy such as ``CacheStrategy/returnCacheDataElseLoad`` can use; off by
    /// default.
    ///
    /// A call with such a strategy keeps its own in any case.
    public var keepsForAnyAge = false
    /// Encrypts the files; `nil`, the default, writes them in the clear, for their owner alone.
    public var encryptionKey: CacheEncryptionKey?
    /// Whether a file is waited for until the disk has it; off by default, as what is lost is only fetched again.
    public var synchronizes = false

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - memoryCapacity: How many bytes are kept in memory.
    ///   - diskCapacity: How many bytes are kept on the disk; zero uses none.
    ///   - diskPath: The folder.
    public init(
        memoryCapacity: Int = 20 * 1024 * 1024, diskCapacity: Int = 100 * 1024 * 1024, diskPath: String? = nil
    ) {
        self.memoryCapacity = memoryCapacity
        self.diskCapacity = diskCapacity
        self.diskPath = diskPath
    }
}

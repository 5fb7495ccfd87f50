// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh

/// The cache that persists between runs of the command.
package struct CacheFolder: Sendable, Equatable {
    /// The folder; `nil` for the user's default folder.
    package var path: String?

    /// Opens the cache for inspection: nothing is evicted, even if it exceeds the capacity or is encrypted with another
    /// key.
    ///
    /// - Throws: ``CommandError`` if another process uses the folder, or if the folder cannot be used.
    func opened() async throws(CommandError) -> HTTPCache {
        let cache = HTTPCache(lookingAt: configuration)
        guard await cache.usesDisk else {
            throw CommandError(
                .output, message: "the cache cannot be opened: another process uses it, or its folder is not writable")
        }
        return cache
    }

    /// Opens the cache on disk only, because a run is too short to benefit from memory.
    func open() -> HTTPCache { HTTPCache(configuration) }

    private var configuration: CacheConfiguration {
        var configuration = CacheConfiguration(memoryCapacity: 0, diskPath: path)
        configuration.staleIfError = .zero
        return configuration
    }
}
#endif

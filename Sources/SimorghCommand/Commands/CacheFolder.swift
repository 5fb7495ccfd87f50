// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh

/// The cache that the program keeps between its runs.
package struct CacheFolder: Sendable, Equatable {
    /// The folder; `nil` for the user's own.
    package var path: String?

    /// The cache, to be looked at: all of it stays there, however large it is, and also what only a program with its key
    /// can read.
    ///
    /// - Throws: ``CommandFailure`` where another process has its folder, or it cannot be used.
    func opened() async throws(CommandFailure) -> HTTPCache {
        let cache = HTTPCache(lookingAt: configuration)
        guard await cache.usesDisk else {
            throw CommandFailure(
                .output, "the cache cannot be opened: another program has it, or it may not be written")
        }
        return cache
    }

    /// The cache, all of it on the disk: a run is too short for anything else.
    func open() -> HTTPCache { HTTPCache(configuration) }

    private var configuration: CacheConfiguration {
        var configuration = CacheConfiguration(memoryCapacity: 0, diskPath: path)
        configuration.staleIfError = .zero
        return configuration
    }
}
#endif

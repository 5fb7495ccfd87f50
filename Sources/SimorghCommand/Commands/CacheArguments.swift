// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser

/// Where the cache is.
package struct CacheArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("The folder of the cache, instead of the user's own.", valueName: "folder"),
        completion: .directory)
    package var cachePath: String?

    package init() {}

    /// The cache that the arguments name.
    ///
    /// - Returns: The cache.
    /// - Throws: ``CommandFailure`` for a name that is none.
    package func folder() throws(CommandFailure) -> CacheFolder {
        if cachePath?.isEmpty == true { throw .usage("--cache-path takes the name of a folder") }
        return CacheFolder(path: cachePath)
    }
}

/// Where a cache is that is looked at, and how what is found is printed.
package struct CacheListingArguments: ParsableArguments {
    @OptionGroup package var place: CacheArguments

    @Flag(help: "Print objects of JSON, one on each line.")
    package var json = false

    package init() {}

    /// The cache that the arguments name.
    ///
    /// - Returns: The cache.
    /// - Throws: ``CommandFailure`` for a name that is none.
    package func folder() throws(CommandFailure) -> CacheFolder { try place.folder() }
}
#endif

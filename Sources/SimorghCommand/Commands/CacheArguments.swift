// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser

/// The argument that selects the cache folder.
package struct CacheArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("The folder of the cache. Default: a folder of the user.", valueName: "folder"),
        completion: .directory)
    package var cachePath: String?

    package init() {}

    /// Returns the cache that the arguments select.
    ///
    /// - Returns: The cache.
    /// - Throws: ``CommandError`` if the folder's name is empty.
    package func folder() throws(CommandError) -> CacheFolder {
        if cachePath?.isEmpty == true { throw .usage("--cache-path takes the name of a folder") }
        return CacheFolder(path: cachePath)
    }
}

/// The arguments of commands that list a cache: its folder and the output format.
package struct CacheListingArguments: ParsableArguments {
    @OptionGroup package var cache: CacheArguments

    @Flag(help: "Print one JSON object per line.")
    package var json = false

    package init() {}

    /// Returns the cache that the arguments select.
    ///
    /// - Returns: The cache.
    /// - Throws: ``CommandError`` if the folder's name is empty.
    package func folder() throws(CommandError) -> CacheFolder { try cache.folder() }
}
#endif

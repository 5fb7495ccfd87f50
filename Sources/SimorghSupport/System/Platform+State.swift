// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
extension Platform {
    /// The user's folder for persistent state of programs.
    package static let stateFolder = PlatformFolders.current.state(user: geteuid())
    /// The user's folder for caches of programs.
    package static let cacheFolder = PlatformFolders.current.cache(user: geteuid())
}
#else
extension Platform {
    /// The user's folder for persistent state of programs.
    package static let stateFolder = StateFolder(environment: ProcessInfo.processInfo.environment, user: geteuid())
    /// The user's folder for caches of programs.
    package static let cacheFolder = StateFolder(
        environment: ProcessInfo.processInfo.environment, user: geteuid(), variable: "XDG_CACHE_HOME", folder: "/.cache"
    )
}
#endif

extension StateFolder {
    /// Creates a folder by the XDG base directory specification; without a home folder, one in `/tmp`, which all users
    /// share.
    package init(
        environment: [String: String], user: UInt32, variable: String = "XDG_STATE_HOME",
        folder below: String = "/.local/state"
    ) {
        if let folder = environment[variable], folder.behind(first: "/") != nil {
            self.init(path: folder)
        } else if let home = environment["HOME"], home.behind(first: "/") != nil {
            self.init(path: home + below)
        } else {
            self.init(path: "/tmp/simorgh-\(user)", isInSharedFolder: true)
        }
    }
}

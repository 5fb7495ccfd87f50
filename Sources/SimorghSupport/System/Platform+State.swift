// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
extension Platform {
    /// Where a program keeps what should outlive it, for this user.
    package static let stateFolder = StateFolder(path: NSHomeDirectory() + "/Library/Caches")
    /// Where a program keeps what it can do without, for this user.
    package static let cacheFolder = stateFolder
}
#else
extension Platform {
    /// Where a program keeps what should outlive it, for this user.
    package static let stateFolder = StateFolder(environment: ProcessInfo.processInfo.environment, user: geteuid())
    /// Where a program keeps what it can do without, for this user.
    package static let cacheFolder = StateFolder(
        environment: ProcessInfo.processInfo.environment, user: geteuid(), variable: "XDG_CACHE_HOME", folder: "/.cache"
    )
}
#endif

extension StateFolder {
    /// As the XDG base directory specification has it; without a home, a folder where all may write.
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

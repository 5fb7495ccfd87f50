// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The folders that a system offers to a program, and the default folders that follow from them.
///
/// All rules are here, so that they are tested on every system; the folders themselves come from the system.
package struct PlatformFolders: Sendable, Hashable {
    package var system: Platform.System
    /// The user's home folder, or the app's container if there is one; `nil` if it is unknown.
    package var home: String?
    package var documents: String?
    package var caches: String?
    package var applicationSupport: String?
    /// True if the folders are in a container of the app's own.
    package var isSandboxed: Bool
    /// The name that separates the programs of a user in a shared folder.
    package var program: String

    /// Creates a description of a system's folders.
    ///
    /// - Parameters:
    ///   - system: The system.
    ///   - home: The home folder.
    ///   - documents: The folder of documents.
    ///   - caches: The folder of files that the system may delete while the program does not run.
    ///   - applicationSupport: The folder of files that a program needs and the user does not see.
    ///   - isSandboxed: True if these folders are in a container of the app's own.
    ///   - bundleIdentifier: The identifier of the app; `nil` for a program without a bundle.
    ///   - programName: The name of the program's file.
    package init(
        system: Platform.System, home: String?, documents: String? = nil, caches: String? = nil,
        applicationSupport: String? = nil, isSandboxed: Bool = false, bundleIdentifier: String? = nil,
        programName: String
    ) {
        self.system = system
        self.home = home
        self.documents = documents
        self.caches = caches
        self.applicationSupport = applicationSupport
        self.isSandboxed = isSandboxed
        program = bundleIdentifier ?? programName
    }

    /// The default folder of downloads; `nil` if no folder is known.
    ///
    /// It is `Documents/Downloads`, with two exceptions: an Apple TV has no writable documents folder, and on a Mac the
    /// documents of a user belong to the user, so that the system asks for permission to write there.
    package var downloads: String? {
        switch system {
        case .tvOS: Self.usable(caches).map { "\($0)/Downloads" }
        case .macOS where !isSandboxed: Self.usable(applicationSupport).map { "\($0)/\(program)/Downloads" }
        case .iOS, .macOS, .visionOS, .watchOS: Self.usable(documents).map { "\($0)/Downloads" }
        case .other: Self.usable(home).map { "\($0)/Documents/Downloads" }
        }
    }

    /// The folder for persistent state of programs on an Apple platform.
    ///
    /// Without one, a folder in `/tmp`, which all users share. Application Support is not for Apple TVs, where only
    /// caches may be written.
    ///
    /// - Parameter user: The identifier of the user.
    /// - Returns: The folder.
    package func state(user: UInt32) -> StateFolder {
        Self.folder(system == .tvOS ? caches : applicationSupport, user: user)
    }

    /// The folder for caches of programs on an Apple platform; without one, a folder in `/tmp`.
    ///
    /// - Parameter user: The identifier of the user.
    /// - Returns: The folder.
    package func cache(user: UInt32) -> StateFolder { Self.folder(caches, user: user) }

    private static func folder(_ path: String?, user: UInt32) -> StateFolder {
        usable(path).map { StateFolder(path: $0) } ?? StateFolder(path: "/tmp/simorgh-\(user)", isInSharedFolder: true)
    }

    /// Returns a folder if it is absolute and not the root, which accounts of daemons have as their home.
    private static func usable(_ path: String?) -> String? {
        guard let path, let rest = path.behind(first: "/"), !rest.isEmpty else { return nil }
        return path
    }
}

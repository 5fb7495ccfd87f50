// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !canImport(Darwin)
extension PlatformFolders {
    /// The folders of this process.
    package static var current: PlatformFolders {
        PlatformFolders(
            system: Platform.system, home: ProcessInfo.processInfo.environment["HOME"],
            programName: Platform.programName)
    }

    /// Does nothing: there is no backup that reads such an attribute.
    package static func excludeFromBackup(_ path: String) {}
}
#endif

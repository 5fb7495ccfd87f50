// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
extension PlatformFolders {
    /// The folders of this process.
    package static var current: PlatformFolders {
        PlatformFolders(
            system: Platform.system,
            home: NSHomeDirectory(),
            documents: path(of: .documentDirectory),
            caches: path(of: .cachesDirectory),
            applicationSupport: path(of: .applicationSupportDirectory),
            isSandboxed: ProcessInfo.processInfo.environment["APP_SANDBOX_CONTAINER_ID"] != nil,
            bundleIdentifier: Bundle.main.bundleIdentifier,
            programName: Platform.programName)
    }

    private static func path(of folder: FileManager.SearchPathDirectory) -> String? {
        FileManager.default.urls(for: folder, in: .userDomainMask).first?.path
    }

    /// Excludes a folder and its contents from backups of the device.
    package static func excludeFromBackup(_ path: String) {
        var url = URL(filePath: path)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        // A file system without this attribute is not backed up.
        try? url.setResourceValues(values)
    }
}
#endif

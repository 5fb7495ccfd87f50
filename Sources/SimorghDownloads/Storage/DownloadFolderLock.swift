// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Keeps a folder for one manager of one process, as long as it lives.
package final class DownloadFolderLock: Sendable {
    private let lock: FileLock
    private let folder: String

    /// Takes a folder, which is made if it is not there.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: ``DownloadError/directoryInUse(_:)`` where somebody has it.
    package init(_ folder: String) throws(DownloadError) {
        self.folder = folder
        while true {
            try DownloadDisk.makeFolder(folder)
            if let lock = try Self.take(folder) {
                self.lock = lock
                return
            }
        }
    }

    /// - Returns: The lock; `nil` where the one before removed the file meanwhile, and it has to be made anew.
    private static func take(_ folder: String) throws(DownloadError) -> FileLock? {
        let path = folder + "/.lock"
        do throws(FileLock.Refusal) {
            return try FileLock(path)
        } catch {
            switch error {
            case .taken: throw DownloadError.directoryInUse(folder)
            case .moved, .unopened(ENOENT): return nil
            case .unopened(let code):
                errno = code
                throw DownloadDisk.failure("open", path)
            case .unlocked(let code):
                errno = code
                throw DownloadDisk.failure("lock", path)
            }
        }
    }

    /// Gives the folder to the next.
    ///
    /// - Parameter removingFolder: Whether the folder goes where nothing else is in it.
    package func release(removingFolder: Bool = false) {
        let wasHeld = lock.release(removing: removingFolder && isEmpty(folder))
        if wasHeld, removingFolder { DownloadDisk.removeFolder(folder) }
    }

    private func isEmpty(_ folder: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) == [".lock"]
    }
}

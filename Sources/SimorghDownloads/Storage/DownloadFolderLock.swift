// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A lock that reserves a folder for one manager of one process, as long as the lock exists.
package final class DownloadFolderLock: Sendable {
    private let lock: FileLock
    private let folder: String

    /// Locks a folder, which is created if it does not exist.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: ``DownloadError/directoryInUse(_:)`` if another manager holds the lock.
    package init(_ folder: String) throws(DownloadError) {
        self.folder = folder
        while true {
            try DownloadFileSystem.makeFolder(folder)
            if let lock = try Self.take(folder) {
                self.lock = lock
                return
            }
        }
    }

    /// - Returns: The lock; `nil` if the previous owner removed the file in the meantime, so that it must be created
    ///   again.
    private static func take(_ folder: String) throws(DownloadError) -> FileLock? {
        let path = folder + "/.lock"
        do throws(FileLock.LockError) {
            return try FileLock(path)
        } catch {
            switch error {
            case .held: throw DownloadError.directoryInUse(folder)
            case .replaced, .openFailed(ENOENT): return nil
            case .openFailed(let code):
                errno = code
                throw DownloadFileSystem.failure("open", at: path)
            case .lockFailed(let code):
                errno = code
                throw DownloadFileSystem.failure("lock", at: path)
            }
        }
    }

    /// Releases the folder for other managers.
    ///
    /// - Parameter removingFolder: True to remove the folder if it is empty.
    package func release(removingFolder: Bool = false) {
        let wasHeld = lock.release(removing: removingFolder && isEmpty(folder))
        if wasHeld, removingFolder { DownloadFileSystem.removeFolder(folder) }
    }

    private func isEmpty(_ folder: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) == [".lock"]
    }
}

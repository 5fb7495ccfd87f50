// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Keeps a folder for one manager of one process, as long as it lives.
package final class DownloadFolderLock: Sendable {
    private let descriptor: Int32
    private let folder: String
    private let isReleased = Atomic(false)

    /// Takes a folder, which is made if it is not there.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: ``DownloadError/directoryInUse(_:)`` where somebody has it.
    package init(_ folder: String) throws(DownloadError) {
        self.folder = folder
        while true {
            try DownloadDisk.makeFolder(folder)
            if let descriptor = try Self.take(folder) {
                self.descriptor = descriptor
                return
            }
        }
    }

    /// - Returns: The descriptor; `nil` where the one before removed the file meanwhile, and it has to be made anew.
    private static func take(_ folder: String) throws(DownloadError) -> Int32? {
        let path = folder + "/.lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw DownloadDisk.failure("open", path)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno == EWOULDBLOCK ? DownloadError.directoryInUse(folder) : DownloadDisk.failure("lock", path)
            close(descriptor)
            throw error
        }
        var (held, named) = (stat(), stat())
        guard fstat(descriptor, &held) == 0, lstat(path, &named) == 0, held.st_ino == named.st_ino else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Gives the folder to the next.
    ///
    /// - Parameter removingFolder: Whether the folder goes where nothing else is in it.
    package func release(removingFolder: Bool = false) {
        guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // While it is held, so that nobody takes what is going.
        if removingFolder, isEmpty(folder) { unlink(folder + "/.lock") }
        // Not by closing it alone: a child that is being started holds a copy for a moment.
        flock(descriptor, LOCK_UN)
        close(descriptor)
        if removingFolder { DownloadDisk.removeFolder(folder) }
    }

    private func isEmpty(_ folder: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) == [".lock"]
    }

    deinit { release() }
}

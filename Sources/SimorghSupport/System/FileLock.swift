// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A lock file, which gives one owner in one process exclusive access to a folder until it is released.
///
/// The methods block.
package final class FileLock: Sendable {
    /// The reason why the lock cannot be acquired.
    package enum LockError: Error, Equatable {
        /// Another owner holds it, in this process or another.
        case held
        /// The file was deleted while it was being locked; a new attempt may succeed.
        case replaced
        /// The file cannot be opened; with the `errno` value.
        case openFailed(CInt)
        /// The file cannot be locked; with the `errno` value.
        case lockFailed(CInt)
    }

    private let path: String
    private let descriptor: CInt
    private let isReleased = Atomic(false)

    /// Acquires the lock, and creates its file if necessary; the folder must exist.
    ///
    /// - Parameter path: The file.
    /// - Throws: The reason why the lock cannot be acquired.
    package init(_ path: String) throws(LockError) {
        guard !path.utf8.contains(0) else { throw LockError.openFailed(EINVAL) }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw LockError.openFailed(errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw code == EWOULDBLOCK ? LockError.held : LockError.lockFailed(code)
        }
        guard Self.isFile(descriptor, at: path) else {
            flock(descriptor, LOCK_UN)
            close(descriptor)
            throw LockError.replaced
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { release() }

    /// True if the file still exists: after it is deleted, another owner can acquire a lock at the same path.
    package var isHeld: Bool { !isReleased.load(ordering: .acquiring) && Self.isFile(descriptor, at: path) }

    /// Releases the lock; does nothing if it was released before.
    ///
    /// - Parameter removing: True to delete the file, if it still belongs to this lock.
    /// - Returns: True if the lock was held until now.
    @discardableResult
    package func release(removing: Bool = false) -> Bool {
        guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        // Deleted while it is locked, so that no other owner acquires the deleted file.
        if removing, Self.isFile(descriptor, at: path) { unlink(path) }
        // Closing is not sufficient: a child process that is being started briefly holds a copy of the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
        return true
    }

    private static func isFile(_ descriptor: CInt, at path: String) -> Bool {
        var (openFile, named) = (stat(), stat())
        return fstat(descriptor, &openFile) == 0 && lstat(path, &named) == 0 && openFile.st_ino == named.st_ino
            && openFile.st_dev == named.st_dev
    }
}

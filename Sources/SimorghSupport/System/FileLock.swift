// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A file that says who a folder belongs to: one owner of one process has it, as long as this lives.
///
/// Its calls block.
package final class FileLock: Sendable {
    /// Why it cannot be had.
    package enum Refusal: Error, Equatable {
        /// Somebody else has it, in this process or another.
        case taken
        /// Somebody removed the file just when it was taken; a new one may be had.
        case moved
        /// What the system says when the file is opened.
        case unopened(CInt)
        /// What the system says when it is locked.
        case unlocked(CInt)
    }

    private let path: String
    private let descriptor: CInt
    private let isReleased = Atomic(false)

    /// Takes a file, which is made if it is not there; its folder must be.
    ///
    /// - Parameter path: The file.
    /// - Throws: Why it cannot be had.
    package init(_ path: String) throws(Refusal) {
        guard !path.utf8.contains(0) else { throw Refusal.unopened(EINVAL) }
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Refusal.unopened(errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw code == EWOULDBLOCK ? Refusal.taken : Refusal.unlocked(code)
        }
        guard Self.isFile(descriptor, at: path) else {
            flock(descriptor, LOCK_UN)
            close(descriptor)
            throw Refusal.moved
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { release() }

    /// Whether the file is still this one: who removes it lets somebody else in.
    package var isOurs: Bool { !isReleased.load(ordering: .acquiring) && Self.isFile(descriptor, at: path) }

    /// Gives it to the next; a second time does nothing.
    ///
    /// - Parameter removing: Whether the file goes, if it is still this one.
    /// - Returns: Whether it was held until now.
    @discardableResult
    package func release(removing: Bool = false) -> Bool {
        guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        // While it is held, so that nobody takes what is going.
        if removing, Self.isFile(descriptor, at: path) { unlink(path) }
        // Not by closing it alone: a child that is being started holds a copy for a moment.
        flock(descriptor, LOCK_UN)
        close(descriptor)
        return true
    }

    private static func isFile(_ descriptor: CInt, at path: String) -> Bool {
        var (held, named) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0 && held.st_ino == named.st_ino
            && held.st_dev == named.st_dev
    }
}

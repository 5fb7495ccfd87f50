// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A lock on a folder for the time of one write, shared by all processes; the initializer blocks.
///
/// It prevents lost updates only: a file is valid without it, because it is replaced as a whole. So a folder that cannot
/// be locked, or is locked for longer than two seconds, is used without a lock.
struct FolderLock: Sendable {
    private static let attempts = 200
    private static let microseconds: UInt32 = 10_000

    private let descriptor: CInt

    init?(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        for _ in 0..<Self.attempts {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                self.descriptor = descriptor
                return
            }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            usleep(Self.microseconds)
        }
        close(descriptor)
        return nil
    }

    func release() {
        // Closing is not sufficient: a child process that is being started briefly holds a copy of the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Opens internal files, which only this user may read; symbolic links are not followed.
enum FileOpening {
    /// - Returns: The descriptor; negative if there is no such file.
    static func existing(_ path: String) -> Int32 { open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) }

    /// - Returns: The descriptor; negative if the file exists.
    static func new(_ path: String) -> Int32 { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
}

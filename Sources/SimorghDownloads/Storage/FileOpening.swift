// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Opens files of ours, which nobody else may read; a link is not followed.
enum FileOpening {
    /// - Returns: The descriptor; less than zero where there is no such file.
    static func existing(_ path: String) -> Int32 { open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) }

    /// - Returns: The descriptor; less than zero where there is one already.
    static func new(_ path: String) -> Int32 { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

#if !canImport(Darwin)
import CSimorghNetlink

/// What each system calls differently.
package enum FileSync {
    /// Sees to it that a file's bytes outlive a power cut.
    package static func data(_ descriptor: Int32) -> Bool { fdatasync(descriptor) == 0 }

    /// Sees to it that all that was written to the disk of an open file outlives a power cut.
    package static func disk(_ descriptor: Int32) -> Bool { simorgh_sync_disk(descriptor) == 0 }

    /// Names the time since the machine came up; no other has the same.
    package static let boot: String =
        FileBytes.prefix(of: "/proc/sys/kernel/random/boot_id", upTo: 64)
        .map { String(decoding: $0, as: UTF8.self) } ?? "\(UInt64.random(in: .min ... .max))"

    /// What names the memory that holds a file's unsynced bytes: this machine since it came up, the disk, and where it is mounted.
    ///
    /// - Returns: The name; `nil` for a file system whose bytes another machine or process keeps.
    package static func marker(_ descriptor: Int32) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, simorgh_is_local(descriptor) != 0 else { return nil }
        let facts = FileBytes.prefix(of: "/proc/self/fdinfo/\(descriptor)", upTo: 256) ?? []
        let mount = String(decoding: facts, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("mnt_id:") }
        return "\(boot) \(status.st_dev) \(mount?.filter(\.isNumber) ?? "")"
    }

    /// Takes room for a file; `errno` says why not.
    package static func reserve(_ descriptor: Int32, _ length: Int64) -> Bool {
        simorgh_fallocate(descriptor, length) == 0
    }

    /// Renames a file unless something has the new name; `errno` says why not.
    package static func rename(_ old: String, toFree new: String) -> Bool { simorgh_rename_to_free(old, new) == 0 }
}
#endif

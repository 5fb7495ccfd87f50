// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

#if !canImport(Darwin)
import CSimorghNetlink

/// File operations that differ between systems.
package enum FileSync {
    /// Fsyncs a file, so that its bytes survive a power failure.
    package static func data(_ descriptor: Int32) -> Bool { fdatasync(descriptor) == 0 }

    /// Syncs the disk of an open file, so that all writes survive a power failure.
    package static func disk(_ descriptor: Int32) -> Bool { simorgh_sync_disk(descriptor) == 0 }

    /// A unique identifier of the time since the machine was started.
    package static let boot: String =
        FileBytes.prefix(of: "/proc/sys/kernel/random/boot_id", upTo: 64)
        .map { String(decoding: $0, as: UTF8.self) } ?? "\(UInt64.random(in: .min ... .max))"

    /// Returns an identifier of the page cache that holds a file's unsynced bytes: this boot of the machine, the disk
    /// and the mount.
    ///
    /// - Returns: The identifier; `nil` for a file system whose bytes another machine or process caches.
    package static func marker(_ descriptor: Int32) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, simorgh_is_local(descriptor) != 0 else { return nil }
        let facts = FileBytes.prefix(of: "/proc/self/fdinfo/\(descriptor)", upTo: 256) ?? []
        let mount = String(decoding: facts, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("mnt_id:") }
        return "\(boot) \(status.st_dev) \(mount?.filter(\.isNumber) ?? "")"
    }

    /// Preallocates disk space for a file; on failure `errno` holds the reason.
    package static func reserve(_ descriptor: Int32, length: Int64) -> Bool {
        simorgh_fallocate(descriptor, length) == 0
    }

    /// Renames a file unless the new name exists; on failure `errno` holds the reason.
    package static func rename(_ old: String, toFree new: String) -> Bool { simorgh_rename_to_free(old, new) == 0 }
}
#endif

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Darwin

/// File operations that differ between systems.
package enum FileSync {
    /// Fsyncs a file, so that its bytes survive a power failure.
    package static func data(_ descriptor: Int32) -> Bool {
        fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0
    }

    /// Syncs the disk of an open file, so that all writes survive a power failure.
    package static func disk(_ descriptor: Int32) -> Bool {
        fsync_volume_np(descriptor, Int32(SYNC_VOLUME_FULLSYNC | SYNC_VOLUME_WAIT)) == 0
    }

    /// A unique identifier of the time since the machine was started.
    package static let boot: String = {
        var size = 0
        guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0 else {
            return "\(UInt64.random(in: .min ... .max))"
        }
        var bytes = [UInt8](repeating: 0, count: size)
        sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }()

    /// Returns an identifier of the page cache that holds a file's unsynced bytes: this boot of the machine, and the
    /// disk.
    ///
    /// - Returns: The identifier; `nil` for a file system whose bytes another machine caches.
    package static func marker(_ descriptor: Int32) -> String? {
        var system = statfs()
        guard fstatfs(descriptor, &system) == 0, system.f_flags & UInt32(MNT_LOCAL) != 0 else { return nil }
        return "\(boot) \(system.f_fsid.val.0) \(system.f_fsid.val.1)"
    }

    /// Preallocates disk space for a file; on failure `errno` holds the reason.
    package static func reserve(_ descriptor: Int32, length: Int64) -> Bool {
        var store = fstore_t(
            fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: length,
            fst_bytesalloc: 0)
        return fcntl(descriptor, F_PREALLOCATE, &store) != -1
    }

    /// Renames a file unless the new name exists; on failure `errno` holds the reason.
    package static func rename(_ old: String, toFree new: String) -> Bool {
        renamex_np(old, new, UInt32(RENAME_EXCL)) == 0
    }
}
#endif

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Darwin

/// What each system calls differently.
package enum FileSync {
    /// Sees to it that a file's bytes outlive a power cut.
    package static func data(_ descriptor: Int32) -> Bool {
        fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0
    }

    /// Sees to it that all that was written to the disk of an open file outlives a power cut, of which the system tells nothing.
    package static func disk(_ descriptor: Int32) -> Bool {
        sync()
        return true
    }

    /// Names the time since the machine came up; no other has the same.
    package static let boot: String = {
        var size = 0
        guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0 else {
            return "\(UInt64.random(in: .min ... .max))"
        }
        var bytes = [UInt8](repeating: 0, count: size)
        sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }()

    /// What names the memory that holds a file's unsynced bytes: this machine since it came up, and the disk.
    ///
    /// - Returns: The name; `nil` for a file system whose bytes another machine keeps.
    package static func marker(_ descriptor: Int32) -> String? {
        var system = statfs()
        guard fstatfs(descriptor, &system) == 0, system.f_flags & UInt32(MNT_LOCAL) != 0 else { return nil }
        return "\(boot) \(system.f_fsid.val.0) \(system.f_fsid.val.1)"
    }

    /// Takes room for a file; `errno` says why not.
    package static func reserve(_ descriptor: Int32, _ length: Int64) -> Bool {
        var store = fstore_t(
            fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: length,
            fst_bytesalloc: 0)
        return fcntl(descriptor, F_PREALLOCATE, &store) != -1
    }

    /// Renames a file unless something has the new name; `errno` says why not.
    package static func rename(_ old: String, toFree new: String) -> Bool {
        renamex_np(old, new, UInt32(RENAME_EXCL)) == 0
    }
}
#endif

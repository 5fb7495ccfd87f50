// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The calls for files that Swift's view of the C library lacks. Each returns -1 and sets errno where it fails.

#ifndef C_SIMORGH_FILES_H
#define C_SIMORGH_FILES_H

#if defined(__linux__)

// Not fcntl.h: what it declares of stat(2) would then seem to be this module's.
#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/// Takes room for a file without writing it, and makes it so long.
///
/// Not posix_fallocate, which writes zeros where the file system cannot.
static inline int simorgh_fallocate(int fd, int64_t length) {
#if defined(__LP64__)
    return (int)syscall(SYS_fallocate, fd, 0, (int64_t)0, length);
#else
    errno = EOPNOTSUPP;
    return -1;
#endif
}

/// Whether the kernel itself keeps a file's bytes: 0 for what is over a network, or in another process.
static inline int simorgh_is_local(int fd) {
    struct statfs system;
    if (fstatfs(fd, &system) != 0) return 0;
    switch ((uint32_t)system.f_type) {
    case 0x6969:      /* NFS */
    case 0x517B:      /* SMB */
    case 0xFF534D42:  /* CIFS */
    case 0xFE534D42:  /* SMB2 */
    case 0x65735546:  /* FUSE */
    case 0x01021997:  /* 9P */
    case 0x00C36400:  /* Ceph */
    case 0x5346414F:  /* AFS */
        return 0;
    default:
        return 1;
    }
}

/// Sees to it that all that was written to the disk of an open file outlives a power cut.
static inline int simorgh_sync_disk(int fd) { return (int)syscall(SYS_syncfs, fd); }

/// Renames a file, unless something has the new name.
static inline int simorgh_rename_to_free(const char *old, const char *new_name) {
#if defined(SYS_renameat2)
    return (int)syscall(SYS_renameat2, -100 /* AT_FDCWD */, old, -100, new_name, 1 /* RENAME_NOREPLACE */);
#else
    errno = ENOSYS;
    return -1;
#endif
}

#endif
#endif

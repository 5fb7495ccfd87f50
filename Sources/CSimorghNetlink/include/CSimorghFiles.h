// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// File system calls that Swift's C library overlay lacks. Each returns -1 and sets errno on failure.

#ifndef C_SIMORGH_FILES_H
#define C_SIMORGH_FILES_H

#if defined(__linux__)

// Not fcntl.h: its declarations for stat(2) would then seem to belong to this module.
#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/// Allocates disk space for a file without writing to it, and extends the file to that length.
///
/// Not posix_fallocate, which writes zeros if the file system does not support the operation.
static inline int simorgh_fallocate(int fd, int64_t length) {
#if defined(__LP64__)
    return (int)syscall(SYS_fallocate, fd, 0, (int64_t)0, length);
#else
    errno = EOPNOTSUPP;
    return -1;
#endif
}

/// Returns 1 if the kernel itself stores a file's bytes; 0 for network file systems and FUSE.
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

/// Flushes the whole file system of an open file to disk, so that all writes survive a power failure.
static inline int simorgh_sync_disk(int fd) { return (int)syscall(SYS_syncfs, fd); }

/// Renames a file, unless the new name exists.
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

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The shape of Darwin's C library, as far as the core uses it: what is the same in C. For type-checking; nothing is linked.
typedef __SIZE_TYPE__ size_t;
typedef long long off_t;
typedef unsigned short mode_t;

struct timespec {
    long tv_sec;
    long tv_nsec;
};

struct stat {
    mode_t st_mode;
    unsigned long long st_ino;
    unsigned int st_uid;
    off_t st_size;
    struct timespec st_mtimespec;
};

struct in_addr { unsigned int s_addr; };
struct in6_addr { unsigned char bytes[16]; };

typedef unsigned int socklen_t;
struct sockaddr {
    unsigned char sa_len;
    unsigned char sa_family;
    char sa_data[14];
};
struct ifaddrs {
    struct ifaddrs *ifa_next;
    char *ifa_name;
    unsigned int ifa_flags;
    struct sockaddr *ifa_addr;
};

int stat(const char *path, struct stat *status);
int fstat(int file, struct stat *status);
int lstat(const char *path, struct stat *status);
int access(const char *path, int mode);
int close(int file);
int unlink(const char *path);
int rename(const char *from, const char *to);
int mkdir(const char *path, mode_t mode);
int chmod(const char *path, mode_t mode);
int fchmod(int file, mode_t mode);
int fsync(int file);
int getpid(void);
unsigned int geteuid(void);
long read(int file, void *buffer, size_t count);
long pread(int file, void *buffer, size_t count, off_t offset);
long write(int file, const void *buffer, size_t count);
char *strerror(int code);
void *memchr(const void *bytes, int byte, size_t count);
int memcmp(const void *left, const void *right, size_t count);
int inet_pton(int family, const char *text, void *address);
const char *inet_ntop(int family, const void *address, char *text, unsigned int size);
int getifaddrs(struct ifaddrs **list);
void freeifaddrs(struct ifaddrs *list);

#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EACCES 13
#define EEXIST 17
#define F_OK 0
#define R_OK 4
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_NONBLOCK 0x0004
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define O_NOFOLLOW 0x0100
#define AF_INET 2
#define AF_INET6 30

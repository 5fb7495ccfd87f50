// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of Darwin's C library: the declarations that the core uses and that are the same in C. For type-checking; it is not linked.
typedef __SIZE_TYPE__ size_t;
typedef long long off_t;
typedef unsigned short mode_t;

struct timespec {
    long tv_sec;
    long tv_nsec;
};

struct stat {
    int st_dev;
    mode_t st_mode;
    unsigned short st_nlink;
    unsigned long long st_ino;
    unsigned int st_uid;
    struct timespec st_mtimespec;
    off_t st_size;
    long long st_blocks;
};
struct iovec {
    void *iov_base;
    size_t iov_len;
};
struct statvfs {
    unsigned long f_bsize;
    unsigned long f_frsize;
    unsigned int f_bavail;
};
typedef struct fsid {
    int val[2];
} fsid_t;
struct statfs {
    fsid_t f_fsid;
    unsigned int f_flags;
};
typedef struct fstore {
    unsigned int fst_flags;
    int fst_posmode;
    off_t fst_offset;
    off_t fst_length;
    off_t fst_bytesalloc;
} fstore_t;
struct dirent {
    unsigned long long d_ino;
    unsigned char d_type;
    char d_name[1024];
};
typedef struct dirstream DIR;

struct in_addr { unsigned int s_addr; };
struct in6_addr { unsigned char bytes[16]; };

typedef unsigned int socklen_t;
typedef unsigned char sa_family_t;
struct sockaddr {
    unsigned char sa_len;
    unsigned char sa_family;
    char sa_data[14];
};
struct sockaddr_in {
    unsigned char sin_len;
    sa_family_t sin_family;
    unsigned short sin_port;
    struct in_addr sin_addr;
    char sin_zero[8];
};
struct sockaddr_in6 {
    unsigned char sin6_len;
    unsigned char sin6_family;
    unsigned short sin6_port;
    unsigned int sin6_flowinfo;
    struct in6_addr sin6_addr;
    unsigned int sin6_scope_id;
};
struct addrinfo {
    int ai_flags;
    int ai_family;
    int ai_socktype;
    int ai_protocol;
    socklen_t ai_addrlen;
    char *ai_canonname;
    struct sockaddr *ai_addr;
    struct addrinfo *ai_next;
};
struct tcp_connection_info {
    unsigned char tcpi_state;
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
int fstatat(int folder, const char *path, struct stat *status, int flags);
int statvfs(const char *path, struct statvfs *status);
int fstatfs(int file, struct statfs *status);
int ftruncate(int file, off_t length);
int futimens(int file, const struct timespec times[2]);
int flock(int file, int operation);
int link(const char *from, const char *to);
int rmdir(const char *path);
int renamex_np(const char *from, const char *to, unsigned int flags);
int sysctlbyname(const char *name, void *old, size_t *length, void *new, size_t count);
/* https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/unistd.h */
int fsync_volume_np(int file, int flags);
#define SYNC_VOLUME_FULLSYNC 0x01
#define SYNC_VOLUME_WAIT 0x02
DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);
int dirfd(DIR *folder);
size_t strlen(const char *text);
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
long preadv(int file, const struct iovec *parts, int count, off_t offset);
void *malloc(size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);
long pwrite(int file, const void *buffer, size_t count, off_t offset);
long pwritev(int file, const struct iovec *parts, int count, off_t offset);
long write(int file, const void *buffer, size_t count);
char *strerror(int code);
void *memchr(const void *bytes, int byte, size_t count);
int memcmp(const void *left, const void *right, size_t count);
int inet_pton(int family, const char *text, void *address);
const char *inet_ntop(int family, const void *address, char *text, unsigned int size);
// developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/socket.2.html
int socket(int domain, int type, int protocol);
// developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/connect.2.html
int connect(int socket, const struct sockaddr *address, socklen_t address_len);
// developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getsockname.2.html
int getsockname(int socket, struct sockaddr *address, socklen_t *address_len);
int getifaddrs(struct ifaddrs **list);
void freeifaddrs(struct ifaddrs *list);
int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **list);
void freeaddrinfo(struct addrinfo *list);
const char *gai_strerror(int code);
int bind(int socket, const struct sockaddr *address, socklen_t length);
int listen(int socket, int backlog);
// developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/accept.2.html
int accept(int socket, struct sockaddr *address, socklen_t *address_len);
// developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/recv.2.html
long recv(int socket, void *buffer, size_t length, int flags);
// developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/shutdown.2.html
int shutdown(int socket, int how);
#define SHUT_WR 1
// developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/setsockopt.2.html
int setsockopt(int socket, int level, int option_name, const void *option_value, socklen_t option_len);
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
// developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/pipe.2.html
int pipe(int descriptors[2]);
unsigned int if_nametoindex(const char *name);
int gethostname(char *name, size_t length);
// developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/confstr.3.html
size_t confstr(int name, char *buffer, size_t length);
#define _CS_DARWIN_USER_TEMP_DIR 65537
#define PATH_MAX 1024

struct pollfd {
    int fd;
    short events;
    short revents;
};
int poll(struct pollfd *descriptors, unsigned int count, int milliseconds);
#define POLLOUT 0x0004
#define POLLIN 0x0001
typedef unsigned int nfds_t;
int usleep(unsigned int microseconds);

#define EPERM 1
#define ENOENT 2
#define EBADF 9
#define EADDRINUSE 48
#define EADDRNOTAVAIL 49
#define ENETDOWN 50
#define ENETUNREACH 51
#define ENETRESET 52
#define ECONNABORTED 53
#define ECONNRESET 54
#define ENOBUFS 55
#define ENOTCONN 57
#define ETIMEDOUT 60
#define ECONNREFUSED 61
#define EHOSTDOWN 64
#define EHOSTUNREACH 65
#define EIO 5
#define EINVAL 22
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define EINTR 4
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define ELOOP 62
#define ENXIO 6
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define ENAMETOOLONG 63
#define EXDEV 18
#define ENFILE 23
#define EMFILE 24
#define ENOSPC 28
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK 35
#define EDQUOT 69
#define F_OK 0
#define R_OK 4
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_APPEND 0x0008
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define O_NOFOLLOW 0x0100
#define AT_SYMLINK_NOFOLLOW 0x0020
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
#define F_SETFL 4
#define F_GETFL 3
#define F_SETNOSIGPIPE 73
#define F_PREALLOCATE 42
#define F_FULLFSYNC 51
#define F_ALLOCATEALL 0x00000004
#define F_PEOFPOSMODE 3
#define MNT_LOCAL 0x00001000
#define RENAME_EXCL 0x00000004
#define AF_UNSPEC 0
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define IPPROTO_TCP 6
#define F_SETFD 2
#define FD_CLOEXEC 1
#define SOCK_DGRAM 2

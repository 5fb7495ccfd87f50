// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// What of Darwin's C library Swift cannot say itself: a type and a function of one name.
struct stat {
    unsigned short st_mode;
    long long st_size;
};
int stat(const char *path, struct stat *status);

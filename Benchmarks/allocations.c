// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// Preloaded into a program on Linux: counts the allocated blocks and bytes, and prints them at its end.

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong blocks, bytes;

static void count(size_t size) {
    atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

void *malloc(size_t size) {
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    count(size);
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    void *found = memalign(alignment, size);
    if (!found) return ENOMEM;
    *block = found;
    return 0;
}

__attribute__((destructor)) static void report(void) {
    fprintf(stderr, "allocations: %lu bytes: %lu\n", atomic_load(&blocks), atomic_load(&bytes));
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#ifndef CSIMORGHZLIB_H
#define CSIMORGHZLIB_H

#include <zlib.h>

// zlib's initializers are macros, which Swift cannot call.
static inline int simorgh_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

static inline int simorgh_deflate_init(z_stream *stream, int window_bits) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

#endif

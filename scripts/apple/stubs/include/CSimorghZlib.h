// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of CSimorghZlib with the declarations of zlib that the libraries use, for type-checking; it is not linked.
typedef struct z_stream_s {
    unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *zalloc;
    void *zfree;
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} z_stream;
#define Z_NO_FLUSH 0
#define Z_SYNC_FLUSH 2
#define Z_OK 0
#define Z_STREAM_END 1
#define Z_MEM_ERROR (-4)
#define Z_BUF_ERROR (-5)
int deflate(z_stream *stream, int flush);
int deflateEnd(z_stream *stream);
int deflateReset(z_stream *stream);
int inflate(z_stream *stream, int flush);
int inflateEnd(z_stream *stream);
int inflateReset(z_stream *stream);
int simorgh_inflate_init(z_stream *stream, int window_bits);
int simorgh_deflate_init(z_stream *stream, int window_bits);

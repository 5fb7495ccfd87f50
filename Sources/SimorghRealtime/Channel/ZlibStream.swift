// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import CSimorghZlib

/// The owner of a zlib stream.
///
/// zlib keeps a pointer to it, so the stream has a fixed address; it ends with this value.
package struct ZlibStream: ~Copyable {
    package let pointer: UnsafeMutablePointer<z_stream>
    private let end: (UnsafeMutablePointer<z_stream>) -> Void

    /// Creates a stream that compresses; `nil` if there is not enough memory.
    package static func deflating(windowBits: Int) -> ZlibStream? {
        ZlibStream({ simorgh_deflate_init($0, CInt(windowBits)) }, end: { _ = deflateEnd($0) })
    }

    /// Creates a stream that decompresses; `nil` if there is not enough memory.
    package static func inflating(windowBits: Int) -> ZlibStream? {
        ZlibStream({ simorgh_inflate_init($0, CInt(windowBits)) }, end: { _ = inflateEnd($0) })
    }

    private init?(
        _ begin: (UnsafeMutablePointer<z_stream>) -> CInt, end: @escaping (UnsafeMutablePointer<z_stream>) -> Void
    ) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard begin(stream) == Z_OK else {
            stream.deallocate()
            return nil
        }
        pointer = stream
        self.end = end
    }

    deinit {
        end(pointer)
        pointer.deallocate()
    }
}

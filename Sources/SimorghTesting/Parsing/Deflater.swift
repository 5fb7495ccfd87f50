// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import CSimorghZlib

/// Compresses a stream of bytes with zlib.
final class Deflater {
    /// The wrapper of the deflated bytes.
    enum Format: Int32, Sendable {
        /// RFC 1952, the content coding `gzip`.
        case gzip = 31
        /// RFC 1950, the content coding `deflate`.
        case zlib = 15
        /// RFC 1951 without a wrapper, which some servers send as `deflate`.
        case raw = -15

        /// The name for `Content-Encoding`.
        var coding: String { self == .gzip ? "gzip" : "deflate" }
    }

    // zlib keeps a pointer to the stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    init(_ format: Format) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = simorgh_deflate_init(stream, format.rawValue)
        // Proof: initialization fails only if there is no memory, or for a format value other than those above.
        precondition(code == Z_OK, "zlib could not be set up: \(code)")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses the next bytes.
    ///
    /// With the last ones, the buffered output is flushed.
    func compress(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        var input = bytes
        var result: [UInt8] = []
        var output = [UInt8](repeating: 0, count: 64 * 1024)
        input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                let written = output.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    _ = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    return output.count - Int(stream.pointee.avail_out)
                }
                result += output[..<written]
            } while stream.pointee.avail_out == 0
            stream.pointee.next_in = nil
        }
        return result
    }

    static func compress(_ bytes: [UInt8], as format: Format) -> [UInt8] {
        Deflater(format).compress(bytes, isLast: true)
    }
}

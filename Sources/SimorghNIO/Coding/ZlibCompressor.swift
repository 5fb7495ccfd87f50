// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import CSimorghZlib
import SimorghCore
import SimorghRealtime
import SimorghSupport

/// A compressor of a request body; used by one task at a time, and never shared.
///
/// It is a class, because zlib keeps a pointer to its own stream.
final class ZlibCompressor {
    /// The handling of bytes that zlib may hold back.
    enum Flush {
        /// zlib may hold bytes back to compress them with later ones.
        case none
        /// All bytes so far are written out.
        case all
        /// The input ends.
        case end

        fileprivate var code: CInt {
            switch self {
            case .none: Z_NO_FLUSH
            case .all: Z_SYNC_FLUSH
            case .end: Z_FINISH
            }
        }
    }

    /// The error of a compressor that could not allocate memory.
    struct CompressionError: Error, CustomStringConvertible {
        var description: String { "not enough memory to compress the body" }
    }

    private let zlib: ZlibStream
    private var stream: UnsafeMutablePointer<z_stream> { zlib.pointer }

    init(_ coding: RequestBody.Coding) throws(CompressionError) {
        // 15 is the largest window, 32 KiB, with the zlib header that `deflate` requires; adding 16 selects gzip's.
        guard let zlib = ZlibStream.deflating(windowBits: coding == .deflate ? 15 : 31) else {
            throw CompressionError()
        }
        self.zlib = zlib
    }

    /// Compresses more of the body.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes.
    ///   - flush: The handling of bytes that zlib may hold back.
    /// - Returns: The compressed bytes, possibly none.
    func compress(_ bytes: Data, flush: Flush) -> Data {
        var bytes = bytes
        var result = Data()
        bytes.withUnsafeMutableBytes { input in
            stream.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress
            // The clamping never applies: no piece is larger than ``CompressedChunks`` or the in-memory limit allows.
            stream.pointee.avail_in = UInt32(clamping: input.count)
            withUnsafeTemporaryAllocation(byteCount: 32 * 1024, alignment: 16) { room in
                repeat {
                    stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
                    stream.pointee.avail_out = UInt32(room.count)
                    // The result tells nothing that `avail_out` does not: with a valid stream, deflate fails only with
                    // Z_BUF_ERROR, if there is nothing left to do.
                    _ = deflate(stream, flush.code)
                    result.append(
                        contentsOf: UnsafeRawBufferPointer(
                            rebasing: room[..<(room.count - Int(stream.pointee.avail_out))]))
                } while stream.pointee.avail_out == 0
            }
            stream.pointee.next_in = nil
            stream.pointee.next_out = nil
        }
        return result
    }
}

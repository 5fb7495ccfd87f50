// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import CSimorghZlib
import SimorghCore
import SimorghSupport

/// Compresses a body as it comes; used by one task at a time, and never shared.
///
/// A class, since zlib keeps a pointer to its own stream.
final class Deflater {
    /// What becomes of the bytes that zlib would rather hold back.
    enum Flush {
        /// It may, to see what follows.
        case none
        /// All that came is to go out.
        case all
        /// There is nothing more.
        case end

        fileprivate var code: CInt {
            switch self {
            case .none: Z_NO_FLUSH
            case .all: Z_SYNC_FLUSH
            case .end: Z_FINISH
            }
        }
    }

    /// There is no memory to compress a body.
    struct Failure: Error, CustomStringConvertible {
        var description: String { "there is no memory to compress the body" }
    }

    private let zlib: ZlibStream
    private var stream: UnsafeMutablePointer<z_stream> { zlib.pointer }

    init(_ coding: RequestBody.Coding) throws(Failure) {
        guard let zlib = ZlibStream.deflating(windowBits: coding == .deflate ? 15 : 31) else { throw Failure() }
        self.zlib = zlib
    }

    /// Compresses more of the body.
    ///
    /// - Parameters:
    ///   - bytes: What comes next.
    ///   - flush: What becomes of what is held back.
    /// - Returns: What goes out; it may be nothing.
    func compress(_ bytes: Data, _ flush: Flush) -> Data {
        var bytes = bytes
        var result = Data()
        bytes.withUnsafeMutableBytes { input in
            stream.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress
            // No piece that comes here is larger than this can count; see ``DeflatedChunks``.
            stream.pointee.avail_in = UInt32(clamping: input.count)
            withUnsafeTemporaryAllocation(byteCount: 32 * 1024, alignment: 16) { room in
                repeat {
                    stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
                    stream.pointee.avail_out = UInt32(room.count)
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

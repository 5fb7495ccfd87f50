// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import CSimorghZlib
package import NIOCore
import SimorghSupport

/// A decoder of gzip or deflate, piece by piece.
///
/// It is a class, because zlib keeps a pointer to its own stream; used by one task at a time, and never shared.
package final class ZlibDecompressor: Decompressor {
    package enum Format: Sendable, Hashable {
        /// RFC 1952, with one or more members.
        case gzip
        /// RFC 1950, as RFC 9110 requires, or the raw RFC 1951 that many servers send instead.
        case deflate
    }

    private enum State {
        /// The first two bytes distinguish the two kinds of deflate.
        case beginning
        case running
        /// The end was reached; another gzip member may follow.
        case ended
    }

    private let format: Format
    private let stream: UnsafeMutablePointer<z_stream>
    private var state = State.beginning
    private var isInitialized = false
    private var input = ByteBuffer()

    package init(_ format: Format) {
        self.format = format
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isInitialized { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Adds input; allowed only after ``next(upTo:)`` has returned `nil`.
    package func feed(_ bytes: ByteBuffer) {
        if input.readableBytes == 0 { input = bytes } else { input.writeImmutableBuffer(bytes) }
    }

    /// Returns the next piece of output; `nil` if more input is needed.
    package func next(upTo size: Int) throws(InvalidContentCodingError) -> ByteBuffer? {
        while true {
            guard try prepare() else { return nil }
            var output = ByteBufferAllocator().buffer(capacity: size)
            let result = inflate(into: &output, size: size)
            switch result {
            case Z_STREAM_END: state = .ended
            case Z_OK: break
            case Z_BUF_ERROR: break  // No progress: it needs more input or more output space.
            case Z_NEED_DICT:
                throw InvalidContentCodingError(
                    description: "the body needs a preset dictionary, which is not supported")
            case Z_MEM_ERROR: throw InvalidContentCodingError(description: "not enough memory to decompress the body")
            default: throw InvalidContentCodingError(description: "the body is not valid \(format)")
            }
            if output.readableBytes > 0 { return output }
            guard result != Z_BUF_ERROR, input.readableBytes > 0 else { return nil }
        }
    }

    /// Ends the input; throws if the coding is incomplete.
    package func finish() throws(InvalidContentCodingError) {
        switch state {
        case .ended: break
        case .beginning where input.readableBytes == 0: break  // An empty body is valid in any coding.
        case .beginning, .running:
            throw InvalidContentCodingError(
                description: "the body ends before its \(format) data is complete", isTruncated: true)
        }
    }

    /// Prepares zlib for the available input.
    ///
    /// - Returns: False if there is not enough input.
    private func prepare() throws(InvalidContentCodingError) -> Bool {
        switch state {
        case .running: return true
        case .beginning:
            guard input.readableBytes >= 2 else { return false }
            guard simorgh_inflate_init(stream, windowBits) == Z_OK else {
                throw InvalidContentCodingError(description: "not enough memory to decompress the body")
            }
            isInitialized = true
            state = .running
            return true
        case .ended:
            guard input.readableBytes > 0 else { return false }
            guard format == .gzip, input.getInteger(at: input.readerIndex) == UInt8(0x1F), inflateReset(stream) == Z_OK
            else { throw InvalidContentCodingError(description: "the body has bytes after its \(format) data") }
            state = .running
            return true
        }
    }

    private var windowBits: CInt {
        switch format {
        case .gzip: return 15 + 32
        case .deflate:
            let first: UInt16 = input.getInteger(at: input.readerIndex) ?? 0
            return first >> 8 & 0x0F == 8 && first % 31 == 0 ? 15 : -15
        }
    }

    private func inflate(into output: inout ByteBuffer, size: Int) -> CInt {
        var result = Z_OK
        input.readWithUnsafeMutableReadableBytes { bytes in
            stream.pointee.next_in = bytes.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_in = UInt32(clamping: bytes.count)
            let offered = Int(stream.pointee.avail_in)
            output.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { room in
                stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(clamping: size)
                let before = stream.pointee.avail_out
                result = CSimorghZlib.inflate(stream, Z_NO_FLUSH)
                return Int(before - stream.pointee.avail_out)
            }
            defer {
                stream.pointee.next_in = nil
                stream.pointee.next_out = nil
            }
            return offered - Int(stream.pointee.avail_in)
        }
        return result
    }
}

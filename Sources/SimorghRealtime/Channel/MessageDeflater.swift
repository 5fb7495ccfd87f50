// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import CSimorghZlib

/// Compresses the messages of one WebSocket (RFC 7692, section 7.2.1).
///
/// Used by one sender at a time.
///
/// A class, because zlib keeps a pointer to its own stream.
package final class MessageDeflater {
    /// The length of the empty block with which zlib ends each flush.
    ///
    /// It is removed at the end of a message.
    private static let tail = 4

    private let zlib: ZlibStream
    private var stream: UnsafeMutablePointer<z_stream> { zlib.pointer }
    private let forgetsContext: Bool

    /// Creates a deflater; `nil` if there is no memory.
    ///
    /// - Parameters:
    ///   - windowBits: The base-2 logarithm of the window size, 9 to 15.
    ///   - forgetsContext: True if each message is compressed on its own.
    package init?(windowBits: Int, forgetsContext: Bool) {
        self.forgetsContext = forgetsContext
        guard let zlib = ZlibStream.deflating(windowBits: -windowBits) else { return nil }
        self.zlib = zlib
    }

    /// Compresses a whole message, or the next part of one.
    ///
    /// - Parameters:
    ///   - bytes: The message or part.
    ///   - output: The buffer to append to.
    ///   - endsMessage: True if the message ends here.
    package func compress(_ bytes: UnsafeRawBufferPointer, to output: inout some GrowingBytes, endsMessage: Bool) {
        // zlib does not flush twice in a row.
        if bytes.isEmpty {
            if endsMessage { endParts(to: &output) }
            return
        }
        var rest = bytes
        repeat {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(Int32.max)))
            rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
            deflate(piece, to: &output, flush: rest.isEmpty ? Z_SYNC_FLUSH : Z_NO_FLUSH)
        } while !rest.isEmpty
        guard endsMessage else { return }
        output.removeLast(Self.tail)
        if forgetsContext { deflateReset(stream) }
    }

    /// Ends a message of several parts.
    ///
    /// The final byte is an empty block without compression, because zlib writes nothing for empty input (RFC 7692,
    /// section 7.2.3.6).
    package func endParts(to output: inout some GrowingBytes) {
        output.write(atLeast: 1) { space in
            space[0] = 0
            return 1
        }
        if forgetsContext { deflateReset(stream) }
    }

    private func deflate(_ piece: UnsafeRawBufferPointer, to output: inout some GrowingBytes, flush: CInt) {
        // Proof: zlib does not write to its input; its header says so only where ZLIB_CONST is defined.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: piece.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(piece.count)
        var room = max(64, piece.count / 3)
        repeat {
            output.write(atLeast: room) { space in
                let offered = UInt32(clamping: space.count)
                stream.pointee.next_out = space.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = offered
                _ = CSimorghZlib.deflate(stream, flush)
                return Int(offered - stream.pointee.avail_out)
            }
            room = min(room * 2, 1 << 20)
        } while stream.pointee.avail_out == 0
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import CSimorghZlib
package import NIOCore
import SimorghCore
package import SimorghRealtime

/// Undoes the compression of the messages of one WebSocket (RFC 7692, section 7.2.2); used on one event loop.
///
/// A class, since zlib keeps a pointer to its own stream.
package final class MessageInflater {
    /// What was left out at the end of each message.
    private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

    private let zlib: ZlibStream
    private var stream: UnsafeMutablePointer<z_stream> { zlib.pointer }
    private let forgetsContext: Bool
    /// How many bytes of the tail of this message were used already.
    private var tailTaken = 0

    /// Readies one; `nil` when there is no memory.
    ///
    /// - Parameters:
    ///   - windowBits: How far back the server may look; more than it needs does no harm.
    ///   - forgetsContext: Whether each message stands for itself.
    package init?(windowBits: Int, forgetsContext: Bool) {
        self.forgetsContext = forgetsContext
        // Some servers that agree to 8 look back as far as 9 allow.
        guard let zlib = ZlibStream.inflating(windowBits: -max(windowBits, 9)) else { return nil }
        self.zlib = zlib
    }

    /// What came of a piece of input.
    package struct Progress: Sendable, Hashable {
        /// How many bytes of the input were used.
        package var taken: Int
        /// How many bytes were added to the output.
        package var given: Int
    }

    /// Undoes as much of a piece as there is room for.
    ///
    /// - Parameters:
    ///   - input: What came.
    ///   - output: Where it goes; what it holds already stays.
    ///   - limit: The most bytes to add.
    /// - Returns: How far it came: while it used no more than a part of the input, or filled the room, there may be more.
    /// - Throws: ``WebSocketFault`` for what cannot be undone.
    package func inflate(
        _ input: UnsafeRawBufferPointer, to output: inout ByteBuffer, upTo limit: Int
    ) throws(WebSocketFault) -> Progress {
        var progress = Progress(taken: 0, given: 0)
        while true {
            let rest = UnsafeRawBufferPointer(rebasing: input[progress.taken...].prefix(Int(Int32.max)))
            let room = min(limit - progress.given, max(256, min(rest.count * 4, 64 * 1024)))
            guard room > 0 else { return progress }
            let (code, step) = step(rest, &output, room)
            progress.taken += step.taken
            progress.given += step.given
            switch code {
            case Z_OK, Z_BUF_ERROR: break
            case Z_STREAM_END:
                // A message may be ended for good; what follows begins anew.
                guard inflateReset(stream) == Z_OK else { throw .invalidData("the message cannot be decompressed") }
                // Behind the end, the tail of a message that has none is all that may come.
                continue
            case Z_MEM_ERROR: throw .invalidData("there is no memory to decompress the message")
            default: throw .invalidData("the message is not valid deflate")
            }
            if step.given < room { return progress }
        }
    }

    /// Gives the rest of a message, all of whose input was used.
    ///
    /// - Parameters:
    ///   - output: Where it goes.
    ///   - limit: The most bytes to add.
    /// - Returns: How many bytes were added; when it is the limit, there may be more.
    /// - Throws: ``WebSocketFault`` for what cannot be undone.
    package func end(to output: inout ByteBuffer, upTo limit: Int) throws(WebSocketFault) -> Int {
        let result: Result<Progress, WebSocketFault> = Self.tail.withUnsafeBytes { tail in
            // What is asked for the rest again goes on where the room was full.
            let rest = UnsafeRawBufferPointer(rebasing: tail[tailTaken...])
            return Result { () throws(WebSocketFault) in try inflate(rest, to: &output, upTo: limit) }
        }
        let progress = try result.get()
        tailTaken += progress.taken
        return progress.given
    }

    /// The message is whole.
    package func endMessage() {
        tailTaken = 0
        if forgetsContext { inflateReset(stream) }
    }

    private func step(
        _ input: UnsafeRawBufferPointer, _ output: inout ByteBuffer, _ room: Int
    ) -> (CInt, Progress) {
        // Proof: zlib does not write to its input; its header says so only where ZLIB_CONST is defined.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        var code = Z_OK
        var given = 0
        output.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { space in
            stream.pointee.next_out = space.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(room)
            code = CSimorghZlib.inflate(stream, Z_SYNC_FLUSH)
            given = room - Int(stream.pointee.avail_out)
            return given
        }
        let taken = input.count - Int(stream.pointee.avail_in)
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        return (code, Progress(taken: taken, given: given))
    }
}

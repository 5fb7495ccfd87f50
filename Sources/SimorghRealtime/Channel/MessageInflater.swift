// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import CSimorghZlib

/// Decompresses the messages of one WebSocket (RFC 7692, section 7.2.2).
///
/// Used on one event loop.
///
/// A class, because zlib keeps a pointer to its own stream.
package final class MessageInflater {
    /// The bytes that the sender removes from the end of each message.
    private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

    private let zlib: ZlibStream
    private var stream: UnsafeMutablePointer<z_stream> { zlib.pointer }
    private let forgetsContext: Bool
    /// The number of bytes of the tail that were already consumed for this message.
    private var tailTaken = 0

    /// Creates an inflater; `nil` if there is no memory.
    ///
    /// - Parameters:
    ///   - windowBits: The base-2 logarithm of the server's window size. A larger window than needed does no harm.
    ///   - forgetsContext: True if each message is compressed on its own.
    package init?(windowBits: Int, forgetsContext: Bool) {
        self.forgetsContext = forgetsContext
        // Some servers that agree to 8 bits use a window of 9.
        guard let zlib = ZlibStream.inflating(windowBits: -max(windowBits, 9)) else { return nil }
        self.zlib = zlib
    }

    /// The result of decompressing a part of the input.
    package struct Progress: Sendable, Hashable {
        /// The number of input bytes consumed.
        package var taken: Int
        /// The number of bytes appended to the output.
        package var produced: Int
    }

    /// Decompresses as much of the input as the limit allows.
    ///
    /// - Parameters:
    ///   - input: The compressed bytes.
    ///   - output: The buffer to append to.
    ///   - limit: The maximum number of bytes to append.
    /// - Returns: The progress. If it consumed only a part of the input, or reached the limit, more output may follow.
    /// - Throws: ``WebSocketProtocolError`` if the input cannot be decompressed.
    package func inflate(
        _ input: UnsafeRawBufferPointer, to output: inout some GrowingBytes, upTo limit: Int
    ) throws(WebSocketProtocolError) -> Progress {
        var progress = Progress(taken: 0, produced: 0)
        while true {
            let rest = UnsafeRawBufferPointer(rebasing: input[progress.taken...].prefix(Int(Int32.max)))
            let room = min(limit - progress.produced, max(256, min(rest.count * 4, 64 * 1024)))
            guard room > 0 else { return progress }
            let (code, step) = step(rest, to: &output, room: room)
            progress.taken += step.taken
            progress.produced += step.produced
            switch code {
            case Z_OK, Z_BUF_ERROR: break
            case Z_STREAM_END:
                // A sender may end the deflate stream with a message; the next message starts a new one.
                guard inflateReset(stream) == Z_OK else { throw .invalidData("the message cannot be decompressed") }
                // After the end of the stream, only the tail may follow.
                continue
            case Z_MEM_ERROR: throw .invalidData("there is no memory to decompress the message")
            default: throw .invalidData("the message is not valid deflate")
            }
            if step.produced < room { return progress }
        }
    }

    /// Decompresses the rest of a message whose input was all consumed.
    ///
    /// - Parameters:
    ///   - output: The buffer to append to.
    ///   - limit: The maximum number of bytes to append.
    /// - Returns: The number of bytes appended. If it equals the limit, more may follow.
    /// - Throws: ``WebSocketProtocolError`` if the input cannot be decompressed.
    package func end(to output: inout some GrowingBytes, upTo limit: Int) throws(WebSocketProtocolError) -> Int {
        let result: Result<Progress, WebSocketProtocolError> = Self.tail.withUnsafeBytes { tail in
            // A repeated call continues where the limit was reached.
            let rest = UnsafeRawBufferPointer(rebasing: tail[tailTaken...])
            return Result { () throws(WebSocketProtocolError) in try inflate(rest, to: &output, upTo: limit) }
        }
        let progress = try result.get()
        tailTaken += progress.taken
        return progress.produced
    }

    /// Ends the message.
    package func endMessage() {
        tailTaken = 0
        if forgetsContext { inflateReset(stream) }
    }

    private func step(
        _ input: UnsafeRawBufferPointer, to output: inout some GrowingBytes, room: Int
    ) -> (CInt, Progress) {
        // Proof: zlib does not write to its input; its header says so only where ZLIB_CONST is defined.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        var code = Z_OK
        var produced = 0
        output.write(atLeast: room) { space in
            stream.pointee.next_out = space.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(room)
            code = CSimorghZlib.inflate(stream, Z_SYNC_FLUSH)
            produced = room - Int(stream.pointee.avail_out)
            return produced
        }
        let taken = input.count - Int(stream.pointee.avail_in)
        stream.pointee.next_in = nil
        stream.pointee.next_out = nil
        return (code, Progress(taken: taken, produced: produced))
    }
}

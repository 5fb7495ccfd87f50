// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
import SimorghCore
package import SimorghRealtime

/// Encodes frames as a client sends them.
package enum FrameWriter {
    /// Appends a frame with its payload masked.
    package static func write(
        _ opcode: WebSocketOpcode, payload: UnsafeRawBufferPointer, isFinal: Bool = true,
        isCompressed: Bool = false, mask: UInt32, to buffer: inout ByteBuffer
    ) {
        write(
            WebSocketFrame(opcode, length: payload.count, isFinal: isFinal, isCompressed: isCompressed),
            payload: payload, mask: mask, to: &buffer)
    }

    /// Appends a frame with its payload masked.
    static func write(
        _ frame: WebSocketFrame, payload: UnsafeRawBufferPointer, mask: UInt32, to buffer: inout ByteBuffer
    ) {
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: frame.headSize + payload.count) { room in
            FrameEncoder.write(frame, payload: payload, mask: mask, to: room)
        }
    }

    /// Encodes a frame for the duration of a call: one whole message, usually small enough for the stack.
    static func withFrame(
        _ opcode: WebSocketOpcode, payload: UnsafeRawBufferPointer, mask: UInt32,
        body: (UnsafeRawBufferPointer) -> Void
    ) {
        let frame = WebSocketFrame(opcode, length: payload.count, isFinal: true, isCompressed: false)
        withUnsafeTemporaryAllocation(byteCount: frame.headSize + payload.count, alignment: 1) { room in
            FrameEncoder.write(frame, payload: payload, mask: mask, to: room)
            body(UnsafeRawBufferPointer(room))
        }
    }
}

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
        let frame = WebSocketFrame(opcode, length: payload.count, isFinal: isFinal, isCompressed: isCompressed)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: frame.headSize + payload.count) { room in
            write(frame, payload: payload, mask: mask, to: room)
        }
    }

    /// Encodes a frame for the duration of a call: one whole message, usually small enough for the stack.
    static func withFrame(
        _ opcode: WebSocketOpcode, payload: UnsafeRawBufferPointer, mask: UInt32,
        body: (UnsafeRawBufferPointer) -> Void
    ) {
        let frame = WebSocketFrame(opcode, length: payload.count, isFinal: true, isCompressed: false)
        withUnsafeTemporaryAllocation(byteCount: frame.headSize + payload.count, alignment: 1) { room in
            _ = write(frame, payload: payload, mask: mask, to: room)
            body(UnsafeRawBufferPointer(room))
        }
    }

    /// Encodes a frame.
    ///
    /// - Returns: Its size in bytes.
    private static func write(
        _ frame: WebSocketFrame, payload: UnsafeRawBufferPointer, mask: UInt32, to room: UnsafeMutableRawBufferPointer
    ) -> Int {
        let head = frame.headSize
        frame.write(to: room, mask: mask)
        WebSocketMask.copy(payload, to: UnsafeMutableRawBufferPointer(rebasing: room[head...]), mask: mask)
        return head + payload.count
    }
}

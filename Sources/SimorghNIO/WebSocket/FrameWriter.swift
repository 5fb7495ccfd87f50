// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
import SimorghCore
package import SimorghRealtime

/// Puts frames into buffers as a client sends them.
package enum FrameWriter {
    /// Adds a frame, its payload masked on the way.
    package static func write(
        _ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, isFinal: Bool = true,
        isCompressed: Bool = false, mask: UInt32, to buffer: inout ByteBuffer
    ) {
        let frame = WebSocketFrame(opcode, length: payload.count, isFinal: isFinal, isCompressed: isCompressed)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: frame.headSize + payload.count) { room in
            write(frame, payload, mask: mask, to: room)
        }
    }

    /// Makes a frame for as long as it takes to send it: one whole message, small enough for the stack, mostly.
    static func withFrame(
        _ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, mask: UInt32,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        let frame = WebSocketFrame(opcode, length: payload.count, isFinal: true, isCompressed: false)
        withUnsafeTemporaryAllocation(byteCount: frame.headSize + payload.count, alignment: 1) { room in
            _ = write(frame, payload, mask: mask, to: room)
            body(UnsafeRawBufferPointer(room))
        }
    }

    /// - Returns: How many bytes it has.
    private static func write(
        _ frame: WebSocketFrame, _ payload: UnsafeRawBufferPointer, mask: UInt32, to room: UnsafeMutableRawBufferPointer
    ) -> Int {
        let head = frame.headSize
        frame.write(to: room, mask: mask)
        WebSocketMask.copy(payload, to: UnsafeMutableRawBufferPointer(rebasing: room[head...]), mask: mask)
        return head + payload.count
    }
}

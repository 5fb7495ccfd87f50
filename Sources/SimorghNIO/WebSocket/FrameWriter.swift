// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
package import SimorghCore

/// Puts frames into buffers as a client sends them.
package enum FrameWriter {
    /// Adds a frame, its payload masked on the way.
    package static func write(
        _ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, isFinal: Bool = true,
        isCompressed: Bool = false, mask: UInt32, to buffer: inout ByteBuffer
    ) {
        let frame = WebSocketFrame(opcode, length: payload.count, isFinal: isFinal, isCompressed: isCompressed)
        let head = frame.headSize
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: head + payload.count) { room in
            frame.write(to: room, mask: mask)
            WebSocketMask.copy(payload, to: UnsafeMutableRawBufferPointer(rebasing: room[head...]), mask: mask)
            return head + payload.count
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Encodes frames as a client sends them.
package enum FrameEncoder {
    /// Writes a frame with its payload masked.
    ///
    /// - Parameters:
    ///   - frame: The header.
    ///   - payload: The payload, of the length in the header.
    ///   - mask: The masking key.
    ///   - room: The memory, at least as large as the frame.
    /// - Returns: The size of the frame in bytes.
    @discardableResult
    package static func write(
        _ frame: WebSocketFrame, payload: UnsafeRawBufferPointer, mask: UInt32, to room: UnsafeMutableRawBufferPointer
    ) -> Int {
        let head = frame.headSize
        frame.write(to: room, mask: mask)
        WebSocketMask.copy(payload, to: UnsafeMutableRawBufferPointer(rebasing: room[head...]), mask: mask)
        return head + payload.count
    }

    /// Returns the payload of a close frame.
    package static func closePayload(_ code: WebSocketCloseCode?, reason: String) -> [UInt8] {
        guard let code else { return [] }
        return [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)] + reason.utf8
    }
}

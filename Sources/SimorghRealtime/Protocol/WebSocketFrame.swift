// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The opcode of a frame (RFC 6455, section 5.2).
package enum WebSocketOpcode: UInt8, Sendable, CaseIterable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    package var isControl: Bool { rawValue >= 8 }
}

/// The header of a frame, without the masking key.
package struct WebSocketFrame: Sendable, Hashable {
    /// The maximum payload of a control frame, in bytes.
    package static let maximumControlPayload = 125
    /// The maximum size of a frame header including the masking key, in bytes.
    package static let maximumHeaderSize = 14

    package var isFinal: Bool
    /// True if the first reserved bit (RSV1) is set, which marks the message as compressed.
    package var isCompressed: Bool
    package var opcode: WebSocketOpcode
    package var length: Int

    package init(_ opcode: WebSocketOpcode, length: Int, isFinal: Bool = true, isCompressed: Bool = false) {
        self.opcode = opcode
        self.length = length
        self.isFinal = isFinal
        self.isCompressed = isCompressed
    }
}

extension WebSocketFrame {
    /// Parses the header of a frame from the server.
    ///
    /// Each byte is checked as soon as it has arrived, so that an invalid frame fails early.
    ///
    /// - Parameters:
    ///   - bytes: The received bytes, from the first byte of the header on.
    ///   - mayBeCompressed: True if compression was agreed.
    /// - Returns: The header and its size in bytes; `nil` if more bytes are needed.
    /// - Throws: ``WebSocketProtocolError`` for a frame that a server must not send.
    package static func read(
        _ bytes: UnsafeRawBufferPointer, mayBeCompressed: Bool
    ) throws(WebSocketProtocolError) -> (frame: WebSocketFrame, size: Int)? {
        guard bytes.count >= 1 else { return nil }
        let first = bytes[0]
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw .violation("frame with the unknown opcode \(first & 0x0F)")
        }
        guard first & 0x30 == 0 else { throw .violation("frame with a reserved bit set") }
        let isFinal = first & 0x80 != 0
        let isCompressed = first & 0x40 != 0
        if isCompressed {
            guard mayBeCompressed else { throw .violation("compressed frame, but no compression was agreed") }
            guard opcode == .text || opcode == .binary else {
                throw .violation("RSV1 is set on a frame that does not begin a message")
            }
        }
        guard isFinal || !opcode.isControl else { throw .violation("fragmented control frame") }
        guard bytes.count >= 2 else { return nil }
        let second = bytes[1]
        guard second & 0x80 == 0 else { throw .violation("masked frame from the server") }
        let short = Int(second & 0x7F)
        guard short <= maximumControlPayload || !opcode.isControl else {
            throw .violation("control frame with more than \(maximumControlPayload) bytes of payload")
        }
        let (length, size) = try extendedLength(short, in: bytes) ?? (-1, 0)
        guard length >= 0 else { return nil }
        return (WebSocketFrame(opcode, length: length, isFinal: isFinal, isCompressed: isCompressed), size)
    }

    private static func extendedLength(
        _ short: Int, in bytes: UnsafeRawBufferPointer
    ) throws(WebSocketProtocolError) -> (length: Int, size: Int)? {
        switch short {
        case 126:
            guard bytes.count >= 4 else { return nil }
            let length = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            guard length > 125 else { throw .violation("frame length is not encoded in the fewest bytes") }
            return (length, 4)
        case 127:
            guard bytes.count >= 10 else { return nil }
            let length = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard length <= UInt64(Int64.max) else { throw .violation("frame length with its highest bit set") }
            guard length > 0xFFFF else { throw .violation("frame length is not encoded in the fewest bytes") }
            guard let length = Int(exactly: length) else { throw .violation("frame length exceeds the address space") }
            return (length, 10)
        default: return (short, 2)
        }
    }

    /// The size of the header as sent by a client, including the masking key, in bytes.
    package var headSize: Int { length < 126 ? 6 : length <= 0xFFFF ? 8 : 14 }

    /// Writes the header as a client sends it.
    ///
    /// - Parameters:
    ///   - destination: The destination, of at least ``headSize`` bytes.
    ///   - mask: The masking key; its first byte is the lowest.
    package func write(to destination: UnsafeMutableRawBufferPointer, mask: UInt32) {
        let flags: UInt8 = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0)
        destination[0] = flags | opcode.rawValue
        var offset = 2
        if length < 126 {
            destination[1] = 0x80 | UInt8(truncatingIfNeeded: length)
        } else if length <= 0xFFFF {
            destination[1] = 0x80 | 126
            destination.storeBytes(of: UInt16(truncatingIfNeeded: length).bigEndian, toByteOffset: 2, as: UInt16.self)
            offset = 4
        } else {
            destination[1] = 0x80 | 127
            destination.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
            offset = 10
        }
        destination.storeBytes(of: mask.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
}

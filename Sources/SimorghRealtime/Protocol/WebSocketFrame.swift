// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What a frame is for (RFC 6455, section 5.2).
package enum WebSocketOpcode: UInt8, Sendable, CaseIterable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    package var isControl: Bool { rawValue >= 8 }
}

/// The beginning of a frame, without its mask.
package struct WebSocketFrame: Sendable, Hashable {
    /// The most bytes of payload that a control frame may have.
    package static let mostControlBytes = 125
    /// The most bytes that the head of a frame takes, its mask with it.
    package static let mostHeadBytes = 14

    package var isFinal: Bool
    /// Whether the first reserved bit is set, which says that the message is compressed.
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
    /// Reads the head of a frame that a server sent.
    ///
    /// Each byte is judged as soon as it is there: whoever sends nonsense need not be listened to for longer.
    ///
    /// - Parameters:
    ///   - bytes: What came, from the first byte of the head on.
    ///   - mayBeCompressed: Whether compression was agreed.
    /// - Returns: The head and how many bytes it takes; `nil` when more are needed.
    /// - Throws: ``WebSocketFault`` for what no server may send.
    package static func read(
        _ bytes: UnsafeRawBufferPointer, mayBeCompressed: Bool
    ) throws(WebSocketFault) -> (frame: WebSocketFrame, size: Int)? {
        guard bytes.count >= 1 else { return nil }
        let first = bytes[0]
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw .violation("a frame has the unknown opcode \(first & 0x0F)")
        }
        guard first & 0x30 == 0 else { throw .violation("a frame has a reserved bit") }
        let isFinal = first & 0x80 != 0
        let isCompressed = first & 0x40 != 0
        if isCompressed {
            guard mayBeCompressed else { throw .violation("a frame is compressed, and no compression was agreed") }
            guard opcode == .text || opcode == .binary else {
                throw .violation("a frame that begins no message is marked as compressed")
            }
        }
        guard isFinal || !opcode.isControl else { throw .violation("a control frame is fragmented") }
        guard bytes.count >= 2 else { return nil }
        let second = bytes[1]
        guard second & 0x80 == 0 else { throw .violation("a frame of the server is masked") }
        let short = Int(second & 0x7F)
        guard short <= mostControlBytes || !opcode.isControl else {
            throw .violation("a control frame has more than \(mostControlBytes) bytes")
        }
        let (length, size) = try extendedLength(short, bytes) ?? (-1, 0)
        guard length >= 0 else { return nil }
        return (WebSocketFrame(opcode, length: length, isFinal: isFinal, isCompressed: isCompressed), size)
    }

    private static func extendedLength(
        _ short: Int, _ bytes: UnsafeRawBufferPointer
    ) throws(WebSocketFault) -> (length: Int, size: Int)? {
        switch short {
        case 126:
            guard bytes.count >= 4 else { return nil }
            let length = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            guard length > 125 else { throw .violation("the length of a frame takes more bytes than it needs") }
            return (length, 4)
        case 127:
            guard bytes.count >= 10 else { return nil }
            let length = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            guard length <= UInt64(Int64.max) else { throw .violation("the length of a frame is negative") }
            guard length > 0xFFFF else { throw .violation("the length of a frame takes more bytes than it needs") }
            guard let length = Int(exactly: length) else { throw .violation("a frame is larger than memory") }
            return (length, 10)
        default: return (short, 2)
        }
    }

    /// How many bytes the head takes as a client sends it, its mask with it.
    package var headSize: Int { length < 126 ? 6 : length <= 0xFFFF ? 8 : 14 }

    /// Writes the head as a client sends it.
    ///
    /// - Parameters:
    ///   - room: Where to; there is room for ``headSize`` bytes.
    ///   - mask: The mask, its first byte the lowest.
    package func write(to room: UnsafeMutableRawBufferPointer, mask: UInt32) {
        let flags: UInt8 = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0)
        room[0] = flags | opcode.rawValue
        var offset = 2
        if length < 126 {
            room[1] = 0x80 | UInt8(truncatingIfNeeded: length)
        } else if length <= 0xFFFF {
            room[1] = 0x80 | 126
            room.storeBytes(of: UInt16(truncatingIfNeeded: length).bigEndian, toByteOffset: 2, as: UInt16.self)
            offset = 4
        } else {
            room[1] = 0x80 | 127
            room.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
            offset = 10
        }
        room.storeBytes(of: mask.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
}

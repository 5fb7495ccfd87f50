// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import Testing

@Suite("WebSocket frame headers (RFC 6455)", .timeLimit(.minutes(5)))
struct WebSocketFrameTests {
    private static func read(_ bytes: [UInt8], mayBeCompressed: Bool = false) throws -> (WebSocketFrame, Int)? {
        try bytes.withUnsafeBytes { try WebSocketFrame.read($0, mayBeCompressed: mayBeCompressed) }
    }

    @Test(
        "A frame header is parsed with each length encoding, and not before it is complete",
        arguments: [
            ([0x81, 0x05], WebSocketFrame(.text, length: 5)),
            ([0x02, 0x7D], WebSocketFrame(.binary, length: 125, isFinal: false)),
            ([0x80, 0x7E, 0x00, 0x7E], WebSocketFrame(.continuation, length: 126)),
            ([0x82, 0x7E, 0xFF, 0xFF], WebSocketFrame(.binary, length: 0xFFFF)),
            ([0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0], WebSocketFrame(.binary, length: 0x10000)),
            ([0x88, 0x00], WebSocketFrame(.close, length: 0)), ([0x89, 0x7D], WebSocketFrame(.ping, length: 125)),
            ([0x8A, 0x01], WebSocketFrame(.pong, length: 1)),
        ] as [([UInt8], WebSocketFrame)])
    func reads(bytes: [UInt8], frame: WebSocketFrame) throws {
        for count in 0..<bytes.count { #expect(try Self.read(Array(bytes[..<count])) == nil) }
        let (read, size) = try #require(try Self.read(bytes + [1, 2, 3]))
        #expect(read == frame)
        #expect(size == bytes.count)
    }

    @Test(
        "A header that a server must not send is refused at the byte that shows the violation",
        arguments: [
            [0x83], [0x87], [0x8B], [0x8F], [0x91], [0xA1], [0xC1], [0xC0], [0xC9], [0x09], [0x0A], [0x08],
            [0x81, 0x80], [0x82, 0xFF], [0x89, 0x7E], [0x8A, 0x7F], [0x88, 0x7E],
            [0x82, 0x7E, 0x00, 0x7D], [0x82, 0x7F, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
            [0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]])
    func refuses(bytes: [UInt8]) throws {
        #expect(throws: WebSocketProtocolError.self) { try Self.read(bytes) }
        #expect(try Self.read(Array(bytes.dropLast())) == nil)
    }

    @Test("RSV1 is accepted only in the first frame of a message, and only if compression was negotiated")
    func compression() throws {
        #expect(try Self.read([0xC1, 0x01], mayBeCompressed: true)?.0.isCompressed == true)
        #expect(try Self.read([0x42, 0x01], mayBeCompressed: true)?.0.isFinal == false)
        for first: UInt8 in [0xC0, 0xC8, 0xC9, 0xCA] {
            #expect(throws: WebSocketProtocolError.self) { try Self.read([first, 0x01], mayBeCompressed: true) }
        }
        #expect(throws: WebSocketProtocolError.self) { try Self.read([0xC1, 0x01]) }
    }

    @Test("Every two-byte header is parsed or refused, and a parsed one has the length it declares")
    func all() throws {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let read = try? Self.read([first, second], mayBeCompressed: true)
                guard let (frame, size) = read else { continue }
                #expect(size == 2 && frame.length == Int(second) && second < 126)
                #expect(frame.opcode.rawValue == first & 0x0F)
            }
        }
    }

    @Test("Masking twice restores the bytes, for any length", arguments: [0, 1, 0x1234_5678, UInt32.max])
    func mask(mask: UInt32) {
        for count in 0...200 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            var masked = [UInt8](repeating: 0, count: count)
            bytes.withUnsafeBytes { source in
                masked.withUnsafeMutableBytes { WebSocketMask.copy(source, to: $0, mask: mask) }
            }
            let expected = bytes.enumerated().map { $1 ^ UInt8(truncatingIfNeeded: mask >> (UInt32($0 % 4) * 8)) }
            #expect(masked == expected)
            masked.withUnsafeMutableBytes { WebSocketMask.copy(UnsafeRawBufferPointer($0), to: $0, mask: mask) }
            #expect(masked == bytes)
        }
    }

    @Test(
        "Close codes: reserved and unassigned codes are not sendable",
        arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535])
    func codes(code: UInt16) {
        #expect(!WebSocketCloseCode(rawValue: code).isSendable)
        for code: UInt16 in [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4999] {
            #expect(WebSocketCloseCode(rawValue: code).isSendable)
        }
    }
}

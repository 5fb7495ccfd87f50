// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOEmbedded
import NIOWebSocket
import SimorghCore
import SimorghNIO
import SimorghRealtime
import TestSupport
import Testing

/// Compares our WebSocket frames with those of NIOWebSocket, which is older and has been reviewed by more people.
@Suite("WebSocket frames compared with NIOWebSocket", .timeLimit(.minutes(5)))
struct FrameDifferentialTests {
    @Test("NIOWebSocket reads our frames as they were written", arguments: 1...6)
    func writing(seed: UInt64) throws {
        var random = SeededNumbers(seed)
        let channel = EmbeddedChannel(handler: ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 1 << 20)))
        for _ in 0..<60 {
            let opcode = SimorghRealtime.WebSocketOpcode.allCases.randomElement(using: &random) ?? .text
            let sizes = opcode.isControl ? [0, 1, 125] : [0, 1, 125, 126, 127, 4_000, 65_535, 65_536]
            let payload = [UInt8](
                repeating: .random(in: 0...255, using: &random), count: sizes.randomElement(using: &random) ?? 0)
            let isFinal = opcode.isControl || Bool.random(using: &random)
            let mask = UInt32.random(in: 0...UInt32.max, using: &random)
            var buffer = ByteBuffer()
            payload.withUnsafeBytes {
                FrameWriter.write(opcode, payload: $0, isFinal: isFinal, mask: mask, to: &buffer)
            }
            try channel.writeInbound(buffer)
            let frame = try #require(try channel.readInbound(as: NIOWebSocket.WebSocketFrame.self))
            #expect(
                frame.fin == isFinal
                    && frame.opcode == NIOWebSocket.WebSocketOpcode(encodedWebSocketOpcode: opcode.rawValue))
            #expect(Array(frame.unmaskedData.readableBytesView) == payload)
            #expect(frame.maskKey != nil && !frame.rsv1 && !frame.rsv2 && !frame.rsv3)
        }
    }

    @Test(
        "A random frame that we accept is accepted and read alike by NIOWebSocket",
        arguments: 1...6)
    func reading(seed: UInt64) throws {
        var random = SeededNumbers(seed)
        var taken = 0
        for _ in 0..<1000 {
            var bytes: [UInt8] = [
                UInt8.random(in: 0...255, using: &random), UInt8.random(in: 0...255, using: &random),
            ]
            if Bool.random(using: &random) { bytes[1] = [0, 5, 125, 126, 127].randomElement(using: &random) ?? 0 }
            if Bool.random(using: &random) {
                bytes[0] = [0x80, 0x81, 0x82, 0x01, 0xC1, 0x88, 0x89, 0x8A].randomElement(using: &random) ?? 0
            }
            let (kind, length) = (
                bytes[1] & 0x7F,
                [0, 1, 125, 126, 127, 1_000, 65_535, 65_536, 70_000].randomElement(using: &random) ?? 0
            )
            if kind == 126 { bytes += [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] }
            if kind == 127 { bytes += (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) } }
            // The payload and a mask only: further bytes would be another frame.
            bytes += [UInt8](repeating: 7, count: (kind < 126 ? Int(kind) : length) + 4)
            let ours = try? bytes.withUnsafeBytes {
                try SimorghRealtime.WebSocketFrame.read($0, mayBeCompressed: true)
            }
            let channel = EmbeddedChannel(handler: ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 1 << 20)))
            let theirs: NIOWebSocket.WebSocketFrame?
            do {
                try channel.writeInbound(ByteBuffer(bytes: bytes))
                theirs = try channel.readInbound()
            } catch {
                theirs = nil
            }
            guard let (frame, size) = ours else { continue }
            taken += 1
            let other = try #require(theirs)
            #expect(other.fin == frame.isFinal && other.rsv1 == frame.isCompressed && !other.rsv2 && !other.rsv3)
            #expect(other.length == frame.length && size >= 2)
            #expect(other.opcode == NIOWebSocket.WebSocketOpcode(encodedWebSocketOpcode: frame.opcode.rawValue))
        }
        #expect(taken > 50)
    }
}

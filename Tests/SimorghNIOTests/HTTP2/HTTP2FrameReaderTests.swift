// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import SimorghNIO
import TestSupport
import Testing

@Suite("HTTP2FrameReader", .timeLimit(.minutes(10)))
struct HTTP2FrameReaderTests {
    static func frame(_ kind: UInt8, _ flags: UInt8 = 0, _ stream: UInt32 = 0, _ payload: [UInt8] = []) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeInteger(UInt32(payload.count) << 8 | UInt32(kind))
        buffer.writeInteger(flags)
        buffer.writeInteger(stream)
        buffer.writeBytes(payload)
        return buffer
    }

    /// Reads all frames of bytes that arrive in pieces of the given sizes, and joins consecutive DATA frames.
    static func read(_ bytes: ByteBuffer, pieces: () -> Int) -> ([HTTP2Frame], HTTP2ProtocolError?) {
        var reader = HTTP2FrameReader()
        var frames: [HTTP2Frame] = []
        var rest = bytes
        var unread = ByteBuffer()
        do {
            repeat {
                if var piece = rest.readSlice(length: min(rest.readableBytes, max(1, pieces()))) {
                    unread.writeBuffer(&piece)
                }
                while let frame = try reader.next(&unread) {
                    if case .data(let stream, var part, let flow, let ends, let isEmpty) = frame,
                        case .data(stream, var whole, let before, false, _)? = frames.last
                    {
                        whole.writeBuffer(&part)
                        frames[frames.count - 1] = .data(
                            stream: stream, whole, flow: before + flow, endsStream: ends, isEmptyFrame: isEmpty)
                    } else {
                        frames.append(frame)
                    }
                }
            } while rest.readableBytes > 0
        } catch {
            return (frames, error)
        }
        return (frames, nil)
    }

    @Test("Each frame type is read")
    func kinds() {
        let cases: [(ByteBuffer, HTTP2Frame)] = [
            (Self.frame(3, 0, 5, [0, 0, 0, 8]), .reset(stream: 5, .cancel)),
            (Self.frame(4, 0, 0, [0, 3, 0, 0, 0, 9]), .settings([HTTP2Setting(.maxConcurrentStreams, value: 9)])),
            (Self.frame(4, 1), .settingsAcknowledged),
            (Self.frame(6, 0, 0, [0, 0, 0, 0, 0, 0, 0, 7]), .ping(7, isAnswer: false)),
            (Self.frame(6, 1, 0, [0, 0, 0, 0, 0, 0, 0, 7]), .ping(7, isAnswer: true)),
            (Self.frame(7, 0, 0, [0, 0, 0, 3, 0, 0, 0, 0, 65]), .goAway(last: 3, .noError)),
            (Self.frame(8, 0, 3, [0x80, 0, 0, 5]), .windowUpdate(stream: 3, 5)),
            (Self.frame(2, 0, 3, [0, 0, 0, 0, 0]), .other),
            (Self.frame(77, 0, 3, [1, 2]), .other),
            (
                Self.frame(1, 4 | 8 | 32, 3, [1, 0, 0, 0, 0, 0, 0x88, 0]),
                .headers(stream: 3, block: ByteBuffer(bytes: [0x88]), endsStream: false)
            ),
            (
                Self.frame(0, 1 | 8, 3, [1, 65, 66, 0]),
                .data(stream: 3, ByteBuffer(bytes: [65, 66]), flow: 4, endsStream: true, isEmptyFrame: false)
            ),
        ]
        for (bytes, frame) in cases {
            let (frames, fault) = Self.read(bytes) { .max }
            #expect(frames == [frame])
            #expect(fault == nil)
        }
    }

    @Test("A field block is assembled from HEADERS and CONTINUATION, and no other frame may come between them")
    func continuation() {
        var bytes = Self.frame(1, 1, 3, [1])
        bytes.writeImmutableBuffer(Self.frame(9, 0, 3, [2]))
        bytes.writeImmutableBuffer(Self.frame(9, 4, 3, [3]))
        #expect(
            Self.read(bytes) { .max }.0 == [.headers(stream: 3, block: ByteBuffer(bytes: [1, 2, 3]), endsStream: true)])
        for other in [Self.frame(9, 4, 5, []), Self.frame(6, 0, 0, Array(repeating: 0, count: 8)), Self.frame(0, 0, 3)]
        {
            var bytes = Self.frame(1, 1, 3, [1])
            bytes.writeImmutableBuffer(other)
            #expect(Self.read(bytes) { .max }.1?.code == .protocolError)
        }
    }

    @Test("An endless field block is refused, by its size and by its number of frames", arguments: [0, 16_384])
    func endless(size: Int) {
        var bytes = Self.frame(1, 0, 3, [])
        let part = Self.frame(9, 0, 3, [UInt8](repeating: 1, count: size))
        for _ in 0..<200 { bytes.writeImmutableBuffer(part) }
        #expect(Self.read(bytes) { .max }.1?.code == .enhanceYourCalm)
    }

    @Test("Random bytes in pieces of any size produce the same frames and the same fault", arguments: 1...10)
    func pieces(seed: Int) {
        var random = SeededNumbers(UInt64(seed))
        for _ in 0..<400 {
            var bytes = ByteBuffer()
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let kind = UInt8.random(in: 0...10, using: &random)
                let size =
                    kind == 6 ? 8 : kind == 3 || kind == 8 ? 4 : kind == 4 ? 6 : Int.random(in: 0...40, using: &random)
                let payload = (0..<size).map { _ in UInt8.random(in: 0...20, using: &random) }
                let isRoot = kind == 4 || kind == 6 || kind == 7
                bytes.writeImmutableBuffer(
                    Self.frame(kind, UInt8.random(in: 0...63, using: &random), isRoot ? 0 : 3, payload))
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                bytes.setInteger(
                    UInt8.random(in: 0...255, using: &random), at: Int.random(in: 0..<bytes.writerIndex, using: &random)
                )
            }
            let whole = Self.read(bytes) { .max }
            let parted = Self.read(bytes) { Int.random(in: 1...7, using: &random) }
            #expect(whole.0 == parted.0)
            #expect(whole.1 == parted.1)
        }
    }
}

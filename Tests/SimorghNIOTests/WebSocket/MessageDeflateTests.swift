// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import SimorghCore
import SimorghNIO
import SimorghRealtime
import TestSupport
import Testing

@Suite("permessage-deflate", .timeLimit(.minutes(5)))
struct MessageDeflateTests {
    private static func deflate(_ deflater: MessageDeflater, _ bytes: [UInt8]) -> [UInt8] {
        var output = ByteBuffer()
        bytes.withUnsafeBytes { deflater.compress($0, to: &output, endsMessage: true) }
        return Array(output.readableBytesView)
    }

    /// Inflates a message that arrives in pieces, with limited space for each output.
    private static func inflate(
        _ inflater: MessageInflater, _ bytes: [UInt8], piece: Int = .max, room: Int = .max / 2
    ) throws(WebSocketProtocolError) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let input = Array(rest.prefix(piece))
            var output = ByteBuffer()
            let progress: Result<MessageInflater.Progress, WebSocketProtocolError> = input.withUnsafeBytes { bytes in
                Result { () throws(WebSocketProtocolError) in try inflater.inflate(bytes, to: &output, upTo: room) }
            }
            let step = try progress.get()
            #expect(output.readableBytes == step.produced && step.produced <= room)
            result += output.readableBytesView
            rest = rest.dropFirst(step.taken)
        }
        while true {
            var output = ByteBuffer()
            let given = try inflater.end(to: &output, upTo: room)
            result += output.readableBytesView
            if given < room { break }
        }
        inflater.endMessage()
        return result
    }

    @Test(
        "Messages survive compression with every window size, with and without context takeover",
        arguments: 9...15, [true, false])
    func roundTrip(bits: Int, forgets: Bool) throws {
        var random = SeededNumbers(UInt64(bits))
        let deflater = try #require(MessageDeflater(windowBits: bits, forgetsContext: forgets))
        let inflater = try #require(MessageInflater(windowBits: bits, forgetsContext: forgets))
        for count in [0, 1, 5, 100, 5000, 100_000, 1000] {
            let text = (0..<count).map { _ in UInt8.random(in: 97...101, using: &random) }
            let packed = Self.deflate(deflater, text)
            #expect(!packed.suffix(4).elementsEqual([0, 0, 0xFF, 0xFF]))
            let piece = Int.random(in: 1...max(1, packed.count), using: &random)
            #expect(try Self.inflate(inflater, packed, piece: piece, room: 777) == text)
        }
    }

    @Test("Without context takeover a message is compressed independently of earlier ones")
    func forgets() throws {
        let text = Array("the same again and again".utf8)
        let forgetful = try #require(MessageDeflater(windowBits: 15, forgetsContext: true))
        #expect(Self.deflate(forgetful, text) == Self.deflate(forgetful, text))
        let mindful = try #require(MessageDeflater(windowBits: 15, forgetsContext: false))
        #expect(Self.deflate(mindful, text).count > Self.deflate(mindful, text).count)
    }

    @Test(
        "The examples of RFC 7692 are decompressed",
        arguments: [
            [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00],
            [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
            [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
            [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
        ] as [[UInt8]])
    func examples(bytes: [UInt8]) throws {
        let inflater = try #require(MessageInflater(windowBits: 15, forgetsContext: false))
        for _ in 0..<2 { #expect(try Self.inflate(inflater, bytes) == Array("Hello".utf8)) }
    }

    @Test("Invalid deflate data is a fault", arguments: [[0x07], [0xFF, 0xFF]] as [[UInt8]])
    func nonsense(bytes: [UInt8]) throws {
        let inflater = try #require(MessageInflater(windowBits: 15, forgetsContext: false))
        #expect(throws: WebSocketProtocolError.self) { try Self.inflate(inflater, bytes) }
    }

    @Test("Truncated and corrupt data give the same result with any output space", arguments: [1, 2, 7, 113])
    func littleRoom(room: Int) throws {
        // The first input was found by fuzzing.
        var inputs: [[UInt8]] = [[0x05]] + (0...255).map { [$0] }
        var random = SeededNumbers(UInt64(room))
        inputs += (0..<1000).map { _ in
            (0...Int.random(in: 1...6, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        for input in inputs {
            let whole = try #require(MessageInflater(windowBits: 15, forgetsContext: false))
            let narrow = try #require(MessageInflater(windowBits: 15, forgetsContext: false))
            let expected = try? Self.inflate(whole, input)
            #expect((try? Self.inflate(narrow, input, piece: 1, room: room)) == expected, "\(input)")
        }
    }

    @Test("WebSocketChannel: messages are compressed both ways, except below the threshold, whole and in fragments")
    func webSocket() async throws {
        let peer = try await WebSocketPeer { _ in "Sec-WebSocket-Extensions: permessage-deflate\r\n" }
        let webSocket = try await peer.open {
            $0.compression = .deflate
            $0.maximumFrameSize = 100
        }
        #expect(webSocket.compression?.clientMaximumWindowBits == 15)
        let inflater = try #require(MessageInflater(windowBits: 15, forgetsContext: false))
        let deflater = try #require(MessageDeflater(windowBits: 15, forgetsContext: false))
        try await webSocket.send(.text("short"))
        #expect(await peer.next()?.isCompressed == false)
        var random = SeededNumbers(7)
        let long = (0..<20_000).map { _ in UInt8.random(in: 97...122, using: &random) }
        for isText in [true, false] {
            try await webSocket.send(isText ? .text(String(decoding: long, as: UTF8.self)) : .data(Data(long)))
            #expect(try Self.inflate(inflater, try await Self.message(peer)) == long)
        }
        try await webSocket.send(
            AsyncStream { stream in
                for start in stride(from: 0, to: long.count, by: 3000) {
                    stream.yield(Data(long[start..<min(start + 3000, long.count)]))
                }
                stream.finish()
            }, as: .binary)
        #expect(try Self.inflate(inflater, try await Self.message(peer)) == long)
        let packed = Self.deflate(deflater, long)
        peer.send(WebSocketPeer.frame(1, Array(packed[..<1000]), isFinal: false, isCompressed: true))
        peer.send(WebSocketPeer.frame(0, Array(packed[1000...])))
        #expect(try await webSocket.text() == String(decoding: long, as: UTF8.self))
        peer.send(WebSocketPeer.frame(2, Self.deflate(deflater, []), isCompressed: true))
        #expect(try await webSocket.receive() == .data(Data()))
    }

    private static func message(_ peer: WebSocketPeer) async throws -> [UInt8] {
        var frame = try #require(await peer.next())
        #expect(frame.isCompressed && frame.opcode > 0)
        var bytes = frame.payload
        while !frame.isFinal {
            frame = try #require(await peer.next())
            #expect(!frame.isCompressed && frame.opcode == 0)
            bytes += frame.payload
        }
        return bytes
    }

    @Test("A decompression bomb is stopped at maximumMessageSize, exactly", arguments: [100_000, 100_001, 50_000_000])
    func bomb(size: Int) async throws {
        let peer = try await WebSocketPeer { _ in "Sec-WebSocket-Extensions: permessage-deflate\r\n" }
        let webSocket = try await peer.open {
            $0.compression = .deflate
            $0.maximumMessageSize = 100_000
        }
        let deflater = try #require(MessageDeflater(windowBits: 15, forgetsContext: false))
        peer.send(
            WebSocketPeer.frame(2, Self.deflate(deflater, [UInt8](repeating: 0, count: size)), isCompressed: true))
        if size == 100_000 {
            #expect(try await webSocket.receive()?.byteCount == size)
        } else {
            #expect(await webSocketFailure { try await webSocket.receive() }?.code == .messageTooLarge)
            #expect(await peer.next()?.payload.prefix(2) == [0x03, 0xF1])
        }
    }

    @Test("A decompression bomb that is received in parts arrives in bounded parts")
    func bombInParts() async throws {
        let peer = try await WebSocketPeer { _ in "Sec-WebSocket-Extensions: permessage-deflate\r\n" }
        let webSocket = try await peer.open {
            $0.compression = .deflate
            $0.maximumMessageSize = 100_000
        }
        let deflater = try #require(MessageDeflater(windowBits: 15, forgetsContext: false))
        async let parts = webSocket.receiveParts()
        peer.send(
            WebSocketPeer.frame(2, Self.deflate(deflater, [UInt8](repeating: 3, count: 9_000_000)), isCompressed: true))
        var count = 0
        for try await part in try #require(try await parts) {
            #expect(part.count <= 300_000)
            count += part.count
        }
        #expect(count == 9_000_000)
    }

    @Test("Compressed text must be valid UTF-8, and invalid deflate data or frames are faults", arguments: [0, 1, 2])
    func faults(kind: Int) async throws {
        let peer = try await WebSocketPeer { _ in "Sec-WebSocket-Extensions: permessage-deflate\r\n" }
        let webSocket = try await peer.open { $0.compression = .deflate }
        let deflater = try #require(MessageDeflater(windowBits: 15, forgetsContext: false))
        switch kind {
        case 0: peer.send(WebSocketPeer.frame(1, Self.deflate(deflater, [0x61, 0xFF]), isCompressed: true))
        case 1: peer.send(WebSocketPeer.frame(2, [0x07], isCompressed: true))
        default: peer.send(WebSocketPeer.frame(0, [0], isCompressed: true))
        }
        let error = await webSocketFailure { try await webSocket.receive() }
        #expect(error?.closeCode == (kind == 2 ? 1002 : 1007))
    }
}

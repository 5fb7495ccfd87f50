// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOPosix
import SimorghCore
import SimorghNIO
import SimorghRealtime
import Synchronization
import TestSupport
import Testing

@Suite("WebSocketChannel", .timeLimit(.minutes(5)))
struct WebSocketChannelTests {
    @Test("Text and binary messages of every frame length are sent masked, and received")
    func echo() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        for count in [0, 1, 125, 126, 4096, 4097, 65_535, 65_536, 300_000] {
            let text = String(repeating: "é", count: count / 2) + (count % 2 == 0 ? "" : "x")
            try await webSocket.send(.text(text))
            try await webSocket.send(.data(Data(text.utf8)))
            for opcode: UInt8 in [1, 2] {
                let frame = try #require(await peer.next())
                #expect(frame.opcode == opcode && frame.isFinal && frame.isMasked && !frame.isCompressed)
                #expect(frame.payload == Array(text.utf8))
            }
            peer.send(1, text)
            peer.send(WebSocketPeer.frame(2, Array(text.utf8)))
            #expect(try await webSocket.receive() == .text(text))
            #expect(try await webSocket.receive() == .data(Data(text.utf8)))
        }
        #expect(webSocket.response.head.status.code == 101)
        #expect(webSocket.response.connection?.applicationProtocol == "http/1.1")
    }

    @Test("A frame in the same packet as the handshake response is not lost")
    func early() async throws {
        let peer = try await WebSocketPeer(behind: WebSocketPeer.frame(1, Array("first".utf8)))
        let webSocket = try await peer.open()
        #expect(try await webSocket.text() == "first")
    }

    @Test("Frames are read however they are split", arguments: [1, 2, 3, 7, 64])
    func pieces(size: Int) async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        var bytes = WebSocketPeer.frame(1, Array("héllo".utf8), isFinal: false)
        bytes += WebSocketPeer.frame(9, Array("ping".utf8))
        bytes += WebSocketPeer.frame(0, Array(" wörld".utf8))
        bytes += WebSocketPeer.frame(2, [UInt8](repeating: 7, count: 300))
        for start in stride(from: 0, to: bytes.count, by: size) {
            peer.send(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(try await webSocket.text() == "héllo wörld")
        #expect(try await webSocket.receive() == .data(Data(repeating: 7, count: 300)))
        let pong = await peer.next()
        #expect(pong?.opcode == 10 && pong?.text == "ping")
    }

    @Test("The server's subprotocol is reported, and an unoffered one is an error")
    func subprotocol() async throws {
        let peer = try await WebSocketPeer { _ in "Sec-WebSocket-Protocol: soap\r\n" }
        let webSocket = try await peer.open { $0.subprotocols = ["chat", "soap"] }
        #expect(webSocket.subprotocol == "soap")
        let error = await failure { try await peer.open { $0.subprotocols = ["chat"] } }
        #expect(error?.code == .badServerResponse)
        #expect((error?.underlying as? WebSocketHandshakeError)?.reason == .subprotocol)
        let invalid = await failure { try await peer.open { $0.subprotocols = ["a b"] } }
        #expect(invalid?.phase == .total)
        let twice = await failure { try await peer.open { $0.subprotocols = ["a", "a"] } }
        #expect(twice?.phase == .total)
    }

    @Test("A response with a wrong Sec-WebSocket-Accept is an error")
    func wrongAccept() async throws {
        let server = try await RawServer(answersAtHead: true) { _ in
            [
                .send(
                    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")
            ]
        }
        var request = TransportRequest.get(server)
        request.head.scheme = "ws"
        let error = await failure { [request] in
            try await NIOTransport.shared.open(request, options: WebSocketChannelOptions())
        }
        #expect((error?.underlying as? WebSocketHandshakeError)?.reason == .accept)
        try await eventually { server.open == 0 }
    }

    @Test("SIM18: a server that rejects the upgrade shows its status, its fields and its body")
    func refused() async throws {
        let server = try await RawServer.answering(
            "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nlate", answersAtHead: true)
        var request = TransportRequest.get(server)
        request.head.scheme = "ws"
        guard
            case .refused(let response) = try await NIOTransport.shared.open(
                request, options: WebSocketChannelOptions())
        else {
            Issue.record("the refusal was taken for an acceptance")
            return
        }
        #expect(response.head.status.code == 503)
        #expect(response.head.headerFields[.retryAfter] == "7")
        #expect(response.body.collectedBytes == Data("late".utf8))
        #expect(server.requests.first?.text.contains("Host: \(server.authority)\r\n") == true)
    }

    @Test(
        "A protocol violation closes the connection with its code, after the messages before it",
        arguments: [
            ([0x91, 0x00], 1002), ([0x83, 0x00], 1002), ([0x81, 0x81, 1, 2, 3, 4, 5], 1002), ([0x80, 0x00], 1002),
            ([0x09, 0x00], 1002), ([0xC1, 0x00], 1002), ([0x89, 0x7E, 0x00, 0x7E], 1002), ([0x88, 0x01, 0x03], 1002),
            ([0x88, 0x02, 0x03, 0xED], 1002), ([0x81, 0x01, 0xFF], 1007), ([0x01, 0x02, 0xC3, 0x28], 1007),
            ([0x81, 0x7E, 0x04, 0x01], 1009), ([0x88, 0x03, 0x03, 0xE8, 0xFF], 1007), ([0x81, 0x02, 0xE2, 0x82], 1007),
            // A frame of which only the first bytes arrive.
            ([0x81, 0x7E, 0x03, 0xE8, 0x61, 0xF8], 1007),
        ] as [([UInt8], UInt16)])
    func faults(bytes: [UInt8], code: UInt16) async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.maximumMessageSize = 1024 }
        peer.send(WebSocketPeer.frame(1, Array("before".utf8)) + bytes)
        #expect(try await webSocket.text() == "before")
        try await webSocket.send(.text("answer"))
        let error = await webSocketFailure { try await webSocket.receive() }
        #expect(error?.closeCode?.rawValue == code)
        #expect(webSocket.closure?.isClean == false && webSocket.closure?.code.rawValue == code)
        #expect(await peer.next()?.text == "answer")
        let goodbye = try #require(await peer.next())
        #expect(goodbye.opcode == 8 && Array(goodbye.payload.prefix(2)) == [UInt8(code >> 8), UInt8(code & 0xFF)])
        let late = await webSocketFailure { try await webSocket.send(.text("late")) }
        #expect(late != nil)
        peer.close()
        try await eventually { peer.hasEnded }
    }

    @Test(
        "A message of maximumMessageSize is received, and one byte more is messageTooLarge", arguments: [true, false])
    func limit(inFragments: Bool) async throws {
        for count in [1000, 1001] {
            let peer = try await WebSocketPeer()
            let webSocket = try await peer.open { $0.maximumMessageSize = 1000 }
            let bytes = [UInt8](repeating: 65, count: count)
            if inFragments {
                peer.send(WebSocketPeer.frame(1, Array(bytes[..<600]), isFinal: false))
                peer.send(WebSocketPeer.frame(0, Array(bytes[600...])))
            } else {
                peer.send(WebSocketPeer.frame(1, bytes))
            }
            if count == 1000 {
                #expect(try await webSocket.text()?.utf8.count == 1000)
            } else {
                #expect(await webSocketFailure { try await webSocket.receive() }?.code == .messageTooLarge)
                #expect(await peer.next()?.payload.prefix(2) == [0x03, 0xF1])
            }
        }
    }

    @Test("A message of 65,537 fragments is received")
    func manyFragments() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        var bytes = WebSocketPeer.frame(2, [1], isFinal: false)
        for _ in 0..<65_535 { bytes += WebSocketPeer.frame(0, [1], isFinal: false) }
        peer.send(bytes + WebSocketPeer.frame(0, [1]))
        #expect(try await webSocket.receive() == .data(Data(repeating: 1, count: 65_537)))
    }

    @Test("A message can be sent in parts, and no other message is interleaved")
    func sendsParts() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        let (parts, writer) = AsyncStream.makeStream(of: Data.self)
        async let sending: Void = webSocket.send(parts, as: .text)
        writer.yield(Data("hé".utf8.prefix(2)))
        #expect(await peer.next()?.isFinal == false)
        async let other: Void = webSocket.send(.text("other"))
        writer.yield(Data("hé".utf8.suffix(1)))
        #expect(await peer.next()?.opcode == 0)
        writer.finish()
        try await sending
        try await other
        let end = await peer.next()
        #expect(end?.opcode == 0 && end?.isFinal == true && end?.payload.isEmpty == true)
        #expect(await peer.next()?.text == "other")
    }

    @Test("A text message in parts that is not valid UTF-8 is not completed")
    func badParts() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        let error = await webSocketFailure {
            try await webSocket.send(
                AsyncStream {
                    $0.yield(Data([0xC3])); $0.finish()
                }, as: .text)
        }
        #expect(error?.code == .invalidArgument)
        try await eventually { peer.hasEnded }
    }

    @Test("A message above maximumMessageSize can be received in parts", arguments: [false, true])
    func receivesParts(isEarly: Bool) async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open {
            $0.maximumMessageSize = 1000
            $0.receiveBufferSize = 4000
        }
        let whole = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        let bytes =
            WebSocketPeer.frame(2, Array(whole[..<500]), isFinal: false) + WebSocketPeer.frame(0, Array(whole[500...]))
        if isEarly { peer.send(bytes) }
        async let parts = webSocket.receiveParts()
        if !isEarly { peer.send(bytes) }
        let message = try #require(try await parts)
        #expect(message.kind == .binary)
        var count = 0
        for try await part in message {
            #expect(Array(part) == Array(whole[count..<(count + part.count)]))
            count += part.count
        }
        #expect(count == whole.count)
        peer.send(1, "whole again")
        #expect(try await webSocket.text() == "whole again")
    }

    @Test("receiveParts: a buffered message is one part, and the rest of an abandoned message is skipped")
    func partsAndWhole() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.receiveBufferSize = 1_000_000 }
        peer.send(1, "here")
        peer.send(9, "x")
        #expect(await peer.next()?.opcode == 10)
        let first = try #require(try await webSocket.receiveParts())
        var text = ""
        for try await part in first { text += String(decoding: part, as: UTF8.self) }
        #expect(text == "here" && first.kind == .text)
        async let parts = webSocket.receiveParts()
        await Task.yield()
        peer.send(WebSocketPeer.frame(2, [UInt8](repeating: 1, count: 100_000), isFinal: false))
        let second = try #require(try await parts)
        var iterator = second.makeAsyncIterator()
        _ = try await iterator.next()
        peer.send(WebSocketPeer.frame(0, [2, 2]))
        peer.send(1, "next")
        #expect(try await webSocket.text() == "next")
    }

    @Test("ping returns the round-trip time, and a later PONG completes earlier pings")
    func pings() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        async let first = webSocket.ping(Data("one".utf8))
        #expect(await peer.next()?.text == "one")
        async let second = webSocket.ping(Data("two".utf8))
        #expect(await peer.next()?.text == "two")
        peer.send(10, "unasked")
        peer.send(10, "two")
        #expect(try await first >= second)
        let error = await webSocketFailure { try await webSocket.ping(Data(repeating: 0, count: 126)) }
        #expect(error?.code == .invalidArgument)
    }

    @Test(
        "The closing handshake completes from either side, and earlier messages can still be received",
        arguments: [true, false])
    func closes(isOurs: Bool) async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        peer.send(1, "last")
        if isOurs {
            async let closure = webSocket.close(code: 4000, reason: "enough")
            let goodbye = await peer.next()
            #expect(goodbye?.opcode == 8 && goodbye?.payload == [0x0F, 0xA0] + Array("enough".utf8))
            peer.send(WebSocketPeer.frame(8, [0x0F, 0xA0]))
            let end = await closure
            #expect(end == WebSocketCloseInfo(code: 4000, isClean: true, initiator: .local))
        } else {
            peer.send(WebSocketPeer.frame(8, [0x03, 0xE9] + Array("bye".utf8)))
            #expect(await peer.next()?.payload == [0x03, 0xE9])
        }
        #expect(try await webSocket.text() == "last")
        #expect(try await webSocket.receive() == nil)
        #expect(try await webSocket.receive() == nil)
        #expect(webSocket.closure?.isClean == true)
        #expect(await webSocketFailure { try await webSocket.send(.text("late")) }?.code == .closed)
        #expect(await webSocketFailure { try await webSocket.ping() }?.code == .closed)
        peer.close()
        #expect(await webSocket.close() == webSocket.closure)
    }

    @Test("A second concurrent receive() throws alreadyReading")
    func twoReaders() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        await withTaskGroup(of: WebSocketError?.self) { group in
            for _ in 0..<2 { group.addTask { await webSocketFailure { try await webSocket.receive() } } }
            #expect(await group.next()??.code == .alreadyReading)
            peer.send(1, "x")
            #expect(await group.next() == .some(nil))
        }
    }

    @Test("Concurrent senders send whole messages, in order per task")
    func manySenders() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open {
            $0.sendBufferSize = 10_000
            $0.maximumFrameSize = 3000
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<20 {
                group.addTask {
                    for number in 0..<20 {
                        let filler = String(repeating: "x", count: number % 4 == 0 ? 7000 : 10)
                        try await webSocket.send(.text("\(task) \(number) \(filler)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        var next = [Int](repeating: 0, count: 20)
        for _ in 0..<400 {
            var frame = try #require(await peer.next())
            var text = frame.text
            #expect(frame.opcode == 1)
            while !frame.isFinal {
                frame = try #require(await peer.next())
                #expect(frame.opcode == 0)
                text += frame.text
            }
            let words = text.split(separator: " ")
            let (task, number) = (try #require(Int(words[0])), try #require(Int(words[1])))
            #expect(next[task] == number)
            #expect(words[2].count == (number % 4 == 0 ? 7000 : 10))
            next[task] += 1
        }
    }

    @Test("A message whose first frame was sent is completed before the close frame", arguments: [false, true])
    func wholeMessage(isCompressed: Bool) async throws {
        let peer = try await WebSocketPeer { _ in isCompressed ? WebSocketPeer.deflates : "" }
        let webSocket = try await peer.open {
            $0.maximumFrameSize = 1
            $0.compression = isCompressed ? .deflate : nil
        }
        var random = SeededNumbers(6)
        let message = Data((0..<10_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        async let sending: Void = webSocket.send(.data(message))
        try await eventually { peer.frameCount > 0 }
        peer.send(WebSocketPeer.frame(8, [0x03, 0xE9]))
        var count = 1
        var frame = try #require(await peer.next())
        #expect(frame.opcode == 2 && frame.isCompressed == isCompressed)
        while !frame.isFinal {
            frame = try #require(await peer.next())
            try #require(frame.opcode == 0)
            count += 1
        }
        #expect(count >= message.count)
        #expect(await peer.next()?.payload == [0x03, 0xE9])
        try await sending
    }

    @Test("A WebSocket opened on an event loop runs on that loop")
    func eventLoop() async throws {
        let transport = NIOTransport()
        @Sendable func here() -> ObjectIdentifier? {
            MultiThreadedEventLoopGroup.currentEventLoop.map { ObjectIdentifier($0) }
        }
        for _ in 0..<10 {
            let peer = try await WebSocketPeer()
            let told = Mutex<ObjectIdentifier?>(nil)
            try await transport.withEventLoop {
                let webSocket = try await peer.open(transport) { $0.onPong = { _ in told.withLock { $0 = here() } } }
                peer.send(WebSocketPeer.frame(10, [1]))
                try await eventually { told.withLock { $0 != nil } }
                #expect(here() != nil && told.withLock { $0 == here() })
                webSocket.drop()
            }
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("ByteStreamWebSocketChannel", .timeLimit(.minutes(5)))
struct ByteStreamWebSocketChannelTests {
    @Test("Messages of every frame length are sent masked and received, over a pipe with little room")
    func echo() async throws {
        let (channel, peer) = try await PipePeer.connected(room: 500)
        let server = Task {
            while let frame = await peer.next(), frame.opcode != 8 {
                try await peer.send(PipePeer.frame(frame.opcode, frame.payload))
            }
        }
        for count in [0, 1, 125, 126, 4096, 4097, 65_535, 65_536, 200_000] {
            let text = String(repeating: "x", count: count)
            try await channel.send(.text(text))
            #expect(try await channel.receive() == .text(text))
            try await channel.send(.data(Data(text.utf8)))
            #expect(try await channel.receive() == .data(Data(text.utf8)))
        }
        channel.drop()
        _ = await server.result
    }

    @Test("A frame that arrives with the handshake response is not lost")
    func early() async throws {
        let (channel, _) = try await PipePeer.connected(behind: PipePeer.text("first"))
        #expect(try await channel.receive() == .text("first"))
    }

    @Test("A ping is answered while no task reads, and a ping of this side measures the round trip")
    func pings() async throws {
        let (channel, peer) = try await PipePeer.connected()
        try await peer.send(PipePeer.frame(9, [1, 2, 3]))
        let pong = await peer.next()
        #expect(pong?.opcode == 10 && pong?.payload == [1, 2, 3])
        async let time = channel.ping(Data("hello".utf8))
        let ping = await peer.next()
        #expect(ping?.opcode == 9 && ping?.text == "hello")
        try await peer.send(PipePeer.frame(10, ping?.payload ?? []))
        #expect(try await time >= .zero)
        await #expect(throws: WebSocketError.self) { try await channel.ping(Data(count: 126)) }
    }

    @Test("The server's close frame is answered, and ends the messages without an error")
    func closedByServer() async throws {
        let (channel, peer) = try await PipePeer.connected()
        try await peer.send(PipePeer.text("last") + PipePeer.frame(8, [0x03, 0xE9, 0x62]))
        try await peer.stream.closeWriting()
        #expect(try await channel.receive() == .text("last"))
        #expect(try await channel.receive() == nil)
        #expect(channel.closure?.code == .goingAway && channel.closure?.reason == "b")
        let answer = await peer.next()
        #expect(answer?.opcode == 8 && answer?.payload == [0x03, 0xE9])
        #expect(await peer.next() == nil)
    }

    @Test("close() sends a close frame after the queued messages, and waits for that of the server")
    func close() async throws {
        let (channel, peer) = try await PipePeer.connected()
        try await channel.send(.text("before"))
        async let closure = channel.close(code: .goingAway, reason: "bye")
        #expect(await peer.next()?.text == "before")
        let goodbye = await peer.next()
        #expect(goodbye?.opcode == 8 && goodbye?.payload == [0x03, 0xE9] + Array("bye".utf8))
        try await peer.send(PipePeer.frame(8, [0x03, 0xE9]))
        #expect(await closure.isClean)
        peer.stream.abort()
    }

    @Test("A server that does not answer a close frame is left after closeTimeout")
    func closeTimeout() async throws {
        let clock = TestClock()
        let (channel, peer) = try await PipePeer.connected(time: clock.timeSource) {
            $0.closeTimeout = .seconds(5)
        }
        async let closure = channel.close(code: .normal, reason: "")
        #expect(await peer.next()?.opcode == 8)
        try await clock.sleeping(for: .seconds(5))
        clock.advance(by: .seconds(5))
        #expect(await closure.failure?.code == .closeTimedOut)
        #expect(await peer.next() == nil)
    }

    @Test("A server that does not answer a ping is left after pongTimeout")
    func pongTimeout() async throws {
        let clock = TestClock()
        let (channel, peer) = try await PipePeer.connected(time: clock.timeSource) {
            $0.pingInterval = .seconds(30)
            $0.pongTimeout = .seconds(10)
        }
        async let message = channel.receive()
        try await clock.sleeping(for: .seconds(30))
        clock.advance(by: .seconds(30))
        #expect(await peer.next()?.opcode == 9)
        try await clock.sleeping(for: .seconds(10))
        clock.advance(by: .seconds(10))
        do {
            _ = try await message
            Issue.record("a message was received")
        } catch {
            #expect((error as? WebSocketError)?.code == .pongTimedOut)
        }
        #expect(await peer.next() == nil)
    }

    @Test("A connection that ends without a close frame is lost for readers, senders and pings")
    func lost() async throws {
        let (channel, peer) = try await PipePeer.connected()
        async let ping = channel.ping()
        try await eventually { peer.stream.unread > 0 }
        peer.stream.abort()
        await #expect(throws: WebSocketError.self) { try await channel.receive() }
        do {
            _ = try await ping
            Issue.record("a ping was answered")
        } catch {
            #expect((error as? WebSocketError)?.code == .connectionLost)
        }
        await #expect(throws: WebSocketError.self) { try await channel.send(.text("late")) }
        #expect(channel.closure?.code == .abnormalClosure)
    }

    @Test("A reader that takes nothing stops the server, and a cancelled reader takes no message")
    func backPressure() async throws {
        let (channel, peer) = try await PipePeer.connected(room: 1000) { $0.receiveBufferSize = 5000 }
        let reader = Task { try await channel.receive() }
        reader.cancel()
        await #expect(throws: WebSocketError.self) { try await reader.value }
        let sent = LockedValue(0)
        let server = Task {
            for number in 0..<300 {
                try await peer.send(PipePeer.text("\(number)" + String(repeating: "x", count: 100)))
                sent.change { $0 = number + 1 }
            }
        }
        // The buffer, what one read brings, and the pipe hold fewer messages than these.
        try await eventually { sent.value >= 25 }
        await yieldToOthers(turns: 200)
        #expect(sent.value < 299)
        for number in 0..<300 {
            guard case .text(let text)? = try await channel.receive() else { break }
            #expect(text.hasPrefix("\(number)x"))
        }
        try await server.value
    }

    @Test("A sender waits while the server does not read, and a cancelled one sends nothing")
    func slowServer() async throws {
        let (channel, peer) = try await PipePeer.connected(room: 100) { $0.sendBufferSize = 1000 }
        let sent = LockedValue(0)
        let sender = Task {
            for _ in 0..<100 {
                try await channel.send(.text(String(repeating: "x", count: 200)))
                sent.change { $0 += 1 }
            }
        }
        try await eventually { sent.value >= 2 }
        await yieldToOthers(turns: 200)
        #expect(sent.value < 100)
        let late = Task { try await channel.send(.text("never")) }
        late.cancel()
        await #expect(throws: WebSocketError.self) { try await late.value }
        for _ in 0..<100 { #expect(await peer.next()?.payload.count == 200) }
        try await sender.value
        try await channel.send(.text("end"))
        #expect(await peer.next()?.text == "end")
    }

    @Test("Compressed messages, whole and in parts, arrive as they were sent")
    func compression() async throws {
        let (channel, peer) = try await PipePeer.connected(fields: "Sec-WebSocket-Extensions: permessage-deflate\r\n") {
            $0.compression = .deflate
        }
        #expect(channel.compression != nil)
        let text = String(repeating: "compressed ", count: 500)
        try await channel.send(.text(text))
        let frame = try #require(await peer.next())
        #expect(frame.isCompressed && frame.payload.count < 500)
        try await peer.send([0xC1, UInt8(frame.payload.count)] + frame.payload)
        #expect(try await channel.receive() == .text(text))
    }

    @Test("The release of the last reference drops the connection")
    func release() async throws {
        var (channel, peer): ((any WebSocketChannel)?, PipePeer) = try await PipePeer.connected()
        #expect(channel?.closure == nil)
        channel = nil
        #expect(await peer.next() == nil)
    }

    @Test(
        "Randomly split frames, pings, readers in parts and cancellations: each message is received once and whole",
        arguments: 1...40 as ClosedRange<UInt64>)
    func random(seed: UInt64) async throws {
        var random = SeededNumbers(seed)
        let limit = Int.random(in: 1...2000, using: &random)
        let (channel, peer) = try await PipePeer.connected(
            room: Int.random(in: 1...3000, using: &random), seed: seed
        ) {
            $0.maximumMessageSize = limit
            $0.receiveBufferSize = Int.random(in: 1...4000, using: &random)
        }
        var messages: [[UInt8]] = []
        var bytes: [UInt8] = []
        for _ in 0..<40 {
            let message = random.bytes(Int.random(in: 0...limit, using: &random))
            messages.append(message)
            let split = Int.random(in: 0...message.count, using: &random)
            bytes += PipePeer.frame(2, Array(message[..<split]), isFinal: false)
            if Bool.random(using: &random) { bytes += PipePeer.frame(9, [7]) }
            bytes += PipePeer.frame(0, Array(message[split...]))
        }
        bytes += PipePeer.frame(8, [0x03, 0xE8])
        let server = Task { [bytes] in
            var pongs = 0
            let sending = Task { try await peer.send(bytes) }
            while let frame = await peer.next(), frame.opcode != 8 { pongs += frame.opcode == 10 ? 1 : 0 }
            _ = await sending.result
            peer.stream.abort()
            return pongs
        }
        var received: [[UInt8]] = []
        while true {
            let inParts = Bool.random(using: &random)
            let task = Task {
                guard inParts else { return try await channel.receive().map { Array($0.bytes) } }
                guard let parts = try await channel.receiveParts() else { return nil as [UInt8]? }
                return try await Task {
                    var all: [UInt8] = []
                    for try await part in parts { all += part }
                    return all
                }.value
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                await yieldToOthers(turns: Int.random(in: 0...10, using: &random))
                task.cancel()
            }
            do {
                guard let message = try await task.value else { break }
                received.append(message)
            } catch {
                #expect((error as? WebSocketError)?.code == .cancelled, "seed \(seed): \(error)")
                guard (error as? WebSocketError)?.code == .cancelled else { break }
            }
        }
        #expect(received == messages, "seed \(seed)")
        #expect(channel.closure?.isClean == true, "seed \(seed)")
        _ = await server.value
    }
}

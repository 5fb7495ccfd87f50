// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import SimorghCore
import SimorghNIO
import SimorghRealtime
import Synchronization
import TestSupport
import Testing

@Suite("WebSocketChannel: limits", .timeLimit(.minutes(5)))
struct WebSocketBoundTests {
    private static let tooLarge: [UInt8] = [0x03, 0xF1]

    @Test(
        "Extreme limits do not trap or hang", arguments: [.max, .min, 0, -1, 1 << 33] as [Int],
        [false, true])
    func extremes(value: Int, isCompressed: Bool) async throws {
        let peer = try await WebSocketPeer { _ in isCompressed ? WebSocketPeer.deflates : "" }
        let webSocket = try await peer.open {
            $0.maximumMessageSize = value
            $0.receiveBufferSize = value
            $0.sendBufferSize = value
            $0.maximumFrameSize = value
            $0.compression = isCompressed ? .deflate : nil
            $0.compression?.threshold = value
        }
        try await webSocket.send(.text("hello"))
        try await webSocket.send(
            AsyncStream {
                $0.yield(Data("hello".utf8)); $0.finish()
            }, as: .text)
        for _ in 0..<2 { while let frame = await peer.next(), !frame.isFinal {} }
        let hello = Array("hello".utf8)
        peer.send(isCompressed ? WebSocketPeer.compressed(1, hello) : WebSocketPeer.frame(1, hello))
        if value > 0 {
            #expect(try await webSocket.text() == "hello")
        } else {
            #expect(await webSocketFailure { try await webSocket.receive() }?.code == .messageTooLarge)
        }
    }

    @Test("send waits while the server reads nothing, and continues when it does")
    func backPressure() async throws {
        // Much more than the network buffers.
        let (count, size) = (250, 100_000)
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.sendBufferSize = size }
        try await peer.setReading(false)
        let sent = Mutex(0)
        async let done: Void = {
            for _ in 0..<count {
                try await webSocket.send(.data(Data(count: size)))
                sent.withLock { $0 += 1 }
            }
        }()
        try await eventually { sent.withLock { $0 > 0 } }
        await yieldToOthers(turns: 5000)
        #expect(sent.withLock { $0 } < count)
        try await peer.setReading(true)
        for _ in 0..<count { #expect(await peer.next()?.payload.count == size) }
        try await done
        #expect(sent.withLock { $0 } == count)
    }

    @Test("messageTooLarge is reported behind a full receive buffer", arguments: [false, true])
    func behindFullInbox(isCompressed: Bool) async throws {
        let peer = try await WebSocketPeer { _ in isCompressed ? WebSocketPeer.deflates : "" }
        let webSocket = try await peer.open {
            $0.receiveBufferSize = 1000
            $0.maximumMessageSize = 1000
            $0.compression = isCompressed ? .deflate : nil
        }
        let small = WebSocketPeer.frame(2, [UInt8](repeating: 1, count: 900))
        let large = [UInt8](repeating: 2, count: 10_000_000)
        peer.send(
            small + small + (isCompressed ? WebSocketPeer.compressed(2, large) : WebSocketPeer.frame(2, large)))
        for _ in 0..<2 { #expect(try await webSocket.receive()?.byteCount == 900) }
        #expect(await webSocketFailure { try await webSocket.receive() }?.code == .messageTooLarge)
        #expect(await peer.next()?.payload.prefix(2) == Self.tooLarge[...])
    }

    @Test("A cancelled receiveParts() does not make the next reader take a message above the limit", arguments: 0..<50)
    func leftBeforeParts(round: Int) async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.maximumMessageSize = 1000 }
        peer.send(
            WebSocketPeer.frame(2, [UInt8](repeating: 1, count: 100_000)) + WebSocketPeer.frame(1, [101, 110, 100]))
        let task = Task { _ = try await webSocket.receiveParts() }
        await yieldToOthers(turns: round)
        task.cancel()
        _ = await task.result
        do {
            #expect(try await webSocket.text() == "end")
        } catch {
            #expect((error as? WebSocketError)?.code == .messageTooLarge)
        }
    }

    @Test("A message whose reader was cancelled is whole for the next reader", arguments: [false, true])
    func begunAndLeft(inParts: Bool) async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        // After receiveParts() a message is delivered in parts, also to the next reader if the first one was cancelled.
        let begin = WebSocketPeer.frame(2, [1, 2], isFinal: false) + WebSocketPeer.frame(0, [3], isFinal: false)
        let end = WebSocketPeer.frame(0, [4], isFinal: false) + WebSocketPeer.frame(0, [5, 6])
        for round in 0..<40 {
            let asker = Task { try await webSocket.receiveParts() }
            await yieldToOthers(turns: round)
            asker.cancel()
            #expect(await webSocketFailure { _ = try await asker.value }?.code == .cancelled)
            peer.send(begin + WebSocketPeer.frame(9, [1]))
            #expect(await peer.next()?.opcode == 10)
            let taker = Task { try await webSocket.receive() }
            await yieldToOthers(turns: 50)
            taker.cancel()
            #expect(await webSocketFailure { _ = try await taker.value }?.code == .cancelled)
            peer.send(end)
            var bytes: [UInt8] = []
            if inParts {
                for try await part in try #require(try await webSocket.receiveParts()) { bytes += part }
            } else {
                bytes = Array(try #require(try await webSocket.receive()).bytes)
            }
            #expect(bytes == Array(1...6), "round \(round)")
        }
    }

    @Test("takeMessage returns buffered messages without waiting, and reading resumes when the buffer has space")
    func takenAtOnce() async throws {
        let peer = try await WebSocketPeer()
        let opened = try await peer.open { $0.receiveBufferSize = 500 }
        guard let webSocket = opened as? any EventLoopWebSocketChannel else {
            Issue.record("the WebSocket has no event loop")
            return
        }
        #expect(webSocket.takeBufferedMessage(upTo: .max) == nil)
        let numbers = (100..<200).map(String.init)
        for number in numbers { peer.send(1, number) }
        #expect(try await webSocket.text() == "100")
        var texts = ["100"]
        while texts.count < numbers.count {
            // A message above the requested size stays in the buffer.
            #expect(webSocket.takeBufferedMessage(upTo: 2) == nil)
            if case .text(let text)? = webSocket.takeBufferedMessage(upTo: 3) {
                texts.append(text)
            } else {
                await Task.yield()
            }
        }
        #expect(texts == numbers)
        // takeMessage does not return a message that is received in parts.
        async let parts = webSocket.receiveParts()
        await yieldToOthers()
        peer.send(WebSocketPeer.frame(2, [1, 2], isFinal: false) + WebSocketPeer.frame(9, [1]))
        #expect(await peer.next()?.opcode == 10)
        #expect(webSocket.takeBufferedMessage(upTo: .max) == nil)
        peer.send(WebSocketPeer.frame(0, [3]) + WebSocketPeer.frame(1, [97]))
        var bytes: [UInt8] = []
        for try await part in try #require(try await parts) { bytes += part }
        #expect(bytes == [1, 2, 3])
        #expect(try await webSocket.text() == "a")
    }

    @Test("Messages before one above the limit are received first, and that one can be received in parts")
    func beforeOverflow() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.maximumMessageSize = 1000 }
        async let first = webSocket.text()
        await yieldToOthers()
        peer.send(
            WebSocketPeer.frame(1, Array("before".utf8)) + WebSocketPeer.frame(2, [UInt8](repeating: 1, count: 1500)))
        #expect(try await first == "before")
        let parts = try #require(try await webSocket.receiveParts())
        var count = 0
        for try await part in parts { count += part.count }
        #expect(count == 1500)
    }

    @Test("close() skips a message that no reader has taken, and the server's close frame behind it is received")
    func closeWhileUndecided() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.maximumMessageSize = 1000 }
        let large = WebSocketPeer.frame(2, [UInt8](repeating: 1, count: 10_000_000))
        peer.send(WebSocketPeer.frame(9, [1]) + large[..<20])
        #expect(await peer.next()?.opcode == 10)
        async let closure = webSocket.close()
        #expect(await peer.next()?.opcode == 8)
        peer.send(Array(large[20...]) + WebSocketPeer.frame(1, [97]) + WebSocketPeer.frame(8, [0x03, 0xE8]))
        #expect(await closure.isClean)
        #expect(await webSocketFailure { try await webSocket.receive() }?.code == .messageTooLarge)
        #expect(try await webSocket.receive() == nil)
    }

    @Test("close() ends if the connection ended before a message that no reader takes")
    func closeBehindEnd() async throws {
        let peer = try await WebSocketPeer { _ in WebSocketPeer.deflates }
        let webSocket = try await peer.open {
            $0.maximumMessageSize = 1000
            $0.compression = .deflate
        }
        peer.send(WebSocketPeer.compressed(2, [UInt8](repeating: 0, count: 1_000_000)))
        peer.close()
        try await eventually { peer.hasEnded }
        // The end is detected here as well when sending fails.
        try await eventually { await webSocketFailure { try await webSocket.send(.text("x")) } != nil }
        #expect(await webSocket.close().isClean == false)
    }

    @Test("A message whose middle was dropped during close() does not end as if it were complete")
    func cutBehindGoodbye() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.receiveBufferSize = 100 }
        peer.send(WebSocketPeer.frame(2, [UInt8](repeating: 0, count: 10), isFinal: false))
        var parts = try #require(try await webSocket.receiveParts()).makeAsyncIterator()
        #expect(try await parts.next()?.count == 10)
        async let closure = webSocket.close()
        #expect(await peer.next()?.opcode == 8)
        let middle = WebSocketPeer.frame(0, [UInt8](repeating: 1, count: 60), isFinal: false)
        // The first part may go to a waiting reader, the second one is kept, and the third is dropped at the latest.
        peer.send(middle + middle + middle)
        #expect(try await parts.next()?.count == 60)
        peer.send(WebSocketPeer.frame(0, [2]) + WebSocketPeer.frame(8, [0x03, 0xE8]))
        await #expect {
            while try await parts.next() != nil {}
        } throws: {
            ($0 as? WebSocketError)?.code == .closed
        }
        #expect(await closure.isClean)
        #expect(try await webSocket.receive() == nil)
    }

    @Test("A fault that no reader takes is reported to the server after closeTimeout")
    func faultUntaken() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.closeTimeout = .milliseconds(20) }
        peer.send(WebSocketPeer.frame(1, Array("before".utf8)) + [0x83, 0x00])
        let goodbye = await peer.next()
        #expect(goodbye?.opcode == 8 && goodbye?.payload.prefix(2) == [0x03, 0xEA])
        #expect(try await webSocket.text() == "before")
        #expect(await webSocketFailure { try await webSocket.receive() }?.code == .protocolViolation)
    }

    @Test("A server that exceeds maximumMessageSize reads the close code and then the end, after the WebSocket is gone")
    func reasonArrives() async throws {
        let peer = try await WebSocketPeer()
        do {
            let webSocket = try await peer.open { $0.maximumMessageSize = 1000 }
            peer.send(WebSocketPeer.frame(2, [UInt8](repeating: 7, count: 50_000_000)))
            #expect(await webSocketFailure { try await webSocket.receive() }?.code == .messageTooLarge)
        }
        let goodbye = await peer.next()
        #expect(goodbye?.opcode == 8 && goodbye?.payload.prefix(2) == Self.tooLarge[...])
        peer.finish()
        try await eventually { peer.hasEnded }
        #expect(peer.failure == nil)
    }

    @Test("The server's close frame is answered after the WebSocket was released")
    func goodbyeIsAnswered() async throws {
        for _ in 0..<20 {
            let peer = try await WebSocketPeer()
            do {
                let webSocket = try await peer.open()
                peer.send(WebSocketPeer.frame(8, [0x03, 0xE9]) + [UInt8](repeating: 0, count: 1_000_000))
                #expect(try await webSocket.receive() == nil)
            }
            #expect(await peer.next()?.payload == [0x03, 0xE9])
            peer.finish()
            try await eventually { peer.hasEnded }
            #expect(peer.failure == nil)
        }
    }

    @Test("A compressed part that was cancelled before it was written does not affect later messages")
    func compressedAfterCancellation() async throws {
        // The buffers of the system differ in size.
        for count in [10, 40, 160] {
            let isCancelled = try await cancelsCompressedPart(behind: count)
            if isCancelled { return }
        }
        Issue.record("the part was always written")
    }

    /// Returns true if a compressed part was cancelled before it was written, after so many blocks of PINGs; later messages
    /// must not be affected.
    private func cancelsCompressedPart(behind blocks: Int) async throws -> Bool {
        let peer = try await WebSocketPeer { _ in WebSocketPeer.deflates }
        let webSocket = try await peer.open {
            $0.compression = .deflate
            $0.compression?.threshold = 0
        }
        let inflater = try #require(MessageInflater(windowBits: 15, forgetsContext: false))
        let text = String(repeating: "a text that looks like itself; ", count: 100)
        try await webSocket.send(.text(text))
        let (parts, writer) = AsyncStream.makeStream(of: Data.self)
        let task = Task { try await webSocket.send(parts, as: .text) }
        // The sender gets its turn now or later; then enough PONGs are queued that no space is left.
        await yieldToOthers()
        try await peer.setReading(false)
        let ping = WebSocketPeer.frame(9, [UInt8](repeating: 1, count: 125))
        let many = Array(repeatElement(ping, count: 10_000).joined())
        for _ in 0..<blocks { peer.send(many) }
        peer.send(1, "behind")
        #expect(try await webSocket.text() == "behind")
        writer.yield(Data((0..<3000).map { UInt8(33 + $0 * 7 % 90) }))
        await yieldToOthers(turns: 1000)
        task.cancel()
        guard await webSocketFailure({ try await task.value })?.code == .cancelled else { return false }
        try await peer.setReading(true)
        try await webSocket.send(.text(text))
        var messages = 0
        while messages < 2 {
            let frame = try #require(await peer.next())
            guard frame.opcode == 1 else { continue }
            messages += 1
            var output = ByteBuffer()
            let progress = try frame.payload.withUnsafeBytes { try inflater.inflate($0, to: &output, upTo: 1 << 20) }
            _ = try inflater.end(to: &output, upTo: 1 << 20)
            #expect(progress.taken == frame.payload.count)
            #expect(String(buffer: output) == text)
        }
        return true
    }
}

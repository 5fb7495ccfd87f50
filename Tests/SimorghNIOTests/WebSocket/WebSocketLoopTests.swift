// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import NIOPosix
import SimorghCore
import SimorghNIO
import SimorghRealtime
import Synchronization
import TestSupport
import Testing

@Suite("WebSocket: tasks on the connection's event loop", .timeLimit(.minutes(5)))
struct WebSocketLoopTests {
    /// Returns true if a condition becomes true soon, while the calling thread is blocked.
    private static func soon(_ holds: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while !holds() {
            guard ContinuousClock.now < end else { return false }
        }
        return true
    }

    @Test("send writes an answer before its task suspends")
    func answer() async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops()
        let wasHeard = try await transport.withEventLoop {
            let webSocket = try await peer.open(transport)
            for number in 1...3 {
                try await webSocket.send(.text("answer"))
                guard Self.soon({ peer.frameCount == number }) else { return false }
                peer.send(1, "more")
                guard try await webSocket.text() == "more" else { return false }
            }
            return true
        }
        #expect(wasHeard)
        try await group.shutdownGracefully()
    }

    @Test("Several answers per message arrive whole and in order", arguments: [1, 2, 3, 70])
    func order(each: Int) async throws {
        let rounds = 30
        let long = String(repeating: "x", count: 5000)
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops()
        let server = Task {
            var texts: [String] = []
            for _ in 0..<rounds {
                for _ in 0..<each {
                    guard let frame = await peer.next() else { return texts }
                    texts.append(frame.text)
                }
                peer.send(1, "more")
            }
            return texts
        }
        // Some are too long to be coalesced with others.
        let sent = (0..<rounds * each).map { "\($0)" + ($0 % 7 == 6 ? long : "") }
        let answers = try await transport.withEventLoop {
            let webSocket = try await peer.open(transport)
            var answers = 0
            for (number, text) in sent.enumerated() {
                try await webSocket.send(.text(text))
                if number % each == each - 1, try await webSocket.text() == "more" { answers += 1 }
            }
            return answers
        }
        #expect(answers == rounds)
        #expect(await server.value == sent)
        try await group.shutdownGracefully()
    }

    @Test("All connections of one event loop are pinged on time, after others have ended")
    func pings() async throws {
        let (transport, group) = NIOTransport.onLoops()
        var connections: [(peer: WebSocketPeer, webSocket: any WebSocketChannel)] = []
        for number in 0..<20 {
            let peer = try await WebSocketPeer()
            let webSocket = try await peer.open(transport) {
                $0.pingInterval = .milliseconds(20 + number)
                // Each connection waits for its PONG until the ones before it have received theirs.
                $0.pongTimeout = .seconds(120)
            }
            connections.append((peer, webSocket))
        }
        for round in 0..<4 {
            for (number, connection) in connections.enumerated() where round == 0 || !number.isMultiple(of: 2) {
                let ping = try #require(await connection.peer.next())
                #expect(ping.opcode == 9)
                connection.peer.send(WebSocketPeer.frame(10, ping.payload))
                if number.isMultiple(of: 2) { connection.webSocket.drop() }
            }
        }
        for (number, connection) in connections.enumerated() where !number.isMultiple(of: 2) {
            #expect(connection.webSocket.closure == nil)
        }
        try await group.shutdownGracefully()
    }

    @Test("Messages of a cancelled task or after close() are not sent, on the loop as elsewhere")
    func unsent() async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops()
        let client = APIClient(transport: transport)
        let connection = try client.webSocketConnection(RecordingRouter(port: peer.port))
        try await transport.withEventLoop {
            connection.connect()
            try await connection.waitUntilConnected()
            try await connection.sendText("text")
            try await connection.sendData(Data([1]))
            let cancelled = Task(executorPreference: transport.nextTaskExecutor()) {
                withUnsafeCurrentTask { $0?.cancel() }
                return await webSocketFailure { try await connection.send(.text("of a cancelled task")) }
            }
            #expect(await cancelled.value?.code == .cancelled)
            connection.close()
            // The server has not answered the close frame, so the WebSocket is still there.
            #expect(await webSocketFailure { try await connection.sendText("behind the end") }?.code == .notConnected)
        }
        #expect(await peer.next()?.text == "text")
        #expect(await peer.next()?.payload == [1])
        #expect(await peer.next()?.opcode == 8)
        peer.send(WebSocketPeer.frame(8, [0x03, 0xE8]))
        peer.finish()
        try await connection.waitUntilClosed()
        #expect(await peer.next() == nil)
        try await group.shutdownGracefully()
    }

    @Test("A connection that is connected on an event loop opens and reopens there")
    func connection() async throws {
        let peer = try await WebSocketPeer(onOpen: { channel, number in
            channel.writeAndFlush(ByteBuffer(bytes: WebSocketPeer.frame(1, [0x30 + UInt8(number)]))).whenComplete { _ in
                if number == 1 { channel.close(promise: nil) }
            }
        })
        let (transport, group) = NIOTransport.onLoops(3)
        let client = APIClient(transport: transport)
        let place = RecordingRouter(port: peer.port)
        let (there, events) = try await transport.withEventLoop {
            var options = WebSocketOptions()
            options.reconnectPolicy = WebSocketReconnectPolicy(maximumAttempts: 3, initialDelay: 0.001)
            let connection = try client.webSocketConnection(place, options: options)
            connection.connect()
            var events: [WebSocketEvent] = []
            for try await event in connection.events() {
                events.append(event)
                guard event == .message(.text("2")) else { continue }
                connection.close()
                peer.close()
            }
            try await connection.waitUntilClosed()
            return (EventLoopRecorder.here, events)
        }
        #expect(events.count(where: { $0 == .connected }) == 2)
        #expect(events.contains(.message(.text("1"))))
        // Once when it was created, and once for each of its two WebSockets.
        #expect(there != nil && place.loops.seen.count >= 3)
        #expect(place.loops.seen.allSatisfy { $0 == there })
        try await group.shutdownGracefully()
    }

    @Test("A subscription that starts on an event loop opens and reopens there")
    func subscription() async throws {
        let peer = try await WebSocketPeer(onOpen: { channel, number in
            channel.writeAndFlush(ByteBuffer(bytes: WebSocketPeer.frame(1, [0x30 + UInt8(number)]))).whenComplete { _ in
                if number == 1 { channel.close(promise: nil) }
            }
        })
        let (transport, group) = NIOTransport.onLoops(3)
        let client = APIClient(transport: transport)
        let place = RecordingRouter(port: peer.port)
        let (there, texts) = try await transport.withEventLoop {
            var options = SubscriptionOptions()
            options.webSocket.reconnectPolicy = WebSocketReconnectPolicy(maximumAttempts: 3, initialDelay: 0.001)
            options.webSocket.closeTimeout = 0.01
            options.unsubscribeTimeout = .milliseconds(10)
            let news = try client.subscription(RecordingSubscriptionRouter(place: place), options: options)
            var texts: [String] = []
            for try await text in news.events() {
                texts.append(text)
                if text == "2" { break }
            }
            await news.disconnect()
            return (EventLoopRecorder.here, texts)
        }
        #expect(texts.last == "2")
        // Once when it was created, and once for each of its two WebSockets.
        #expect(there != nil && place.loops.seen.count >= 3)
        #expect(place.loops.seen.allSatisfy { $0 == there })
        try await group.shutdownGracefully()
    }

    /// Connects from the executor of the calling task, and returns its event loop.
    @concurrent
    private static func connect(_ session: WebSocketSession?) async -> ObjectIdentifier? {
        session?.connect()
        return EventLoopRecorder.here
    }

    @Test(
        "The reader task runs on the event loop of the caller, else on that of the connection",
        arguments: [true, false])
    func reading(isWantedThere: Bool) async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops(2)
        let webSocket = RecordingWebSocketChannel(try await peer.open(transport))
        let reports = EventLoopRecorder()
        var settings = WebSocketSession.Settings()
        settings.executor = { transport.callerExecutor }
        settings.report = { _, _ in reports.note() }
        let session = WebSocketSession(settings, hub: WebSocketEventBroadcaster(WebSocketBuffer())) {
            _ async throws(NetworkError) -> any WebSocketChannel in
            webSocket
        }
        let id = session.hub.add(nil)
        let executor: (any TaskExecutor)? = isWantedThere ? transport.nextTaskExecutor() : webSocket.taskExecutor
        let there = await withTaskExecutorPreference(executor) { await Self.connect(isWantedThere ? session : nil) }
        if !isWantedThere { session.connect() }
        #expect(try await session.hub.next(id) == .connected)
        peer.send(1, "more")
        #expect(try await session.hub.next(id) == .message(.text("more")))
        session.abort()
        _ = try await session.ended()
        #expect(there != nil && webSocket.loops.seen.count >= 3)
        #expect(webSocket.loops.seen.allSatisfy { $0 == there })
        // Connection events are reported off the loop, unless the caller connected on it.
        #expect(isWantedThere || reports.seen.allSatisfy { $0 == nil })
        try await group.shutdownGracefully()
    }

    @Test("A burst of messages is delivered one by one and in order, with any buffer size", arguments: [1, 2, 3, 1024])
    func burst(events: Int) async throws {
        let expected = (0..<1000).map(String.init)
        let peer = try await WebSocketPeer(onOpen: { channel, _ in
            let bytes = expected.flatMap { WebSocketPeer.frame(1, Array($0.utf8)) }
            channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        })
        var options = WebSocketOptions()
        options.buffer = WebSocketBuffer(events: events, overflow: .suspend)
        let client = APIClient(transport: NIOTransport.shared)
        let connection = try client.webSocketConnection(RecordingRouter(port: peer.port), options: options)
        let stream = connection.events()
        connection.connect()
        var texts: [String] = []
        for try await event in stream {
            guard case .message(.text(let text)) = event else { continue }
            texts.append(text)
            if texts.count == expected.count { break }
        }
        #expect(texts == expected)
        #expect(stream.dropped == 0)
        connection.close()
        peer.close()
        try await connection.waitUntilClosed()
    }

    @Test("A burst of messages respects the buffer of each stream, and streams do not affect each other")
    func bounds() async throws {
        let expected = (0..<200).map(String.init)
        let peer = try await WebSocketPeer()
        let client = APIClient(transport: NIOTransport.shared)
        let options = WebSocketOptions(pingInterval: nil)
        let connection = try client.webSocketConnection(RecordingRouter(port: peer.port), options: options)
        let all = connection.events()
        let few = connection.events(buffer: WebSocketBuffer(events: 4, overflow: .dropOldest))
        let failing = connection.events(buffer: WebSocketBuffer(events: 4, overflow: .fail))
        connection.connect()
        try await connection.waitUntilConnected()
        peer.send(expected.flatMap { WebSocketPeer.frame(1, Array($0.utf8)) })
        func texts(_ stream: WebSocketEvents, _ count: Int) async throws -> [String] {
            var heard: [String] = []
            for try await event in stream {
                guard case .message(.text(let text)) = event else { continue }
                heard.append(text)
                if heard.count == count { break }
            }
            return heard
        }
        #expect(try await texts(all, 200) == expected)
        // The connected event took a slot as well.
        #expect(all.dropped == 0 && few.dropped == 197)
        #expect(try await texts(few, 4) == Array(expected.suffix(4)))
        #expect(try await texts(failing, 3) == Array(expected.prefix(3)))
        #expect(await webSocketFailure { try await texts(failing, 1) }?.code == .bufferOverflow)
        connection.close()
        peer.close()
        try await connection.waitUntilClosed()
    }

    @Test(
        "Messages handed to the sink and messages left to receive() together are complete and in order",
        arguments: [1, 3, 100])
    func handed(burst: Int) async throws {
        let count = 600
        let peer = try await WebSocketPeer()
        let webSocket = try #require(try await peer.open(NIOTransport.shared) as? any EventLoopWebSocketChannel)
        let texts = Mutex<[String]>([])
        let handed = Mutex(0)
        webSocket.deliverMessages { message, more in
            // The sink refuses messages that end in 3, and following ones of three digits.
            guard case .text(let text) = message, !text.hasSuffix("3") else { return false }
            texts.withLock { $0.append(text) }
            handed.withLock { $0 += 1 }
            guard case .text(let next)? = more(2) else { return true }
            texts.withLock { $0.append(next) }
            return true
        }
        let reading = Task {
            var received = 0
            while case .text(let text)? = try? await webSocket.receive() {
                texts.withLock { $0.append(text) }
                received += 1
            }
            return received
        }
        for start in stride(from: 0, to: count, by: burst) {
            peer.send((start..<start + burst).flatMap { WebSocketPeer.frame(1, Array("\($0)".utf8)) })
            try await eventually { texts.withLock { $0.count } == start + burst }
        }
        #expect(texts.withLock { $0 } == (0..<count).map(String.init))
        #expect(handed.withLock { $0 } > 0)
        webSocket.drop()
        #expect(await reading.value > 0)
    }

    @Test("A reset connection ends tasks on the event loop with an error")
    func reset() async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops()
        let error = await webSocketFailure {
            try await transport.withEventLoop {
                let webSocket = try await peer.open(transport)
                peer.reset()
                try await eventually { peer.hasEnded }
                try await webSocket.send(.text("late"))
                return try await webSocket.receive()
            }
        }
        #expect(error != nil)
        try await group.shutdownGracefully()
    }
}

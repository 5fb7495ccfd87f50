// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import NIOPosix
import SimorghCore
import SimorghNIO
import SimorghRealtime
import TestSupport
import Testing

/// A task of the loop that waits for a message resumes while the connection's handler still processes the read.
///
/// Each task waits before its message is read, since its loop reads nothing while the task runs.
@Suite("WebSocketChannel: tasks that resume within the read that delivered their message", .timeLimit(.minutes(10)))
struct WebSocketSameReadTests {
    /// One message, and two messages in one read.
    private static let one = WebSocketPeer.frame(1, Array("one".utf8))
    private static let two = one + WebSocketPeer.frame(1, Array("two".utf8))

    /// Runs a task on an event loop that receives the first message, and continues with a closure.
    private static func afterTheFirst(
        of bytes: [UInt8] = two, with change: @Sendable (inout WebSocketChannelOptions) -> Void = { _ in },
        _ goOn: @escaping @Sendable (any WebSocketChannel, WebSocketPeer) async throws -> Void,
        behind: (WebSocketPeer) async throws -> Void = { _ in }
    ) async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops()
        try await transport.withEventLoop {
            let webSocket = try await peer.open(transport, change)
            peer.send(bytes)
            #expect(try await webSocket.text() == "one")
            try await goOn(webSocket, peer)
        }
        try await behind(peer)
        try await group.shutdownGracefully()
    }

    @Test("Dropping the WebSocket: the other message of the read is still received, then the end")
    func drop() async throws {
        try await Self.afterTheFirst { webSocket, _ in
            webSocket.drop()
            let second = try await webSocket.text()
            #expect(second == "two")
            #expect(await webSocketFailure { try await webSocket.receive() }?.code == .closed)
        } behind: { peer in
            try await eventually { peer.hasEnded }
        }
    }

    @Test("Closing the WebSocket after an answer")
    func close() async throws {
        try await Self.afterTheFirst { webSocket, peer in
            try await webSocket.send(.text("answer"))
            async let closure = webSocket.close()
            #expect(await peer.next()?.text == "answer")
            #expect(await peer.next()?.opcode == 8)
            peer.send(WebSocketPeer.frame(8, [0x03, 0xE8]))
            #expect(await closure.isClean)
            #expect(try await webSocket.text() == "two")
            #expect(try await webSocket.receive() == nil)
        }
    }

    @Test("Releasing the WebSocket closes the connection")
    func letGo() async throws {
        try await Self.afterTheFirst { _, _ in
        } behind: { peer in
            try await eventually { peer.hasEnded }
        }
    }

    @Test("A small message is sent behind the PONG and the large message that are pending")
    func behindOthers() async throws {
        let large = String(repeating: "x", count: 5000)
        try await Self.afterTheFirst(of: WebSocketPeer.frame(9, [7]) + Self.one) { webSocket, peer in
            try await webSocket.send(.text(large))
            try await webSocket.send(.text("small"))
            let frames = [await peer.next(), await peer.next(), await peer.next()]
            #expect(frames.map { $0?.opcode } == [10, 1, 1])
            #expect(frames.map { $0?.payload.count } == [1, 5000, 5])
        }
    }

    @Test("A small message is sent behind a message that another task sends in parts")
    func behindParts() async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops()
        let webSocket = try await peer.open(transport)
        let (parts, source) = AsyncStream.makeStream(of: Data.self)
        source.yield(Data("a".utf8))
        let sending = Task { try await webSocket.send(parts, as: .text) }
        #expect(await peer.next()?.text == "a")
        let answering = Task(executorPreference: transport.nextTaskExecutor()) {
            peer.send(1, "one")
            // The PONG is written after the task has continued with the message before it.
            peer.send(WebSocketPeer.frame(9, [7]))
            #expect(try await webSocket.text() == "one")
            try await webSocket.send(.text("small"))
        }
        #expect(await peer.next()?.opcode == 10)
        source.yield(Data("b".utf8))
        source.finish()
        try await sending.value
        try await answering.value
        var opcodes: [UInt8] = []
        while opcodes.last != 1, let frame = await peer.next() { opcodes.append(frame.opcode) }
        #expect(opcodes == [0, 0, 1])
        webSocket.drop()
        try await group.shutdownGracefully()
    }

    @Test("Nothing is sent behind the close frame")
    func behindGoodbye() async throws {
        try await Self.afterTheFirst(of: Self.one) { webSocket, peer in
            async let closure = webSocket.close()
            #expect(await peer.next()?.opcode == 8)
            #expect(await webSocketFailure { try await webSocket.send(.text("small")) }?.code == .closed)
            peer.send(WebSocketPeer.frame(8, [0x03, 0xE8]))
            peer.finish()
            #expect(await closure.isClean)
            #expect(await peer.next() == nil)
        }
    }

    @Test(
        "Messages around the limit of direct writes are sent whole, in frames up to maximumFrameSize",
        arguments: [(0, nil), (1016, nil), (4096, nil), (4097, nil), (0, 1), (3, 1), (4096, 4096), (4097, 4096)])
    func sizes(size: Int, frameSize: Int?) async throws {
        let text = String(repeating: "x", count: size)
        try await Self.afterTheFirst(of: Self.one, with: { $0.maximumFrameSize = frameSize }) { webSocket, peer in
            try await webSocket.send(.text(text))
            var (opcodes, heard): ([UInt8], [UInt8]) = ([], [])
            while let frame = await peer.next() {
                #expect(frame.isMasked && frame.payload.count <= frameSize ?? .max)
                opcodes.append(frame.opcode)
                heard += frame.payload
                if frame.isFinal { break }
            }
            #expect(heard == Array(text.utf8))
            #expect(opcodes == [1] + [UInt8](repeating: 0, count: max(size - 1, 0) / (frameSize ?? .max)))
        }
    }

    @Test("Two WebSockets of one loop send to each other from their readers")
    func crossed() async throws {
        let rounds = 200
        let (first, second) = (try await WebSocketPeer(), try await WebSocketPeer())
        let (transport, group) = NIOTransport.onLoops()
        let (left, right) = (try await first.open(transport), try await second.open(transport))
        let crossing = Task {
            try await transport.withEventLoop {
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for (from, to) in [(left, right), (right, left)] {
                        tasks.addTask {
                            for _ in 0..<rounds {
                                if let text = try await from.text() { try await to.send(.text(text)) }
                            }
                        }
                    }
                    try await tasks.waitForAll()
                }
            }
        }
        for round in 0..<rounds {
            first.send(1, "left \(round)")
            second.send(1, "right \(round)")
            #expect(await second.next()?.text == "left \(round)")
            #expect(await first.next()?.text == "right \(round)")
        }
        try await crossing.value
        left.drop()
        right.drop()
        try await group.shutdownGracefully()
    }

    @Test("A task that polls in a yield loop does not block the next message")
    func impatience() async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops()
        let text = try await transport.withEventLoop {
            let webSocket = try await peer.open(transport)
            peer.send(1, "one")
            #expect(try await webSocket.text() == "one")
            let isThere = LockedValue(false)
            async let next = {
                defer { isThere.change { $0 = true } }
                return try await webSocket.text()
            }()
            peer.send(1, "two")
            while !isThere.value, !Task.isCancelled { await Task.yield() }
            return try await next
        }
        #expect(text == "two")
        try await group.shutdownGracefully()
    }

    @Test("Shutting the event loop down ends the task with connectionLost")
    func shutDown() async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops()
        let code = try await transport.withEventLoop {
            let webSocket = try await peer.open(transport)
            peer.send(1, "one")
            #expect(try await webSocket.text() == "one")
            let ending = Task { try await group.shutdownGracefully() }
            let failure = await webSocketFailure { try await webSocket.receive() }
            try await ending.value
            return failure?.code
        }
        #expect(code == .connectionLost)
    }
}

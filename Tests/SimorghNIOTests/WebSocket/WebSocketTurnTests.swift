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

/// A task of the loop that waits for a message goes on while the connection's handler is still at what came.
///
/// All of them wait before their message is read: their loop reads nothing as long as they run.
@Suite("Whoever goes on in the turn of the loop that brought a message of a WebSocket", .timeLimit(.minutes(10)))
struct WebSocketTurnTests {
    /// A message by itself, and two in one piece.
    private static let one = WebSocketPeer.frame(1, Array("one".utf8))
    private static let two = one + WebSocketPeer.frame(1, Array("two".utf8))

    /// Has a task of a loop take the first message, and go on from there.
    private static func afterTheFirst(
        of bytes: [UInt8] = two, with change: @Sendable (inout WebSocketChannelOptions) -> Void = { _ in },
        _ goOn: @escaping @Sendable (any WebSocketChannel, WebSocketPeer) async throws -> Void,
        behind: (WebSocketPeer) async throws -> Void = { _ in }
    ) async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops()
        try await transport.withEventLoop {
            let link = try await peer.open(transport, change)
            peer.send(bytes)
            #expect(try await link.text() == "one")
            try await goOn(link, peer)
        }
        try await behind(peer)
        try await group.shutdownGracefully()
    }

    @Test("May drop it: what came with the message is there, and then the end")
    func drop() async throws {
        try await Self.afterTheFirst { link, _ in
            link.drop()
            let second = try await link.text()
            #expect(second == "two")
            #expect(await webSocketFailure { try await link.receive() }?.code == .closed)
        } behind: { peer in
            try await eventually { peer.hasEnded }
        }
    }

    @Test("May close it behind an answer")
    func close() async throws {
        try await Self.afterTheFirst { link, peer in
            try await link.send(.text("answer"))
            async let closure = link.close()
            #expect(await peer.next()?.text == "answer")
            #expect(await peer.next()?.opcode == 8)
            peer.send(WebSocketPeer.frame(8, [0x03, 0xE8]))
            #expect(await closure.isClean)
            #expect(try await link.text() == "two")
            #expect(try await link.receive() == nil)
        }
    }

    @Test("May let it go")
    func letGo() async throws {
        try await Self.afterTheFirst { _, _ in
        } behind: { peer in
            try await eventually { peer.hasEnded }
        }
    }

    @Test("Sends something small behind the pong and the large message that wait to be written")
    func behindOthers() async throws {
        let large = String(repeating: "x", count: 5000)
        try await Self.afterTheFirst(of: WebSocketPeer.frame(9, [7]) + Self.one) { link, peer in
            try await link.send(.text(large))
            try await link.send(.text("small"))
            let frames = [await peer.next(), await peer.next(), await peer.next()]
            #expect(frames.map { $0?.opcode } == [10, 1, 1])
            #expect(frames.map { $0?.payload.count } == [1, 5000, 5])
        }
    }

    @Test("Sends something small behind a message that somebody else sends in parts")
    func behindParts() async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops()
        let link = try await peer.open(transport)
        let (parts, source) = AsyncStream.makeStream(of: Data.self)
        source.yield(Data("a".utf8))
        let sending = Task { try await link.send(parts, as: .text) }
        #expect(await peer.next()?.text == "a")
        let answering = Task(executorPreference: transport.nextTaskExecutor()) {
            peer.send(1, "one")
            // What answers it is written when the task has gone on with the message before it.
            peer.send(WebSocketPeer.frame(9, [7]))
            #expect(try await link.text() == "one")
            try await link.send(.text("small"))
        }
        #expect(await peer.next()?.opcode == 10)
        source.yield(Data("b".utf8))
        source.finish()
        try await sending.value
        try await answering.value
        var opcodes: [UInt8] = []
        while opcodes.last != 1, let frame = await peer.next() { opcodes.append(frame.opcode) }
        #expect(opcodes == [0, 0, 1])
        link.drop()
        try await group.shutdownGracefully()
    }

    @Test("Sends nothing behind its goodbye")
    func behindGoodbye() async throws {
        try await Self.afterTheFirst(of: Self.one) { link, peer in
            async let closure = link.close()
            #expect(await peer.next()?.opcode == 8)
            #expect(await webSocketFailure { try await link.send(.text("small")) }?.code == .closed)
            peer.send(WebSocketPeer.frame(8, [0x03, 0xE8]))
            peer.finish()
            #expect(await closure.isClean)
            #expect(await peer.next() == nil)
        }
    }

    @Test(
        "Sends what is small, and just too large for that, whole and in frames that are not too large",
        arguments: [(0, nil), (1016, nil), (4096, nil), (4097, nil), (0, 1), (3, 1), (4096, 4096), (4097, 4096)])
    func sizes(size: Int, frameSize: Int?) async throws {
        let text = String(repeating: "x", count: size)
        try await Self.afterTheFirst(of: Self.one, with: { $0.maximumFrameSize = frameSize }) { link, peer in
            try await link.send(.text(text))
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

    @Test("Sends over another one of the same loop, and that one's reader over this one")
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

    @Test("Does not keep the next message from coming by asking again and again whether it has")
    func impatience() async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops()
        let text = try await transport.withEventLoop {
            let link = try await peer.open(transport)
            peer.send(1, "one")
            #expect(try await link.text() == "one")
            let isThere = Kept(false)
            async let next = {
                defer { isThere.change { $0 = true } }
                return try await link.text()
            }()
            peer.send(1, "two")
            while !isThere.value, !Task.isCancelled { await Task.yield() }
            return try await next
        }
        #expect(text == "two")
        try await group.shutdownGracefully()
    }

    @Test("May have the loop shut down, and hears of the end elsewhere")
    func shutDown() async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops()
        let code = try await transport.withEventLoop {
            let link = try await peer.open(transport)
            peer.send(1, "one")
            #expect(try await link.text() == "one")
            let ending = Task { try await group.shutdownGracefully() }
            let failure = await webSocketFailure { try await link.receive() }
            try await ending.value
            return failure?.code
        }
        #expect(code == .connectionLost)
    }
}

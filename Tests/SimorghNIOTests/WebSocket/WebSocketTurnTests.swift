// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

/// A task of the loop that waits for a message goes on while the connection's handler is still at what came.
///
/// All of them wait before their message is read: their loop reads nothing as long as they run.
@Suite("Whoever goes on in the turn of the loop that brought a message of a WebSocket", .timeLimit(.minutes(10)))
struct WebSocketTurnTests {
    private static func transport() -> (NIOTransport, MultiThreadedEventLoopGroup) {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var configuration = NIOTransport.Configuration()
        configuration.eventLoopGroup = group
        return (NIOTransport(configuration: configuration), group)
    }

    /// Two messages in one piece.
    private static let two = WebSocketPeer.frame(1, Array("one".utf8)) + WebSocketPeer.frame(1, Array("two".utf8))

    @Test("May drop it: what came with the message is there, and then the end")
    func drop() async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = Self.transport()
        try await transport.withEventLoop {
            let link = try await peer.open(transport)
            peer.send(Self.two)
            #expect(try await link.text() == "one")
            link.drop()
            #expect(try await link.text() == "two")
            #expect(await webSocketFailure { try await link.receive() }?.code == .closed)
        }
        try await eventually { peer.hasEnded }
        try await group.shutdownGracefully()
    }

    @Test("May close it behind an answer")
    func close() async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = Self.transport()
        try await transport.withEventLoop {
            let link = try await peer.open(transport)
            peer.send(Self.two)
            #expect(try await link.text() == "one")
            try await link.send(.text("answer"))
            async let closure = link.close()
            #expect(await peer.next()?.text == "answer")
            #expect(await peer.next()?.opcode == 8)
            peer.send(WebSocketPeer.frame(8, [0x03, 0xE8]))
            #expect(await closure.isClean)
            #expect(try await link.text() == "two")
            #expect(try await link.receive() == nil)
        }
        try await group.shutdownGracefully()
    }

    @Test("May let it go")
    func letGo() async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = Self.transport()
        try await transport.withEventLoop {
            let link = try await peer.open(transport)
            peer.send(Self.two)
            #expect(try await link.text() == "one")
        }
        try await eventually { peer.hasEnded }
        try await group.shutdownGracefully()
    }

    @Test("Sends over another one of the same loop, and that one's reader over this one")
    func crossed() async throws {
        let rounds = 200
        let (first, second) = (try await WebSocketPeer(), try await WebSocketPeer())
        let (transport, group) = Self.transport()
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
        let (transport, group) = Self.transport()
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
        let (transport, group) = Self.transport()
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

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
    /// Two messages in one piece.
    private static let two = WebSocketPeer.frame(1, Array("one".utf8)) + WebSocketPeer.frame(1, Array("two".utf8))

    /// Has a task of a loop take the first of both messages, and go on from there.
    private static func afterTheFirst(
        _ goOn: @escaping @Sendable (any WebSocketLink, WebSocketPeer) async throws -> Void,
        behind: (WebSocketPeer) async throws -> Void = { _ in }
    ) async throws {
        let peer = try await WebSocketPeer()
        let (transport, group) = NIOTransport.onLoops()
        try await transport.withEventLoop {
            let link = try await peer.open(transport)
            peer.send(two)
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

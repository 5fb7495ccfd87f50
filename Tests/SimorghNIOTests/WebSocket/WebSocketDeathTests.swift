// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import SimorghCore
import SimorghNIO
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

@Suite("WebSocketChannel: how connections end", .timeLimit(.minutes(5)))
struct WebSocketDeathTests {
    @Test("A lost connection is reported to all waiting tasks", arguments: [true, false], [true, false])
    func lost(isReset: Bool, isInFrame: Bool) async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        async let received = webSocketFailure { try await webSocket.receive() }
        async let pinged = webSocketFailure { try await webSocket.ping() }
        #expect(await peer.next()?.opcode == 9)
        if isInFrame { peer.send([0x81, 0x7E, 0x01, 0x00, 0x61]) }
        if isReset { peer.reset() } else { peer.close() }
        #expect(await received?.code == .connectionLost)
        #expect(await pinged?.code == .connectionLost)
        #expect(webSocket.closure?.code == .abnormalClosure && webSocket.closure?.isClean == false)
        #expect(await webSocketFailure { try await webSocket.send(.text("x")) }?.code == .connectionLost)
        #expect(await webSocket.close().code == .abnormalClosure)
    }

    @Test("A reset right after the close frame does not change the closure")
    func resetBehind() async throws {
        for _ in 0..<20 {
            let peer = try await WebSocketPeer()
            let webSocket = try await peer.open()
            peer.send(WebSocketPeer.frame(1, Array("last".utf8)) + WebSocketPeer.frame(8, [0x03, 0xE8]))
            #expect(await peer.next()?.opcode == 8)
            peer.reset()
            try await eventually { peer.hasEnded }
            #expect(try await webSocket.text() == "last")
            #expect(try await webSocket.receive() == nil)
            #expect(webSocket.closure == WebSocketCloseInfo(code: .normal, isClean: true, initiator: .remote))
        }
    }

    @Test("Both sides send a close frame at the same time")
    func closeRace() async throws {
        for _ in 0..<50 {
            let peer = try await WebSocketPeer()
            let webSocket = try await peer.open()
            async let closure = webSocket.close(code: 4001, reason: "")
            peer.send(WebSocketPeer.frame(8, [0x0F, 0xA2]))
            #expect(await closure.isClean)
            #expect(await closure.code == 4002)
            let frames = [await peer.next()]
            #expect(frames.first??.opcode == 8)
            peer.close()
            try await eventually { peer.hasEnded }
        }
    }

    @Test("A server that neither sends nor reads is detected by a missing PONG")
    func halfOpen() async throws {
        let peer = try await WebSocketPeer()
        var faults = FaultProxy.Configuration()
        // Nothing passes after the handshake response, and the connection stays open.
        faults.downstream.cut = .init(after: 180, .stall)
        try await FaultProxy.with(faults, to: peer.port) { proxy in
            let webSocket = try await peer.open(port: proxy.port) {
                $0.pingInterval = .milliseconds(50)
                $0.pongTimeout = .milliseconds(50)
            }
            let error = await webSocketFailure {
                while try await webSocket.receive() != nil {}
            }
            #expect(error?.code == .pongTimedOut)
            #expect(webSocket.closure?.initiator == .local)
        }
        try await eventually { peer.hasEnded }
    }

    @Test("A server that does not answer the close frame is disconnected after closeTimeout")
    func silentClose() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.closeTimeout = .milliseconds(20) }
        let closure = await webSocket.close(code: .goingAway, reason: "")
        #expect(closure.failure?.code == .closeTimedOut && closure.code == .goingAway && !closure.isClean)
        try await eventually { peer.hasEnded }
    }

    @Test("A server that keeps its connection open after the close frame is disconnected after closeTimeout")
    func lingering() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.closeTimeout = .milliseconds(20) }
        peer.send(WebSocketPeer.frame(8, []))
        #expect(try await webSocket.receive() == nil)
        #expect(webSocket.closure?.code == .noStatusReceived)
        try await eventually { peer.hasEnded }
    }

    @Test(
        "A cancelled operation ends at once, and the connection stays open",
        arguments: ["receive", "parts", "ping", "send"])
    func cancelled(what: String) async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.sendBufferSize = 1000 }
        if what == "send" {
            // More than the network buffers.
            try await peer.channel?.setOption(.autoRead, value: false).get()
            let task = Task { while true { try await webSocket.send(.data(Data(repeating: 0, count: 1_000_000))) } }
            // The task usually waits by now; the test passes in either case.
            await yieldToOthers(turns: 1000)
            task.cancel()
            #expect(await webSocketFailure { try await task.value }?.code == .cancelled)
            try await peer.channel?.setOption(.autoRead, value: true).get()
            peer.channel?.read()
        } else {
            let task = Task {
                switch what {
                case "receive": _ = try await webSocket.receive()
                case "parts": _ = try await webSocket.receiveParts()
                default: _ = try await webSocket.ping()
                }
            }
            await yieldToOthers()
            task.cancel()
            #expect(await webSocketFailure { try await task.value }?.code == .cancelled)
        }
        peer.send(1, "still here")
        #expect(try await webSocket.text() == "still here")
        try await webSocket.send(.text("so am I"))
        var frame = await peer.next()
        while let seen = frame, seen.text != "so am I" { frame = await peer.next() }
        #expect(frame?.opcode == 1)
    }

    @Test("Cancelling the handshake closes the connection", arguments: 0..<20)
    func cancelledOpening(round: Int) async throws {
        let server = try await RawServer(answersAtHead: true) { _ in [] }
        let request = TransportRequest.get(server)
        let task = Task { try await NIOTransport.shared.open(request, options: WebSocketChannelOptions()) }
        if round % 2 == 0 { try await eventually { !server.requests.isEmpty } }
        task.cancel()
        let error = await failure { try await task.value }
        #expect(error?.code == .cancelled)
        try await eventually { server.open == 0 }
    }

    @Test("Cancelling a ping ends it, and its late PONG is ignored")
    func cancelledPing() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        let task = Task { try await webSocket.ping(Data("one".utf8)) }
        #expect(await peer.next()?.text == "one")
        task.cancel()
        #expect(await webSocketFailure { try await task.value }?.code == .cancelled)
        peer.send(10, "one")
        async let next = webSocket.ping(Data("two".utf8))
        #expect(await peer.next()?.text == "two")
        peer.send(10, "two")
        #expect(try await next > .zero)
    }

    @Test("Releasing the WebSocket closes the connection")
    func letGo() async throws {
        let peer = try await WebSocketPeer()
        do {
            let webSocket = try await peer.open()
            try await webSocket.send(.text("x"))
            #expect(await peer.next()?.text == "x")
        }
        try await eventually { peer.hasEnded }
    }

    @Test("Cancelling close() drops the connection")
    func cancelledClose() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open()
        let task = Task { await webSocket.close() }
        #expect(await peer.next()?.opcode == 8)
        task.cancel()
        #expect(await task.value.isClean == false)
        try await eventually { peer.hasEnded }
    }

    @Test("Messages that are not received stop the reading, and PINGs between received ones are answered")
    func slowReader() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.receiveBufferSize = 100_000 }
        let message = WebSocketPeer.frame(2, [UInt8](repeating: 9, count: 50_000))
        let count = 1000
        for number in 0..<count {
            peer.send(message + WebSocketPeer.frame(9, Array("\(number)".utf8)))
        }
        // Fifty megabytes: more than the network buffers.
        #expect(await peer.next()?.text == "0")
        await yieldToOthers(turns: 200)
        let unsent = try await peer.channel?.getOption(.bufferedWritableBytes).get() ?? 0
        #expect(unsent > 20_000_000)
        for _ in 0..<count { #expect(try await webSocket.receive()?.byteCount == 50_000) }
        var last = ""
        while last != "\(count - 1)" { last = try #require(await peer.next()).text }
    }

    @Test("A flood of PINGs is answered with bounded memory if the server does not read")
    func pingFlood() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.sendBufferSize = 10_000 }
        try await peer.channel?.setOption(.autoRead, value: false).get()
        let ping = WebSocketPeer.frame(9, [UInt8](repeating: 1, count: 125))
        let many = Array(repeatElement(ping, count: 10_000).joined())
        for _ in 0..<15 { peer.send(many) }
        peer.send(9, "the last")
        peer.send(1, "behind")
        #expect(try await webSocket.text() == "behind")
        try await peer.channel?.setOption(.autoRead, value: true).get()
        peer.channel?.read()
        var frames = 0
        while let frame = await peer.next(), frame.text != "the last" { frames += 1 }
        #expect(frames < 150_000)
    }

    @Test("The server's close frame is received although earlier messages were not")
    func closeWhilePaused() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.receiveBufferSize = 1000 }
        for _ in 0..<100 { peer.send(WebSocketPeer.frame(2, [UInt8](repeating: 9, count: 10_000))) }
        peer.send(9, "x")
        async let closure = webSocket.close()
        var opcode: UInt8 = 0
        while opcode != 8 { opcode = try #require(await peer.next()).opcode }
        peer.send(WebSocketPeer.frame(8, [0x03, 0xE8]))
        #expect(await closure.isClean)
    }

    @Test("Messages that arrived before the connection ended can still be received")
    func endWhilePaused() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.receiveBufferSize = 1000 }
        for number in 0..<50 { peer.send(1, "\(number) " + String(repeating: "x", count: 1000)) }
        peer.close()
        try await eventually { peer.hasEnded }
        for number in 0..<50 { #expect(try await webSocket.text()?.hasPrefix("\(number) ") == true) }
        #expect(await webSocketFailure { try await webSocket.receive() }?.code == .connectionLost)
    }

    /// Makes a server stop reading and send more than the WebSocket buffers.
    private static func fill(_ peer: WebSocketPeer) async throws {
        try await peer.setReading(false)
        for _ in 0..<100 { peer.send(WebSocketPeer.frame(2, [UInt8](repeating: 9, count: 10_000))) }
    }

    @Test("Waiting send() and ping() calls end with the connection, although the receive buffer is full")
    func endWhileBothAreFull() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open { $0.receiveBufferSize = 1000 }
        try await Self.fill(peer)
        async let sent = webSocketFailure { while true { try await webSocket.send(.data(Data(count: 1_000_000))) } }
        async let pinged = webSocketFailure { try await webSocket.ping() }
        await yieldToOthers(turns: 1000)
        peer.reset()
        #expect(await sent?.code == .connectionLost)
        #expect(await pinged?.code == .connectionLost)
        #expect(try await webSocket.receive()?.byteCount == 10_000)
    }

    @Test("A server that reads nothing is detected while its messages are not received")
    func stall() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open {
            $0.receiveBufferSize = 1000
            $0.pingInterval = .milliseconds(20)
            $0.pongTimeout = .milliseconds(20)
        }
        // On a busy machine the stall is detected before everything was sent.
        try? await Self.fill(peer)
        let error = await webSocketFailure { while true { try await webSocket.send(.data(Data(count: 1_000_000))) } }
        #expect(error?.code == .pongTimedOut)
        try await eventually { webSocket.closure != nil }
        #expect(webSocket.closure?.initiator == .local)
    }

    @Test("PINGs continue while nothing is received, and their PONGs count when receiving resumes")
    func pingsWhilePaused() async throws {
        let peer = try await WebSocketPeer()
        let webSocket = try await peer.open {
            $0.receiveBufferSize = 1000
            $0.pingInterval = .milliseconds(100)
            $0.pongTimeout = .seconds(3600)
        }
        for _ in 0..<500 { peer.send(WebSocketPeer.frame(2, [UInt8](repeating: 9, count: 10_000))) }
        #expect(await peer.next()?.opcode == 9)
        for _ in 0..<500 { #expect(try await webSocket.receive()?.byteCount == 10_000) }
        #expect(await peer.next()?.opcode == 9)
        peer.send(1, "on")
        #expect(try await webSocket.text() == "on")
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghRealtime

#if os(Linux)
import Dispatch
import NIOCore
import NIOPosix
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

/// Small messages bypass the channel if it has no pending writes; a handler below the WebSocket sees only the others.
@Suite("WebSocketChannel: order of direct writes and channel writes", .timeLimit(.minutes(10)))
struct WebSocketDirectWriteTests {
    /// Together more than the system buffers.
    private static let texts = (0..<600).map { "\($0) " + String(repeating: "x", count: 3000) }
    /// The size of their frames; each has a header of eight bytes.
    private static let size = texts.reduce(0) { $0 + $1.utf8.count + 8 }

    @Test("The rest of a partial direct write follows through the channel, complete and in order")
    func rest() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let line = try await Line(on: group.next())
        let webSocket = try await line.webSocket { $0.sendBufferSize = 16 * 1024 * 1024 }
        try await line.peer.setReading(false)
        // In one write, and more than the system buffers.
        try await line.whileHeld {
            for text in Self.texts { try await webSocket.send(.text(text)) }
        }
        let rest = try await line.ask { $0.count }
        #expect(rest > 0 && rest < Self.size)
        try await line.peer.setReading(true)
        for text in Self.texts { #expect(await line.peer.next()?.text == text) }
        // The channel has no pending writes, and the system accepts more as soon as all bytes were acknowledged.
        try await eventually {
            let before = try await line.ask { $0.count }
            try await webSocket.send(.text("last"))
            #expect(await line.peer.next()?.text == "last")
            return try await line.ask { $0.count } == before
        }
        webSocket.drop()
        try await group.shutdownGracefully()
    }

    @Test("The rest of a partially written answer follows through the channel, and so do later answers")
    func restOfAnswers() async throws {
        let (transport, group) = NIOTransport.onLoops()
        let executor = transport.nextTaskExecutor()
        let line = try await Line(on: group.next())
        let webSocket = try await line.webSocket(executor) { $0.sendBufferSize = 16 * 1024 * 1024 }
        try await line.peer.setReading(false)
        let answering = Task(executorPreference: executor) {
            for text in Self.texts {
                guard try await webSocket.text() == "next" else { return }
                try await webSocket.send(.text(text))
                // The task's own writes have reached the system or the channel by now.
                line.peer.send(1, "next")
            }
        }
        line.peer.send(1, "next")
        try await answering.value
        // The first answers bypassed the channel.
        let rest = try await line.ask { $0.count }
        #expect(rest > 0 && rest < Self.size - 3000)
        try await line.peer.setReading(true)
        for text in Self.texts { #expect(await line.peer.next()?.text == text) }
        webSocket.drop()
        try await group.shutdownGracefully()
    }

    @Test("A task on the loop resumes before the read that delivered its message has ended")
    func turn() async throws {
        let (transport, group) = NIOTransport.onLoops()
        let executor = transport.nextTaskExecutor()
        let line = try await Line(on: group.next())
        let webSocket = try await line.webSocket(executor)
        let (taken, seen) = (LockedValue(0), LockedValue<[Int]>([]))
        try await line.ask { barrier in
            barrier.afterRead = { seen.change { $0.append(taken.value) } }
        }
        let taking = Task(executorPreference: executor) {
            for number in 1...10 {
                // The message is read when this task waits: until then it occupies the loop.
                line.peer.send(1, "next")
                guard try await webSocket.text() == "next" else { return }
                taken.change { $0 = number }
            }
        }
        try await taking.value
        #expect(try await line.ask { _ in seen.value } == Array(1...10))
        webSocket.drop()
        try await group.shutdownGracefully()
    }

    @Test("A direct write never overtakes pending channel writes")
    func overtaking() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let line = try await Line(on: group.next())
        let webSocket = try await line.webSocket()
        try await webSocket.send(.text("first"))
        #expect(await line.peer.next()?.text == "first")
        #expect(try await line.ask { $0.count } == 0)
        try await line.ask { $0.isShut = true }
        // Too long to bypass the channel.
        let long = String(repeating: "x", count: 20_000)
        try await webSocket.send(.text(long))
        #expect(try await line.ask { $0.held.count } == 1)
        try await webSocket.send(.text("second"))
        #expect(try await line.ask { $0.held.count } == 2)
        // The long message is written, the next one is still pending.
        try await line.ask { $0.release(1) }
        #expect(await line.peer.next()?.text == long)
        try await webSocket.send(.text("third"))
        #expect(try await line.ask { $0.held.count } == 2)
        try await line.ask { barrier in
            barrier.isShut = false
            barrier.release()
        }
        #expect(await line.peer.next()?.text == "second")
        #expect(await line.peer.next()?.text == "third")
        let count = try await line.ask { $0.count }
        try await webSocket.send(.text("fourth"))
        #expect(await line.peer.next()?.text == "fourth")
        #expect(try await line.ask { $0.count } == count)
        webSocket.drop()
        try await group.shutdownGracefully()
    }

    @Test("A direct write never overtakes channel writes made before the WebSocket was opened")
    func before() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let line = try await Line(on: group.next())
        try await line.peer.setReading(false)
        // The system accepts the first frame, and a part of the second.
        let (short, long) = (20_000, 2_000_000)
        for size in [short, long] {
            let frame = WebSocketPeer.frame(2, [UInt8](repeating: 1, count: size))
            line.channel.writeAndFlush(ByteBuffer(bytes: frame), promise: nil)
        }
        try await eventually {
            let waiting = try await line.channel.getOption(.bufferedWritableBytes).get()
            return waiting > 0 && waiting < long
        }
        let webSocket = try await line.webSocket()
        // The socket is writable again when the message is sent, and the loop does not know yet.
        try await line.whileHeld {
            try await line.peer.setReading(true)
            try await eventually { line.peer.frameCount == 1 }
            try await webSocket.send(.text("behind"))
        }
        #expect(await line.peer.next()?.payload.count == short)
        #expect(await line.peer.next()?.payload.count == long)
        #expect(await line.peer.next()?.text == "behind")
        webSocket.drop()
        try await group.shutdownGracefully()
    }
}

/// A client connection for a WebSocket, whose system buffer is small.
private struct Line: Sendable {
    let peer: WebSocketPeer
    let channel: any Channel
    private let barrier: NIOLoopBound<Barrier>

    init(on loop: any EventLoop) async throws {
        let peer = try await WebSocketPeer()
        let channel = try await ClientBootstrap(group: loop)
            .channelOption(.socketOption(.so_sndbuf), value: 4096)
            .connect(host: "127.0.0.1", port: peer.port).get()
        let opened = loop.makePromise(of: Void.self)
        barrier = try await loop.submit {
            let barrier = Barrier(opened)
            try channel.pipeline.syncOperations.addHandler(barrier)
            return NIOLoopBound(barrier, eventLoop: loop)
        }.get()
        let request = "GET /birds HTTP/1.1\r\nSec-WebSocket-Key: birds\r\n\r\n"
        channel.writeAndFlush(ByteBuffer(string: request), promise: nil)
        try await opened.futureResult.get()
        self.peer = peer
        self.channel = channel
    }

    /// Returns a WebSocket over the connection.
    func webSocket(
        _ executor: (any TaskExecutor)? = nil, _ change: (inout WebSocketChannelOptions) -> Void = { _ in }
    ) async throws -> any WebSocketChannel {
        var options = WebSocketChannelOptions()
        options.pingInterval = nil
        change(&options)
        return try await channel.eventLoop.submit { [channel, options] in
            try NIOTransport.webSocket(over: channel, options, executor: executor)
        }.get()
    }

    /// Runs a closure with the barrier on the event loop, after all work submitted so far.
    func ask<Answer: Sendable>(_ question: @escaping @Sendable (Barrier) -> Answer) async throws -> Answer {
        try await channel.eventLoop.submit { [barrier] in question(barrier.value) }.get()
    }

    /// Runs a closure while the event loop is blocked.
    func whileHeld(_ body: () async throws -> Void) async rethrows {
        let isDone = DispatchSemaphore(value: 0)
        channel.eventLoop.execute { isDone.wait() }
        defer { isDone.signal() }
        try await body()
    }
}

/// Reads the handshake response; then counts the bytes written through the channel, and holds them back while shut.
private final class Barrier: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The number of bytes written.
    private(set) var count = 0
    private(set) var held: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
    var isShut = false
    /// Called after the handlers above have processed a read.
    var afterRead: (() -> Void)?
    private let opened: EventLoopPromise<Void>
    private var isOpen = false
    private var answer = ""
    private var context: ChannelHandlerContext?

    init(_ opened: EventLoopPromise<Void>) { self.opened = opened }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        for write in held { write.promise?.fail(ChannelError.ioOnClosedChannel) }
        held = []
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOpen else {
            context.fireChannelRead(data)
            afterRead?()
            return
        }
        answer += String(buffer: unwrapInboundIn(data))
        guard answer.hasSuffix("\r\n\r\n") else { return }
        isOpen = true
        opened.succeed()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        if isOpen { count += bytes.readableBytes }
        guard isShut else { return context.write(data, promise: promise) }
        held.append((bytes, promise))
    }

    /// Releases writes that were held back.
    ///
    /// - Parameter most: The maximum number of writes, oldest first.
    func release(_ most: Int = .max) {
        guard let context else { return }
        let released = held.prefix(most)
        held.removeFirst(released.count)
        for write in released { context.write(wrapOutboundOut(write.bytes), promise: write.promise) }
        context.flush()
    }
}
#endif

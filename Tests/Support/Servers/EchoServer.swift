// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import Synchronization

/// An HTTP/1.1 server that sends a body back while it arrives: its response begins after the head of the request.
///
/// It forwards the client's framing unchanged. It closes when its last reference is released.
package final class EchoServer: Sendable {
    private let channel: any Channel
    private let count: Shared

    private final class Shared: Sendable {
        let accepted = Atomic<Int>(0)
    }

    /// Starts listening on a free port of 127.0.0.1.
    ///
    /// - Throws: The system's error if no port is available.
    package init() async throws {
        let count = Shared()
        self.count = count
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                count.accepted.add(1, ordering: .relaxed)
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit { channel.close(promise: nil) }

    /// The server's address as in a URL.
    package var authority: String { "127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    /// The number of connections accepted so far.
    package var accepted: Int { count.accepted.load(ordering: .relaxed) }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private var head: ByteBuffer?

        func channelActive(context: ChannelHandlerContext) { head = ByteBuffer() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            guard var head else { return context.writeAndFlush(NIOAny(bytes), promise: nil) }
            head.writeBuffer(&bytes)
            let text = String(decoding: head.readableBytesView, as: UTF8.self)
            guard let end = text.firstRange(of: "\r\n\r\n") else {
                self.head = head
                return
            }
            self.head = nil
            head.moveReaderIndex(forwardBy: text[..<end.upperBound].utf8.count)
            let framing = text[..<end.lowerBound].split(separator: "\r\n").filter { line in
                ["content-length:", "transfer-encoding:"].contains { line.lowercased().hasPrefix($0) }
            }
            let answer = "HTTP/1.1 200 OK\r\n" + framing.joined(separator: "\r\n") + "\r\n\r\n"
            context.writeAndFlush(NIOAny(ByteBuffer(string: answer)), promise: nil)
            context.writeAndFlush(NIOAny(head), promise: nil)
        }
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
package import SimorghCore
package import SimorghRealtime
import SimorghSupport
import Synchronization

/// A byte stream over a socket, with or without TLS, for tests of the WebSocket implementation that does not use the
/// engine.
package final class SocketByteStream: ByteStream {
    package struct ClosedError: Error {}

    package let info: ConnectionInfo
    private let channel: any Channel
    private let inbound: Inbound

    private init(_ channel: any Channel, inbound: Inbound) {
        self.channel = channel
        self.inbound = inbound
        info = ConnectionInfo(
            id: ConnectionInfo.nextID(), applicationProtocol: "http/1.1",
            localAddress: channel.localAddress.map { "\($0)" }, remoteAddress: channel.remoteAddress.map { "\($0)" },
            tlsVersion: nil)
    }

    deinit { channel.close(promise: nil) }

    /// Creates a transport for WebSockets over sockets.
    ///
    /// - Parameter root: The file of the certificate to trust; `nil` for those of the system.
    /// - Returns: The transport.
    package static func transport(trusting root: String? = nil) -> ByteStreamWebSocketTransport {
        ByteStreamWebSocketTransport { target, _ throws(TransportError) in
            do {
                return try await connect(
                    to: target.host, port: target.port, isSecure: target.isSecure, trusting: root)
            } catch {
                throw TransportError(
                    .cannotConnectToHost, phase: .connect, message: "\(error)", requestMayHaveBeenSent: false,
                    underlying: error)
            }
        }
    }

    private static func connect(
        to host: String, port: Int, isSecure: Bool, trusting root: String?
    ) async throws -> SocketByteStream {
        let inbound = Inbound()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let opened = loop.makePromise(of: Void.self)
        let channel = try await ClientBootstrap(group: loop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if isSecure {
                        var configuration = TLSConfiguration.makeClientConfiguration()
                        if let root { configuration.trustRoots = .file(root) }
                        let context = try NIOSSLContext(configuration: configuration)
                        let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
                        try pipeline.addHandler(
                            NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : host))
                    }
                    try pipeline.addHandler(Handler(inbound, isSecure: isSecure, opened: opened))
                }
            }
            .connect(host: host, port: port).flatMapError { error in
                opened.fail(error)
                return loop.makeFailedFuture(error)
            }.get()
        try await opened.futureResult.get()
        // The handshake of TLS reads by itself; from here on only a waiting reader does.
        try await channel.setOption(.autoRead, value: false).get()
        return SocketByteStream(channel, inbound: inbound)
    }

    package func read(upTo maximum: Int) async throws -> Data? {
        try await withTaskCancellationHandler {
            try await inbound.next(upTo: maximum) { self.channel.read() }
        } onCancel: {
            abort()
        }
    }

    package func write(_ bytes: Data) async throws {
        try await withTaskCancellationHandler {
            try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
        } onCancel: {
            abort()
        }
    }

    package func closeWriting() async throws { try await channel.close(mode: .output).get() }

    package func abort() {
        channel.close(promise: nil)
        inbound.end(.failure(ClosedError()))
    }

    /// The received bytes.
    private final class Inbound: Sendable {
        private typealias Reader = CheckedContinuation<Void, Never>

        private struct State {
            var received = ReceivedBytes()
            var reader: Reader?
        }

        private let state = Mutex(State())

        func next(upTo maximum: Int, read: () -> Void) async throws -> Data? {
            while true {
                if let result = state.withLock({ $0.received.take(upTo: maximum) }) { return try result.get() }
                await withCheckedContinuation { (reader: Reader) in
                    let isReady = state.withLock { state in
                        if state.received.isWaiting { state.reader = reader }
                        return !state.received.isWaiting
                    }
                    if isReady { reader.resume() } else { read() }
                }
            }
        }

        func append(_ bytes: ByteBuffer) {
            let reader = state.withLock { state in
                state.received.bytes.append(contentsOf: bytes.readableBytesView)
                return state.reader.take()
            }
            reader?.resume()
        }

        func end(_ ending: Result<Void, any Error>) {
            let reader = state.withLock { state in
                state.received.end(ending)
                return state.reader.take()
            }
            reader?.resume()
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let inbound: Inbound
        private let isSecure: Bool
        /// Succeeds when the connection can carry data.
        private let opened: EventLoopPromise<Void>

        init(_ inbound: Inbound, isSecure: Bool, opened: EventLoopPromise<Void>) {
            self.inbound = inbound
            self.isSecure = isSecure
            self.opened = opened
        }

        func channelActive(context: ChannelHandlerContext) {
            if !isSecure { opened.succeed() }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { inbound.append(unwrapInboundIn(data)) }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { inbound.end(.success(())) }
            if case TLSUserEvent.handshakeCompleted = event { opened.succeed() }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            opened.fail(ChannelError.eof)
            inbound.end(.success(()))
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            if case NIOSSLError.uncleanShutdown = error { return inbound.end(.success(())) }
            opened.fail(error)
            inbound.end(.failure(error))
            context.close(promise: nil)
        }
    }
}

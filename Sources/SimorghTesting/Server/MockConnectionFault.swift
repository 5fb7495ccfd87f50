// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

extension MockServer {
    /// A fault of a connection before any bytes of HTTP, with or without TLS.
    public enum ConnectionFault: Sendable, Hashable, CaseIterable {
        /// The connection is closed when it is accepted.
        case close
        /// The connection is reset when it is accepted.
        case reset
        /// The connection stays open, and the server never responds, so that a TLS handshake waits.
        case stall
        /// The first bytes are answered with bytes that are neither TLS nor HTTP, and the connection is closed.
        case garbage
    }
}

/// The handler of a connection with a fault.
final class MockConnectionFault: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let fault: MockServer.ConnectionFault
    private let log: ConnectionLog

    init(_ fault: MockServer.ConnectionFault, log: ConnectionLog) {
        self.fault = fault
        self.log = log
    }

    func channelActive(context: ChannelHandlerContext) {
        let (log, channel) = (log, context.channel)
        guard log.opened(channel) != nil else { return context.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in log.closed(channel) }
        switch fault {
        case .close: context.close(promise: nil)
        case .reset: context.triggerUserOutboundEvent(HardReset(), promise: nil)
        case .stall, .garbage: break
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard fault == .garbage else { return }
        let bytes = SeededBytes(seed: 7, count: 256).chunk(at: 0, upTo: 256)
        context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

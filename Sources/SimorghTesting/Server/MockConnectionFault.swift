// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

extension MockServer {
    /// What goes wrong with a connection before a byte of HTTP, TLS or not.
    public enum ConnectionFault: Sendable, Hashable, CaseIterable {
        /// It is closed as it is accepted.
        case close
        /// It is reset as it is accepted.
        case reset
        /// It stays open, and nobody ever answers, so that a TLS handshake waits.
        case stall
        /// The first bytes that come are answered by some that are neither TLS nor HTTP, and the connection is closed.
        case garbage
    }
}

/// A connection with which something is wrong from its beginning.
final class MockConnectionFault: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let fault: MockServer.ConnectionFault
    private let log: ConnectionLog

    init(_ fault: MockServer.ConnectionFault, _ log: ConnectionLog) {
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

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOWebSocket

/// Passes the frames of a connection to its socket, and stops reading while the socket's buffer is full.
final class MockSocketHandler: ChannelDuplexHandler {
    typealias InboundIn = NIOWebSocket.WebSocketFrame
    typealias OutboundIn = NIOWebSocket.WebSocketFrame

    private let socket: MockSocket
    private let onEnd: () -> Void

    init(_ socket: MockSocket, onEnd: @escaping () -> Void) {
        self.socket = socket
        self.onEnd = onEnd
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { socket.didReceive(unwrapInboundIn(data)) }

    func read(context: ChannelHandlerContext) { if socket.mayRead() { context.read() } }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { socket.channelBecameWritable() }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        socket.connectionClosed()
        onEnd()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

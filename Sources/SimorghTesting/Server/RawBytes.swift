// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Bytes that pass every handler of a connection but TLS as they are.
struct RawBytes: Sendable {
    let bytes: ByteBuffer
}

/// Sends bytes as they are that are handed past what frames them; the lowest of the handlers of a WebSocket.
final class RawBytesHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let raw = event as? RawBytes else { return context.triggerUserOutboundEvent(event, promise: promise) }
        context.writeAndFlush(wrapOutboundOut(raw.bytes), promise: promise)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Bytes that pass every handler of a connection except TLS unmodified.
struct RawBytes: Sendable {
    let bytes: ByteBuffer
}

/// Sends raw bytes, bypassing the framing.
///
/// The lowest handler of a WebSocket.
final class RawBytesHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let raw = event as? RawBytes else { return context.triggerUserOutboundEvent(event, promise: promise) }
        context.writeAndFlush(wrapOutboundOut(raw.bytes), promise: promise)
    }
}

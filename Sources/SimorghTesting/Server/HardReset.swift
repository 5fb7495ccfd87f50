// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghSupport

/// Asks for the end of a connection by a reset, past every handler that would say goodbye first.
struct HardReset: Sendable {}

/// Resets the connection when it is asked to; the lowest handler of all, below TLS.
final class HardResetHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is HardReset else { return context.triggerUserOutboundEvent(event, promise: promise) }
        guard let options = context.channel as? any SocketOptionProvider else { return context.close(promise: promise) }
        options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
            context.close(promise: promise)
        }
    }
}

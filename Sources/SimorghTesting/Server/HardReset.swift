// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghSupport

/// Requests a TCP reset of the connection, bypassing every handler that would close it gracefully.
struct HardReset: Sendable {}

/// Resets the connection on request.
///
/// The lowest handler of the pipeline, below TLS.
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

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghRealtime

/// The components of a WebSocket connection, passed from the event loop to the caller that opened it.
struct WebSocketChannelComponents: Sendable {
    let agreement: WebSocketHandshake.Agreement
    let options: WebSocketChannelOptions
    let inbox: InboundMessageQueue
    let outbox: OutboundFrameQueue
    let pings: PendingPings
    let handler: NIOLoopBound<WebSocketHandler>
    /// The executor of the connection's event loop, if there is one.
    let executor: EventLoopTaskExecutor?

    /// The size of the receive buffer while little data arrives, in bytes.
    ///
    /// The connection keeps a buffer of this size, or the one that the TLS handshake was read into, which may be some
    /// KiB larger.
    private static let smallRead = 2048

    /// Adds the WebSocket handler to a channel, on its event loop.
    ///
    /// `clock` is the timer of that loop.
    init(
        _ agreement: WebSocketHandshake.Agreement, options: WebSocketChannelOptions, on channel: any Channel,
        clock: EventLoopTimerWheel, executor: EventLoopTaskExecutor? = nil
    ) throws {
        let options = options.bounded
        self.agreement = agreement
        self.executor = executor
        self.options = options
        let loop = channel.eventLoop
        inbox = InboundMessageQueue(limit: options.receiveBufferSize)
        outbox = OutboundFrameQueue(limit: max(options.sendBufferSize / 2, 1))
        pings = PendingPings()
        let handler = try WebSocketHandler(
            options, compression: agreement.compression, inbox: inbox, outbox: outbox, pings: pings, timerWheel: clock,
            executor: executor, at: .now())
        self.handler = NIOLoopBound(handler, eventLoop: loop)
        let mark = max(options.sendBufferSize / 2, 1)
        try channel.syncOptions?.setOption(
            .writeBufferWaterMark, value: .init(low: max(mark / 2, 1), high: mark))
        try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        try channel.syncOptions?.setOption(
            .recvAllocator, value: GrowingReceiveAllocator(initial: Self.smallRead, keeping: Self.smallRead))
        try channel.pipeline.syncOperations.addHandler(handler)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghRealtime

/// What a connection that speaks WebSocket is made of, on its way from the event loop to whoever asked for it.
struct WebSocketConnectionParts: Sendable {
    let agreement: WebSocketHandshake.Agreement
    let options: WebSocketLinkOptions
    let inbox: WebSocketInbox
    let outbox: WebSocketOutbox
    let pings: PendingPings
    let handler: NIOLoopBound<WebSocketHandler>
    /// What keeps tasks on the connection's event loop, where that can be.
    let executor: LoopExecutor?

    /// The bytes of a read where little comes: a buffer of so many stays with the connection, or the one that the handshake
    /// of TLS was read into, which may be some KiB larger.
    private static let smallRead = 2048

    /// Lets a connection speak WebSocket, on its event loop, where `clock` wakes it.
    init(
        _ agreement: WebSocketHandshake.Agreement, _ options: WebSocketLinkOptions, on channel: any Channel,
        clock: LoopClock, executor: LoopExecutor? = nil
    ) throws {
        let options = options.bounded
        self.agreement = agreement
        self.executor = executor
        self.options = options
        let loop = channel.eventLoop
        inbox = WebSocketInbox(limit: options.receiveBufferSize)
        outbox = WebSocketOutbox(limit: max(options.sendBufferSize / 2, 1))
        pings = PendingPings()
        let handler = try WebSocketHandler(
            options, agreement.compression, inbox: inbox, outbox: outbox, pings: pings, alarm: clock,
            executor: executor, at: .now())
        self.handler = NIOLoopBound(handler, eventLoop: loop)
        let mark = max(options.sendBufferSize / 2, 1)
        try channel.syncOptions?.setOption(
            .writeBufferWaterMark, value: .init(low: max(mark / 2, 1), high: mark))
        try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        try channel.syncOptions?.setOption(
            .recvAllocator, value: LargeReads(initial: Self.smallRead, keeping: Self.smallRead))
        try channel.pipeline.syncOperations.addHandler(handler)
    }
}

extension WebSocketLinkOptions {
    /// With what makes no sense, or no buffer can hold, at the nearest that does and can.
    fileprivate var bounded: WebSocketLinkOptions {
        var options = self
        options.maximumMessageSize = min(max(options.maximumMessageSize, 0), 1 << 30)
        options.receiveBufferSize = max(options.receiveBufferSize, 1)
        options.sendBufferSize = max(options.sendBufferSize, 2)
        options.pingInterval = options.pingInterval.map { max($0, .milliseconds(1)) }
        return options
    }
}

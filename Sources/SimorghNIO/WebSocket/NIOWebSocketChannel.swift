// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghRealtime
import SimorghSupport

/// An open WebSocket connection on the NIO engine.
final class NIOWebSocketChannel: WebSocketChannel {
    let subprotocol: String?
    let compression: WebSocketCompression?
    let response: TransportResponse
    private let inbox: InboundMessageQueue
    private let receiver: MessageReceiver
    private let pings: PendingPings
    let writer: FrameQueueWriter
    let sender: MessageSender<FrameQueueWriter>
    let executor: EventLoopTaskExecutor?

    init(_ connection: WebSocketChannelComponents, response: TransportResponse) {
        let options = connection.options
        subprotocol = connection.agreement.subprotocol
        compression = connection.agreement.compression
        inbox = connection.inbox
        pings = connection.pings
        writer = FrameQueueWriter(
            outbox: connection.outbox, loop: connection.handler.eventLoop, handler: connection.handler)
        receiver = MessageReceiver(connection.inbox, maximumSize: options.maximumMessageSize, of: writer)
        sender = MessageSender(writer, options: options, compression: connection.agreement.compression)
        executor = connection.executor
        self.response = response
    }

    // Queued frames are still sent, such as a close frame.
    deinit { writer.act { $0.abandon() } }

    var closure: WebSocketCloseInfo? { inbox.closure }

    func receive() async throws(WebSocketError) -> WebSocketMessage? { try await receiver.receive() }

    func receiveParts() async throws(WebSocketError) -> WebSocketFragments? {
        try await receiver.receiveParts(of: self)
    }

    // MARK: Pings and the end

    func ping(_ payload: Data) async throws(WebSocketError) -> Duration {
        let payload = try pings.payload(payload)
        return try await pings.wait(payload) { () throws(WebSocketError) in
            self.writer.scheduleFlush(after: try self.writer.outbox.ping(payload))
        }
    }

    func close(code: WebSocketCloseCode, reason: String) async -> WebSocketCloseInfo {
        writer.act { $0.close(code, reason: reason) }
        return await inbox.closed { self.drop() }
    }

    func drop() { writer.act { $0.drop() } }
}

extension NIOWebSocketChannel: EventLoopWebSocketChannel {
    var taskExecutor: (any TaskExecutor)? { executor }

    func takeBufferedMessage(upTo maximumSize: Int) -> WebSocketMessage? {
        let (message, demand) = inbox.takeBufferedMessage(upTo: maximumSize)
        writer.perform(demand)
        return message
    }

    func deliverMessages(to sink: @escaping MessageSink) { inbox.deliverMessages(to: sink) }
}

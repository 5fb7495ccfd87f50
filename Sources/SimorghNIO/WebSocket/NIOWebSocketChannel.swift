// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization

/// An open WebSocket connection on the NIO engine.
final class NIOWebSocketChannel: WebSocketChannel {
    let subprotocol: String?
    let compression: WebSocketCompression?
    let response: TransportResponse
    let options: WebSocketChannelOptions
    private let inbox: InboundMessageQueue
    /// The received part of a message that arrives in fragments and is wanted whole.
    private let begun = Mutex<PartialMessage?>(nil)
    let outbox: OutboundFrameQueue
    private let pings: PendingPings
    let loop: any EventLoop
    let handler: NIOLoopBound<WebSocketHandler>
    let executor: EventLoopTaskExecutor?
    /// Created when the first message is compressed.
    ///
    /// Only the task that holds the outbox's turn locks it.
    let deflater = Mutex<MessageDeflater?>(nil)

    init(_ connection: WebSocketChannelComponents, response: TransportResponse) {
        subprotocol = connection.agreement.subprotocol
        compression = connection.agreement.compression
        options = connection.options
        inbox = connection.inbox
        outbox = connection.outbox
        pings = connection.pings
        loop = connection.handler.eventLoop
        handler = connection.handler
        executor = connection.executor
        self.response = response
    }

    // Queued frames are still sent, such as a close frame.
    deinit { act { $0.abandon() } }

    var closure: WebSocketCloseInfo? { inbox.closure }

    // MARK: Receiving

    func receive() async throws(WebSocketError) -> WebSocketMessage? {
        while true {
            switch try await next(inParts: false) {
            case .message(let message): return message
            // The message arrives in fragments because an earlier caller asked for that, but this one wants it whole.
            // If this call is cancelled, the next call continues with the received part.
            case .beginning(let kind): begun.withLock { $0 = PartialMessage(kind) }
            case .part(let part): try storeFragment(part)
            case .end: if let message = begun.withLock({ $0.take() })?.message { return message }
            case nil: return nil
            }
        }
    }

    func receiveParts() async throws(WebSocketError) -> WebSocketFragments? {
        if let begun = begun.withLock({ $0.take() }) { return parts(of: begun) }
        while true {
            switch try await next(inParts: true) {
            case .message(let message):
                let rest = Mutex<Data?>(message.bytes)
                return WebSocketFragments(kind: message.kind) { () throws(WebSocketError) in
                    rest.withLock { $0.take() }.flatMap { $0.isEmpty ? nil : $0 }
                }
            case .beginning(let kind): return parts(of: PartialMessage(kind))
            case .part, .end: break  // The rest of a fragmented message whose reader stopped early.
            case nil: return nil
            }
        }
    }

    private func parts(of begun: PartialMessage) -> WebSocketFragments {
        let first = Mutex<Data?>(begun.bytes.isEmpty ? nil : begun.bytes)
        let hasEnded = Mutex(false)
        return WebSocketFragments(kind: begun.kind) { () async throws(WebSocketError) in
            guard !hasEnded.withLock({ $0 }) else { return nil }
            if let first = first.withLock({ $0.take() }) { return first }
            switch try await self.next(inParts: false) {
            case .part(let data): return data
            case .end, .message, .beginning:
                hasEnded.withLock { $0 = true }
                return nil
            case nil: throw .closing
            }
        }
    }

    /// Keeps a fragment of a message that is wanted whole, or discards one of a message that is not wanted anymore.
    private func storeFragment(_ part: Data) throws(WebSocketError) {
        let isKept = begun.withLock { begun in
            guard let count = begun?.bytes.count else { return true }
            guard part.count <= options.maximumMessageSize - count else {
                begun = nil
                return false
            }
            begun?.bytes += part
            return true
        }
        guard !isKept else { return }
        let fault = WebSocketProtocolError.tooLarge(limit: options.maximumMessageSize)
        act { $0.fail(fault) }
        throw fault.error
    }

    private func next(inParts: Bool) async throws(WebSocketError) -> InboundMessageQueue.Item? {
        guard !Task.isCancelled else { throw .cancelled }
        let (early, demand, wait) = inbox.take()
        perform(demand)
        if let early { return try early.get() }
        return try await inbox.wait(wait, inParts: inParts) { self.perform($0) }.get()
    }

    private func perform(_ demand: InboundMessageQueue.Demand) {
        switch demand {
        case .none: break
        case .resume: act { $0.resume() }
        case .parts, .overflow: act { $0.decide() }
        case .fault: act { $0.taken() }
        }
    }

    private func act(_ work: @escaping @Sendable (WebSocketHandler) -> Void) {
        let handler = handler
        loop.execute {
            work(handler.value)
            handler.value.flushIfNeeded()
        }
    }

    // MARK: Pings and the end

    func ping(_ payload: Data) async throws(WebSocketError) -> Duration {
        guard payload.count <= WebSocketFrame.maximumControlPayload else {
            throw WebSocketError(.invalidArgument, message: "a ping carries at most 125 bytes, not \(payload.count)")
        }
        let payload = payload.isEmpty ? pings.nextPayload() : Array(payload)
        return try await pings.wait(payload) { () throws(WebSocketError) in
            self.scheduleFlush(after: try self.outbox.ping(payload))
        }
    }

    func close(code: WebSocketCloseCode, reason: String) async -> WebSocketCloseInfo {
        act { $0.close(code, reason: reason) }
        return await inbox.closed { self.drop() }
    }

    func drop() { act { $0.drop() } }
}

extension NIOWebSocketChannel: EventLoopWebSocketChannel {
    var taskExecutor: (any TaskExecutor)? { executor }

    func takeBufferedMessage(upTo maximumSize: Int) -> WebSocketMessage? {
        let (message, demand) = inbox.takeBufferedMessage(upTo: maximumSize)
        perform(demand)
        return message
    }

    func deliverMessages(to sink: @escaping MessageSink) { inbox.deliverMessages(to: sink) }
}

/// An incomplete message.
private struct PartialMessage: Sendable {
    let kind: WebSocketMessage.Kind
    var bytes = Data()

    init(_ kind: WebSocketMessage.Kind) { self.kind = kind }

    var message: WebSocketMessage {
        kind == .text ? .text(String(decoding: bytes, as: UTF8.self)) : .data(bytes)
    }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The actions of a connection that its receiving task causes.
package protocol WebSocketReadingControl: Sendable {
    /// Continues reading, after a task has taken something from the inbox.
    func perform(_ demand: InboundMessageQueue.Demand)

    /// Fails the connection.
    func fail(_ fault: WebSocketProtocolError)
}

/// Receives the messages of a WebSocket connection from its inbox, whole or in parts.
package final class MessageReceiver: Sendable {
    private let inbox: InboundMessageQueue
    private let maximumSize: Int
    private let connection: any WebSocketReadingControl
    /// The received part of a message that arrives in fragments and is wanted whole.
    private let begun = Mutex<PartialMessage?>(nil)

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - inbox: The received messages.
    ///   - maximumSize: The size of the largest message to receive whole, in bytes.
    ///   - connection: The connection.
    package init(_ inbox: InboundMessageQueue, maximumSize: Int, of connection: any WebSocketReadingControl) {
        self.inbox = inbox
        self.maximumSize = maximumSize
        self.connection = connection
    }

    /// Waits for the next message; see ``WebSocketChannel/receive()``.
    package func receive() async throws(WebSocketError) -> WebSocketMessage? {
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

    /// Waits for the beginning of the next message; see ``WebSocketChannel/receiveParts()``.
    ///
    /// - Parameter channel: The channel, which stays open while the message is read.
    /// - Returns: The message; `nil` after the last one.
    /// - Throws: `WebSocketError`.
    package func receiveParts(of channel: any WebSocketChannel) async throws(WebSocketError) -> WebSocketFragments? {
        if let begun = begun.withLock({ $0.take() }) { return parts(of: begun, channel) }
        while true {
            switch try await next(inParts: true) {
            case .message(let message):
                let rest = Mutex<Data?>(message.bytes)
                return WebSocketFragments(kind: message.kind) { () throws(WebSocketError) in
                    rest.withLock { $0.take() }.flatMap { $0.isEmpty ? nil : $0 }
                }
            case .beginning(let kind): return parts(of: PartialMessage(kind), channel)
            case .part, .end: break  // The rest of a fragmented message whose reader stopped early.
            case nil: return nil
            }
        }
    }

    private func parts(of begun: PartialMessage, _ channel: any WebSocketChannel) -> WebSocketFragments {
        let first = Mutex<Data?>(begun.bytes.isEmpty ? nil : begun.bytes)
        let hasEnded = Mutex(false)
        return WebSocketFragments(kind: begun.kind) { () async throws(WebSocketError) in
            defer { withExtendedLifetime(channel) {} }
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
            guard part.count <= maximumSize - count else {
                begun = nil
                return false
            }
            begun?.bytes += part
            return true
        }
        guard !isKept else { return }
        let fault = WebSocketProtocolError.tooLarge(limit: maximumSize)
        connection.fail(fault)
        throw fault.error
    }

    private func next(inParts: Bool) async throws(WebSocketError) -> InboundMessageQueue.Item? {
        guard !Task.isCancelled else { throw .cancelled }
        let (early, demand, wait) = inbox.take()
        if demand != .none { connection.perform(demand) }
        if let early { return try early.get() }
        return try await inbox.wait(wait, inParts: inParts) { demand in
            if demand != .none { self.connection.perform(demand) }
        }.get()
    }
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

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghSupport

/// An open WebSocket connection over a ``ByteStream``, without the engine.
///
/// It behaves like a connection of the engine: compression, fragments, the payloads of pings, and back-pressure in both
/// directions.
package final class ByteStreamWebSocketChannel: WebSocketChannel {
    package let subprotocol: String?
    package let compression: WebSocketCompression?
    package let response: TransportResponse
    private let inbox: InboundMessageQueue
    private let outbox: ByteStreamOutbox
    private let pings = PendingPings()
    private let connection: ByteStreamConnection
    private let receiver: MessageReceiver
    private let sender: MessageSender<ByteStreamOutbox>

    /// Creates the channel of a stream whose handshake is complete, and begins to read.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - early: The bytes that followed the server's response.
    ///   - agreement: The agreed subprotocol and compression.
    ///   - options: The options of the connection.
    ///   - response: The server's response.
    ///   - time: The clock.
    /// - Throws: `WebSocketProtocolError` if there is no memory for the decompression.
    package init(
        _ stream: any ByteStream, early: Data = Data(), agreement: WebSocketHandshake.Agreement,
        options: WebSocketChannelOptions, response: TransportResponse, time: TimeSource = .system
    ) throws(WebSocketProtocolError) {
        let options = options.bounded
        subprotocol = agreement.subprotocol
        compression = agreement.compression
        self.response = response
        inbox = InboundMessageQueue(limit: options.receiveBufferSize)
        outbox = ByteStreamOutbox(limit: options.sendBufferSize / 2)
        connection = try ByteStreamConnection(
            stream, early: early, options: options, compression: agreement.compression, inbox: inbox, outbox: outbox,
            pings: pings, time: time)
        receiver = MessageReceiver(
            inbox, maximumSize: options.maximumMessageSize, of: ReadingControl(connection: connection))
        sender = MessageSender(outbox, options: options, compression: agreement.compression)
        connection.start()
    }

    deinit { Task { [connection] in await connection.abandon() } }

    package var closure: WebSocketCloseInfo? { inbox.closure }

    package func receive() async throws(WebSocketError) -> WebSocketMessage? { try await receiver.receive() }

    package func receiveParts() async throws(WebSocketError) -> WebSocketFragments? {
        try await receiver.receiveParts(of: self)
    }

    package func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        guard !Task.isCancelled else { throw .cancelled }
        let count = message.byteCount
        if count <= ByteStreamOutbox.maximumInlineSize, count <= sender.frameSize, !sender.compresses(count),
            message.withBytes({ outbox.sendImmediately(message.kind.opcode, payload: $0) })
        {
            return
        }
        try await sender.send(message)
    }

    package func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, as kind: WebSocketMessage.Kind
    ) async throws where Parts.Element == Data {
        try await sender.send(parts, as: kind) { drop() }
    }

    package func ping(_ payload: Data) async throws(WebSocketError) -> Duration {
        let payload = try pings.payload(payload)
        return try await pings.wait(payload) { () throws(WebSocketError) in try self.outbox.ping(payload) }
    }

    package func close(code: WebSocketCloseCode, reason: String) async -> WebSocketCloseInfo {
        await connection.close(code, reason: reason)
        return await inbox.closed { self.drop() }
    }

    package func drop() { Task { [connection] in await connection.drop() } }
}

/// Passes the demand of the receiving task on to the connection.
private struct ReadingControl: WebSocketReadingControl {
    let connection: ByteStreamConnection

    func perform(_ demand: InboundMessageQueue.Demand) { Task { [connection] in await connection.perform(demand) } }

    func fail(_ fault: WebSocketProtocolError) { Task { [connection] in await connection.fail(fault) } }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A single open WebSocket connection, which does not reconnect.
///
/// It may be used from many tasks at once, but only one may read. Releasing the last reference drops the connection.
public protocol WebSocketChannel: AnyObject, Sendable {
    /// The subprotocol that the server selected, if any.
    var subprotocol: String? { get }
    /// The agreed compression, if any.
    var compression: WebSocketCompression? { get }
    /// The server's response to the upgrade, with connection details and an empty body.
    var response: TransportResponse { get }
    /// A description of the end of the connection; `nil` while it is open.
    var closure: WebSocketCloseInfo? { get }

    /// Waits for the next message.
    ///
    /// - Returns: The message; `nil` after the last one if both sides exchanged close frames; see ``closure``.
    /// - Throws: ``WebSocketError`` if the connection ended in any other way and all received messages were taken. A
    ///   cancelled task throws `cancelled` and takes no message.
    func receive() async throws(WebSocketError) -> WebSocketMessage?

    /// Waits for the beginning of the next message, to read it in parts, whatever its size.
    ///
    /// - Returns: The message, which must be read to its end before the next one; `nil` after the last one.
    /// - Throws: ``WebSocketError``, as ``receive()`` does.
    func receiveParts() async throws(WebSocketError) -> WebSocketFragments?

    /// Sends a message as soon as fewer than ``WebSocketChannelOptions/sendBufferSize`` bytes are waiting to be written.
    ///
    /// - Parameter message: The message.
    /// - Throws: ``WebSocketError``; no part of the message was sent in that case.
    func send(_ message: WebSocketMessage) async throws(WebSocketError)

    /// Sends one message in parts, each as soon as the send buffer has room.
    ///
    /// Other messages wait until it is complete.
    ///
    /// - Parameters:
    ///   - parts: The parts; those of a text message are UTF-8, and may be split within a character.
    ///   - kind: The kind of the message.
    /// - Throws: ``WebSocketError``, or the error of `parts`. If the message was begun and cannot be completed, the
    ///   connection is dropped.
    func send<Parts: AsyncSequence & Sendable>(_ parts: Parts, as kind: WebSocketMessage.Kind) async throws
    where Parts.Element == Data

    /// Sends a ping and waits for the pong.
    ///
    /// - Parameter payload: At most 125 bytes that the server sends back; if empty, a unique number is sent to tell
    ///   pings apart.
    /// - Returns: The round-trip time.
    /// - Throws: ``WebSocketError``; a cancelled task throws `cancelled` immediately.
    func ping(_ payload: Data) async throws(WebSocketError) -> Duration

    /// Performs the close handshake and closes the connection.
    ///
    /// Sends a close frame after all queued messages, waits up to ``WebSocketChannelOptions/closeTimeout`` for the
    /// server's close frame, and then closes the connection in any case. Messages that arrive until then can still be
    /// received. A cancelled task drops the connection.
    ///
    /// - Parameters:
    ///   - code: The close code; `normal` is sent instead of a code that may not be sent.
    ///   - reason: The reason text, truncated to 123 bytes.
    /// - Returns: A description of the end.
    func close(code: WebSocketCloseCode, reason: String) async -> WebSocketCloseInfo

    /// Ends the connection immediately, without a close frame.
    func drop()
}

extension WebSocketChannel {
    /// Sends a ping and waits for the pong.
    ///
    /// - Returns: The round-trip time.
    /// - Throws: ``WebSocketError``; a cancelled task throws `cancelled` immediately.
    public func ping() async throws(WebSocketError) -> Duration { try await ping(Data()) }

    /// Performs the close handshake with the code `normal` and closes the connection.
    ///
    /// - Returns: A description of the end.
    @discardableResult
    public func close() async -> WebSocketCloseInfo { await close(code: .normal, reason: "") }
}

// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// One open connection of a WebSocket, until it closes; it never connects again.
///
/// It may be used from many tasks at once, by one reader at a time. Letting the last reference go drops the connection.
public protocol WebSocketLink: AnyObject, Sendable {
    /// The protocol above WebSocket that the server chose of those offered.
    var subprotocol: String? { get }
    /// The compression that was agreed.
    var compression: WebSocketCompression? { get }
    /// The server's answer to the opening, with the facts of the connection; its body is empty.
    var response: TransportResponse { get }
    /// How it ended; `nil` as long as it has not.
    var closure: WebSocketClosure? { get }

    /// Waits for the next message.
    ///
    /// - Returns: The message; `nil` after the last one, when both sides have said goodbye; see ``closure``.
    /// - Throws: ``WebSocketError``, when the connection ended in any other way, and all that had come was taken. A
    ///   cancelled task throws `cancelled` and takes nothing.
    func receive() async throws(WebSocketError) -> WebSocketMessage?

    /// Waits for the beginning of the next message, to read it in parts as they come, however large it is.
    ///
    /// - Returns: The message, which must be read to its end before the next is asked for; `nil` after the last one.
    /// - Throws: ``WebSocketError``, as ``receive()``.
    func receiveParts() async throws(WebSocketError) -> WebSocketParts?

    /// Sends a message, as soon as fewer bytes wait to be written than ``WebSocketLinkOptions/sendBufferSize``.
    ///
    /// - Parameter message: The message.
    /// - Throws: ``WebSocketError``; the message was not sent then, nor any part of it.
    func send(_ message: WebSocketMessage) async throws(WebSocketError)

    /// Sends one message in parts, each as soon as there is room for it; other messages wait until it is whole.
    ///
    /// - Parameters:
    ///   - parts: The parts; those of a text are UTF-8, and may be cut within a character.
    ///   - kind: Whether the message is text.
    /// - Throws: ``WebSocketError``, or what `parts` throws. A message that was begun and cannot be ended drops the
    ///   connection.
    func send<Parts: AsyncSequence & Sendable>(_ parts: Parts, as kind: WebSocketMessage.Kind) async throws
    where Parts.Element == Data

    /// Sends a ping and waits for its answer.
    ///
    /// - Parameter payload: At most 125 bytes that the server sends back; where it is empty, a number that tells one ping
    ///   from another is sent.
    /// - Returns: How long the answer took.
    /// - Throws: ``WebSocketError``; a cancelled task throws `cancelled` at once.
    func ping(_ payload: Data) async throws(WebSocketError) -> Duration

    /// Says goodbye after what was sent, waits for the server's goodbye as long as ``WebSocketLinkOptions/closeTimeout``
    /// says, and closes the connection in any case.
    ///
    /// Messages that had come or come meanwhile can still be received. A cancelled task drops the connection.
    ///
    /// - Parameters:
    ///   - code: Why; one that may not be sent counts as `normal`.
    ///   - reason: Why in words, cut to 123 bytes.
    /// - Returns: How it ended.
    func close(code: WebSocketCloseCode, reason: String) async -> WebSocketClosure

    /// Ends the connection at once, without a goodbye.
    func drop()
}

extension WebSocketLink {
    /// Sends a ping and waits for its answer.
    ///
    /// - Returns: How long the answer took.
    /// - Throws: ``WebSocketError``; a cancelled task throws `cancelled` at once.
    public func ping() async throws(WebSocketError) -> Duration { try await ping(Data()) }

    /// Says goodbye with the code `normal`, and closes the connection.
    ///
    /// - Returns: How it ended.
    @discardableResult
    public func close() async -> WebSocketClosure { await close(code: .normal, reason: "") }
}

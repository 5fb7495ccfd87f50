// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
public import SimorghRealtime
import Synchronization

/// The server's end of a scripted connection, controlled by a test.
///
/// The client's messages are buffered until they are received. When the buffer is full, the client's sends wait, as
/// with a server that does not read.
public final class ScriptedPeer: Sendable {
    /// The request that opened the connection.
    public let request: RecordedRequest
    /// The client's options of the connection, with the offered subprotocols.
    public let options: WebSocketChannelOptions
    private let wire: ScriptedWire

    init(_ request: RecordedRequest, options: WebSocketChannelOptions, wire: ScriptedWire) {
        self.request = request
        self.options = options
        self.wire = wire
    }

    /// The close information as the client sees it; `nil` while the connection is open.
    public var closure: WebSocketCloseInfo? { wire.closure }

    /// True if the connection is open.
    public var isOpen: Bool { wire.closure == nil }

    /// The code and reason of the client's close frame; `nil` if it has sent none.
    public var receivedClose: (code: WebSocketCloseCode, reason: String)? { wire.receivedClose }

    /// The number of pings that the client's code has sent explicitly.
    public var pingCount: Int { wire.pings }

    /// The number of client sends that wait for the buffer.
    package var waitingSends: Int { wire.waitingSends }

    /// A Boolean value that indicates whether pings are answered; true by default.
    ///
    /// An unanswered ping waits until the connection ends.
    public var answersPings: Bool {
        get { wire.answersPings }
        set { wire.answersPings = newValue }
    }

    /// A Boolean value that indicates whether the client's close frame is answered at once; true by default.
    ///
    /// If it is not, the client waits for ``answerClose()`` or ``drop(_:)``: there is no timeout here.
    public var answersClose: Bool {
        get { wire.answersClose }
        set { wire.answersClose = newValue }
    }

    /// Sends a message.
    ///
    /// - Parameter message: The message; it is dropped if the connection has ended.
    public func send(_ message: WebSocketMessage) { wire.toClient.put(message) }

    /// Sends a text.
    ///
    /// - Parameter text: The text.
    public func send(_ text: String) { send(.text(text)) }

    /// Waits for the client's next message.
    ///
    /// - Returns: The message; `nil` if the client has sent a close frame, or the connection has ended.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func receive() async throws -> WebSocketMessage? { try await wire.take() }

    /// Waits for the client's next message, and returns it as text.
    ///
    /// - Returns: The text; `nil` if the client has sent a close frame, or the connection has ended.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func receiveText() async throws -> String? {
        try await receive().map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Sends a close frame.
    ///
    /// The client answers it, and the connection ends cleanly.
    ///
    /// - Parameters:
    ///   - code: The close code.
    ///   - reason: The reason.
    public func close(code: WebSocketCloseCode = .normal, reason: String = "") {
        wire.end(WebSocketCloseInfo(code: code, reason: reason, isClean: true, initiator: .remote))
    }

    /// Answers the close frame of a client that waits for it.
    public func answerClose() {
        let (code, reason) = wire.receivedClose ?? (.normal, "")
        wire.end(WebSocketCloseInfo(code: code, reason: reason, isClean: true, initiator: .local))
    }

    /// Ends the connection without a close frame, like a network failure.
    ///
    /// - Parameter message: The message of the client's error.
    public func drop(_ message: String = "the server went away") { wire.endAbnormally(message, by: .remote) }

    /// Simulates a protocol violation of the server, after which the client ends the connection.
    ///
    /// - Parameter code: The client's close code, such as ``/SimorghRealtime/WebSocketCloseCode/protocolError``.
    public func misbehave(_ code: WebSocketCloseCode = .protocolError) {
        let failure = WebSocketError(
            .protocolViolation, message: "the server violated the protocol", closeCode: code)
        wire.end(WebSocketCloseInfo(code: code, isClean: false, initiator: .local, failure: failure))
    }

    /// Makes the client's sends wait, as with a server that does not read.
    ///
    /// - Returns: The gate that lets them continue.
    public func holdSends() -> Gate {
        let gate = Gate()
        wire.writable.withLock { $0 = gate }
        return gate
    }

    /// Waits until the connection has ended.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func closed() async throws { try await wire.ended.wait() }
}
